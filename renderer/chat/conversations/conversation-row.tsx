import { ActionIcon, Menu, UnstyledButton } from '@mantine/core';
import { IconCheck, IconDots, IconDownload, IconPencil, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { SessionSummary } from '../../../shared/model/chat.ts';
import { timeAgo } from '../../ui/text/time-ago.ts';
import { exportSession } from './conversation-actions.ts';
import classes from './conversations.module.css';

interface ConversationRowProps {
  summary: SessionSummary;
  isCurrent: boolean;
  now: number;
  tabIndex: 0 | -1 | undefined;
  onOpen: () => void;
  onRename: () => void;
  onRemove: () => void;
}

/** A conversation in the list: opens it; its menu renames, exports and deletes it. */
export function ConversationRow(props: ConversationRowProps) {
  const { summary, isCurrent, now, tabIndex, onOpen, onRename, onRemove } = props;
  const { t, i18n } = useTranslation('chat');
  const { id, at, isForeign } = summary;
  const title = summary.title || t('sessions.untitled');
  return (
    <div className={classes.row}>
      <UnstyledButton
        className={classes.main}
        tabIndex={tabIndex}
        aria-current={isCurrent ? 'true' : undefined}
        onClick={onOpen}
      >
        <span className={classes.mark}>{isCurrent && <IconCheck size={15} aria-hidden />}</span>
        <bdi className={classes.title}>{title}</bdi>
        {isForeign && <span className={classes.foreign}>{t('sessions.foreign')}</span>}
        <span className={classes.when}>{timeAgo(at, i18n.language, now)}</span>
      </UnstyledButton>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon tabIndex={tabIndex} aria-label={t('sessions.actions', { title })}>
            <IconDots size={16} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isForeign && (
            <Menu.Item leftSection={<IconPencil size={14} />} onClick={onRename}>
              {t('sessions.rename')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconDownload size={14} />} onClick={() => void exportSession(id)}>
            {t('sessions.export')}
          </Menu.Item>
          <Menu.Item leftSection={<IconTrash size={14} />} onClick={onRemove}>
            {t('sessions.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
