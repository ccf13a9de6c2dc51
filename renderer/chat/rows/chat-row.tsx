import { memo } from 'react';
import type { ChatRow } from '../chat-rows.ts';
import { AnswerText } from '../text/markdown-text.tsx';
import { FoldRow } from './fold-row.tsx';
import { ItemRow } from './item-row.tsx';
import { AsideRow } from './messages/aside-row.tsx';

interface ChatRowViewProps {
  row: ChatRow;
}

/** A chat row. Renders again only when the identity of its content changes. */
export const ChatRowView = memo(
  function ChatRowView({ row }: ChatRowViewProps) {
    if (row.kind === 'aside') return <AsideRow row={row} />;
    if (row.kind === 'fold') return <FoldRow row={row} />;
    return row.part ? <AnswerText blocks={row.part.blocks} /> : <ItemRow item={row.item} isLast={row.last} />;
  },
  ({ row: old }, { row: now }) => {
    if (old.kind === 'item') {
      if (now.kind !== 'item' || old.part !== now.part) return false;
      return now.part !== undefined || (old.item === now.item && old.last === now.last);
    }
    return (
      now.kind === old.kind &&
      old.items.length === now.items.length &&
      old.items.every((item, index) => item === now.items[index])
    );
  },
);
