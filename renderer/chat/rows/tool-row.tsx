import { Loader, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconBan, IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toLocalText } from '../../../shared/model/local-text.ts';
import { describeError } from '../../ui/text/describe-error.ts';
import classes from '../chat-rows.module.css';
import type { ItemOf } from '../chat-rows.ts';
import { MentionText } from '../text/mention-text.tsx';
import { ToolAssets } from './assets/tool-assets.tsx';

interface ToolRowProps {
  item: ItemOf<'tool'>;
}

/** A tool call as a sentence, with the reason if it failed. */
export function ToolRow({ item }: ToolRowProps) {
  const { t, i18n } = useTranslation('chat');
  return (
    <div className={classes.tool} data-state={item.state}>
      {item.state === 'running' && <Loader size={13} aria-hidden />}
      {item.state === 'done' && <IconCheck size={14} aria-hidden />}
      {item.state === 'refused' && <IconBan size={14} aria-hidden />}
      {item.state === 'failed' && <IconAlertTriangle size={14} className={classes.failed} aria-hidden />}
      <div>
        <p>
          {item.state === 'failed' && <span className={classes.failed}>{t('tool.failed')} · </span>}
          {item.state === 'refused' && `${t('tool.refused')} · `}
          <MentionText text={toLocalText(item.summary, i18n.language)} />
          {item.state === 'running' && <VisuallyHidden>{t('tool.running')}</VisuallyHidden>}
        </p>
        {item.state === 'running' && item.progress && (
          <p>
            <MentionText text={toLocalText(item.progress, i18n.language)} />
          </p>
        )}
        {(item.state === 'failed' || item.state === 'refused') && item.error && <p>{describeError(item.error, t)}</p>}
        {item.assets && <ToolAssets assets={item.assets} />}
      </div>
    </div>
  );
}
