import type { ChatItem, ChatPhase, ChatState } from '../../../shared/model/chat.ts';
import type { Locale } from '../../../shared/model/text.ts';
import { toLogState } from './log-state.ts';
import { toSessionTitle } from './session-list.ts';
import type { SessionLog } from './session-log.ts';
import { toChatItems } from './to-chat-items.ts';
import type { LiveTurn } from './turn-ports.ts';

/** What pages show of a session. `waits`: a proposal lies on the desk. Pure. */
export function toChatState(
  { id, events, isForeign }: Pick<SessionLog, 'id' | 'events' | 'isForeign'>,
  now: { live: LiveTurn | null; waits: boolean; locale: Locale },
): ChatState {
  const state = toLogState(events);
  const resting: ChatPhase = state.question ? 'answer' : state.review && now.waits ? 'review' : 'idle';
  if (isForeign) {
    return {
      session: id,
      title: toSessionTitle(state, now.locale),
      phase: 'idle',
      items: toChatItems(events).map(toPast),
      practice: false,
      isForeign,
      turnUsage: state.turnUsage,
      sessionUsage: state.sessionUsage,
    };
  }
  return {
    session: id,
    title: toSessionTitle(state, now.locale),
    phase: now.live?.phase ?? resting,
    items: toChatItems(events, now.live?.step ?? undefined),
    practice: state.practice,
    isForeign,
    turnUsage: state.turnUsage,
    sessionUsage: state.sessionUsage,
  };
}

/** A row that offers nothing: what waits for a decision in a foreign log is over. */
function toPast(item: ChatItem): ChatItem {
  switch (item.kind) {
    case 'plan':
      return { ...item, state: 'dropped' };
    case 'review': {
      const { group: _group, ...shown } = item;
      return { ...shown, state: item.state === 'pending' ? 'replaced' : item.state };
    }
    case 'consent':
      return { ...item, state: item.state === 'pending' ? 'ended' : item.state };
    case 'question':
      return { ...item, options: [], answer: item.answer ?? '' };
    case 'tool':
      return { ...item, state: item.state === 'running' ? 'failed' : item.state };
    default:
      return item;
  }
}
