import type { ChatMode, Usage } from '../../../shared/model/chat.ts';
import type { Draft } from '../areas.ts';
import type { LogEvent, LogEventOf } from './log-events.ts';

/** What a session log says about now, whoever reads it: the running app or one that starts after a crash. */
export interface LogState {
  practice: boolean;
  /** A turn that has no end yet. */
  openTurn: { turn: string; mode: ChatMode; plan: string | undefined } | null;
  /** Drafts nobody has decided about, by path in the order they were first made. */
  drafts: Draft[];
  /** The review card that waits. */
  review: LogEventOf<'proposal.open'> | null;
  /** Accepting began and nothing says how it went. */
  deciding: LogEventOf<'decision.begin'> | null;
  /** A question she has not answered, with the turn that asked. */
  question: { id: string; mode: ChatMode; plan: string | undefined } | null;
  /** Her first words; null before them. */
  title: string | null;
  lastTurn: string | null;
  turnUsage: Usage;
  sessionUsage: Usage;
}

const NO_USAGE: Usage = { input: 0, cached: 0, output: 0 };

function add(left: Usage, right: Usage): Usage {
  return {
    input: left.input + right.input,
    cached: left.cached + right.cached,
    output: left.output + right.output,
  };
}

/** A log's state, kept up with it event by event. */
export function createLogState(): { take(event: LogEvent): void; state(): LogState } {
  const drafts = new Map<string, Draft>();
  const state: LogState = {
    practice: false,
    openTurn: null,
    drafts: [],
    review: null,
    deciding: null,
    question: null,
    title: null,
    lastTurn: null,
    turnUsage: NO_USAGE,
    sessionUsage: NO_USAGE,
  };
  let current: { mode: ChatMode; plan: string | undefined } = { mode: 'act', plan: undefined };
  const take = (event: LogEvent): void => {
    switch (event.t) {
      case 'session':
        state.practice = event.practice;
        break;
      case 'turn.start':
        current = { mode: event.mode, plan: event.plan };
        state.openTurn = { turn: event.turn, ...current };
        state.lastTurn = event.turn;
        state.turnUsage = NO_USAGE;
        break;
      case 'user':
        state.question = null;
        if (event.kind === 'message') state.title ??= event.text;
        break;
      case 'assistant':
        state.turnUsage = add(state.turnUsage, event.usage);
        state.sessionUsage = add(state.sessionUsage, event.usage);
        break;
      case 'question':
        state.question = { id: event.id, ...current };
        break;
      case 'draft':
        drafts.set(event.path, { path: event.path, base: event.base, before: event.before, text: event.text });
        break;
      case 'proposal.open':
        state.review = event;
        break;
      case 'proposal.empty':
        drafts.clear();
        state.review = null;
        break;
      case 'decision.begin':
        state.deciding = event;
        break;
      case 'decision':
        state.deciding = null;
        if (event.outcome === 'kept') break;
        state.review = null;
        if (event.outcome === 'rejected') drafts.clear();
        if (event.outcome === 'accepted') for (const path of event.paths ?? drafts.keys()) drafts.delete(path);
        break;
      case 'turn.end':
        state.openTurn = null;
        break;
      default:
    }
  };
  return { take, state: () => ({ ...state, drafts: [...drafts.values()] }) };
}

/** Pure. */
export function toLogState(events: readonly LogEvent[]): LogState {
  const log = createLogState();
  for (const event of events) log.take(event);
  return log.state();
}
