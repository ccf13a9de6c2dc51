import { memo } from 'react';
import type { ChatItem } from '../../../shared/model/chat.ts';
import { CapCard } from '../cards/cap-card.tsx';
import { ConsentCard } from '../cards/consent-card.tsx';
import { PlanCard } from '../cards/plan-card.tsx';
import { QuestionCard } from '../cards/question-card.tsx';
import { ReviewCard } from '../cards/review-card.tsx';
import { AnswerText } from '../text/markdown-text.tsx';
import type { ChatRow } from './chat-rows.ts';
import { CompletionRow } from './completion-row.tsx';
import { EndRow } from './end-row.tsx';
import { FoldRow } from './fold-row.tsx';
import { NoteRow } from './note-row.tsx';
import { SummaryRow } from './summary-row.tsx';
import { ThinkingRow } from './thinking-row.tsx';
import { ToolRow } from './tool-row.tsx';
import { UserRow } from './user-row.tsx';

interface ChatRowViewProps {
  row: ChatRow;
}

/** A chat row. Renders again only when the identity of its content changes. */
export const ChatRowView = memo(
  function ChatRowView({ row }: ChatRowViewProps) {
    if (row.kind === 'fold') return <FoldRow row={row} />;
    return row.part ? <AnswerText blocks={row.part.blocks} /> : <ItemRow item={row.item} isLast={row.last} />;
  },
  ({ row: old }, { row: now }) => {
    if (old.kind === 'item') {
      if (now.kind !== 'item' || old.part !== now.part) return false;
      return now.part !== undefined || (old.item === now.item && old.last === now.last);
    }
    return (
      now.kind === 'fold' &&
      old.items.length === now.items.length &&
      old.items.every((item, index) => item === now.items[index])
    );
  },
);

function ItemRow({ item, isLast }: { item: ChatItem; isLast: boolean }) {
  switch (item.kind) {
    case 'user':
      return <UserRow item={item} />;
    case 'assistant':
      return null;
    case 'thinking':
      return <ThinkingRow item={item} />;
    case 'tool':
      return <ToolRow item={item} />;
    case 'note':
      return <NoteRow item={item} />;
    case 'plan':
      return <PlanCard item={item} />;
    case 'question':
      return <QuestionCard item={item} />;
    case 'consent':
      return <ConsentCard item={item} />;
    case 'cap':
      return <CapCard item={item} />;
    case 'completion':
      return <CompletionRow item={item} />;
    case 'review':
      return <ReviewCard item={item} />;
    case 'summary':
      return <SummaryRow item={item} />;
    case 'end':
      return <EndRow item={item} isLast={isLast} />;
  }
}
