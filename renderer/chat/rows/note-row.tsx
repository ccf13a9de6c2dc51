import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle, IconProgress } from '@tabler/icons-react';
import classes from '../chat-rows.module.css';
import type { ItemOf } from '../chat-rows.ts';
import { MarkdownText } from '../text/markdown-text.tsx';

const ICONS = {
  info: IconInfoCircle,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  error: IconCircleX,
  progress: IconProgress,
} as const;

interface NoteRowProps {
  item: ItemOf<'note'>;
}

/** A note of the assistant. */
export function NoteRow({ item }: NoteRowProps) {
  const NoteIcon = ICONS[item.level];
  return (
    <div className={classes.note} data-level={item.level}>
      <NoteIcon size={15} aria-hidden />
      <div>
        {item.title && <p className={classes.noteTitle}>{item.title}</p>}
        <MarkdownText text={item.text} />
      </div>
    </div>
  );
}
