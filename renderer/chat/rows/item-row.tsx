import type { ChatItem } from '../../../shared/model/chat.ts';
import { CapCard } from '../cards/cap-card.tsx';
import { ConsentCard } from '../cards/consent-card.tsx';
import { QuestionCard } from '../cards/question-card.tsx';
import { ReviewCard } from '../cards/review-card.tsx';
import { PlanCard } from '../plan/plan-card.tsx';
import { CompletionRow } from './completion-row.tsx';
import { DiskRow } from './disk-row.tsx';
import { EndRow } from './end-row.tsx';
import { BlindRow } from './messages/blind-row.tsx';
import { UserRow } from './messages/user-row.tsx';
import { NoteRow } from './note-row.tsx';
import { SummaryRow } from './summary-row.tsx';
import { ThinkingRow } from './thinking-row.tsx';
import { ToolRow } from './tool-row.tsx';

/** The row of one item, except the assistant's text, which is drawn in parts. */
export function ItemRow({ item, isLast }: { item: ChatItem; isLast: boolean }) {
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
    case 'disk':
      return <DiskRow item={item} />;
    case 'blind':
      return <BlindRow />;
    case 'end':
      return <EndRow item={item} isLast={isLast} />;
  }
}
