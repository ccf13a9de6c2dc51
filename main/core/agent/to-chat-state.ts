import type { ChatPhase, ChatState } from '../../../shared/model/chat.ts';
import type { Locale } from '../../../shared/model/text.ts';
import { toLogState } from './log-state.ts';
import { toSessionTitle } from './session-list.ts';
import type { SessionLog } from './session-log.ts';
import { toChatItems } from './to-chat-items.ts';
import type { LiveTurn } from './turn-ports.ts';

/** What pages show of a session. `waits`: a proposal lies on the desk. Pure. */
export function toChatState(
  { id, events }: Pick<SessionLog, 'id' | 'events'>,
  now: { live: LiveTurn | null; waits: boolean; locale: Locale },
): ChatState {
  const state = toLogState(events);
  const resting: ChatPhase = state.question ? 'answer' : state.review && now.waits ? 'review' : 'idle';
  return {
    session: id,
    title: toSessionTitle(state, now.locale),
    phase: now.live?.phase ?? resting,
    items: toChatItems(events, now.live?.step ?? undefined),
    practice: state.practice,
    turnUsage: state.turnUsage,
    sessionUsage: state.sessionUsage,
  };
}
