import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useChat } from '../../state/chat/chat-store.ts';
import { isWorking } from '../../state/chat/is-working.ts';
import { undoCompaction } from '../chat-actions.ts';
import type { ItemOf } from '../chat-rows.ts';
import { MarkdownText } from '../text/markdown-text.tsx';
import { Disclosure } from './disclosure.tsx';

interface SummaryRowProps {
  item: ItemOf<'summary'>;
}

/** Marks where the rows above were replaced by a summary for the model. */
export function SummaryRow({ item }: SummaryRowProps) {
  const { t } = useTranslation('chat');
  const isBusy = useChat((state) => isWorking(state.chat?.phase ?? 'idle'));
  return (
    <Disclosure row={item.id} label={t(`summary.${item.state}`)}>
      {() => (
        <>
          <MarkdownText text={item.text} />
          {item.state === 'used' && (
            <Button
              variant="default"
              size="compact-xs"
              w="max-content"
              disabled={isBusy}
              onClick={() => void undoCompaction(item.id)}
            >
              {t('summary.restore')}
            </Button>
          )}
        </>
      )}
    </Disclosure>
  );
}
