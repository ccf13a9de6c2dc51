import { IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from '../chat-rows.module.css';
import type { ItemOf } from '../chat-rows.ts';
import { MarkdownText } from '../text/markdown-text.tsx';

interface CompletionRowProps {
  item: ItemOf<'completion'>;
}

/** The final message of the assistant on a task. */
export function CompletionRow({ item }: CompletionRowProps) {
  const { t } = useTranslation('chat');
  return (
    <div className={classes.note} data-level="success">
      <IconCircleCheck size={15} aria-label={t('completion')} />
      <MarkdownText text={item.text} />
    </div>
  );
}
