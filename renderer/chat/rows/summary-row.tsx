import { Button, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../state/chat/chat-store.ts';
import { isWorking } from '../../state/chat/queued-message.ts';
import { undoCompaction } from '../chat-actions.ts';
import { MarkdownText } from '../text/markdown-text.tsx';
import type { ItemOf } from './chat-rows.ts';
import { useOpenRow } from './list/use-open-row.ts';
import classes from './rows.module.css';

interface SummaryRowProps {
  item: ItemOf<'summary'>;
}

/** Marks where the rows above were replaced by a summary for the model. */
export function SummaryRow({ item }: SummaryRowProps) {
  const { t } = useTranslation('chat');
  const [isOpen, setOpen] = useOpenRow(item.id);
  const isBusy = useChat((state) => isWorking(state.chat?.phase ?? 'idle'));
  const id = useId();
  return (
    <div>
      <UnstyledButton
        className={classes.quiet}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        title={t('summary.show')}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={13} className={classes.chevron} aria-hidden />
        {t(`summary.${item.state}`)}
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={classes.inner}>
          <MarkdownText text={item.text} />
          {item.state === 'used' && (
            <Button variant="default" size="compact-xs" disabled={isBusy} onClick={() => void undoCompaction(item.id)}>
              {t('summary.restore')}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
