import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../../state/chat/chat-store.ts';
import { useBusy } from '../../../ui/hooks/use-busy.ts';
import { undoResend } from '../../chat-actions.ts';
import classes from '../../chat-rows.module.css';
import { type AsideFold, isMessage } from '../../chat-rows.ts';
import { MarkdownText } from '../../text/markdown-text.tsx';
import { Disclosure } from '../disclosure.tsx';
import { ItemRow } from '../item-row.tsx';

interface AsideRowProps {
  row: AsideFold;
}

/** Messages that no longer count for the assistant, as one line; expanded, it shows them. */
export function AsideRow({ row }: AsideRowProps) {
  const { t } = useTranslation('chat');
  const [isBusy, run] = useBusy();
  const undoable = useChat((state) => state.chat?.undoable);
  const canUndo = undoable !== undefined && row.items.some(({ aside }) => aside === undoable);
  const count = row.items.filter(isMessage).length;
  return (
    <div className={classes.aside}>
      <Disclosure row={row.id} label={t('resend.aside', { count })}>
        {() =>
          row.items.map((item) =>
            item.kind === 'assistant' ? (
              <MarkdownText key={item.id} text={item.text} />
            ) : (
              <ItemRow key={item.id} item={item} isLast={false} />
            ),
          )
        }
      </Disclosure>
      {canUndo && (
        <Button variant="subtle" size="compact-xs" loading={isBusy} onClick={() => run(() => undoResend(undoable))}>
          {t('resend.undo')}
        </Button>
      )}
    </div>
  );
}
