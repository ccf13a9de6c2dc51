import type { ChatMode } from '../../../../shared/model/chat.ts';
import {
  addTotals,
  addUsage,
  NOTHING_USED,
  UNKNOWN_USAGE,
  type UsageTotal,
} from '../../../../shared/model/cost/usage.ts';
import type { Draft } from '../../services.ts';
import type { LogEvent, LogEventOf } from './log-events.ts';

/** The current state of a session, computed from its log by the running app or after a crash. */
export interface LogState {
  practice: boolean;
  /** The turn without an end event. */
  openTurn: { turn: string; mode: ChatMode; plan: string | undefined } | null;
  /** Undecided drafts, in the order in which their paths were first drafted. */
  drafts: Draft[];
  /** The waiting review card. */
  review: LogEventOf<'proposal.open'> | null;
  /** An acceptance without a logged outcome. */
  deciding: LogEventOf<'decision.begin'> | null;
  /** The unanswered question and the turn that asked it. */
  question: {
    id: string;
    options: readonly string[];
    multiple: boolean;
    mode: ChatMode;
    plan: string | undefined;
  } | null;
  /** The user's first message; null before it. */
  title: string | null;
  /** The title by the second model or the user. */
  name: string | null;
  /** The newest turn, also when it has ended; null before the first. */
  lastTurn: { turn: string; mode: ChatMode; plan: string | undefined } | null;
  turnUsage: UsageTotal;
  sessionUsage: UsageTotal;
  /** Tokens of the next request and the model's window; null before the first step of a model with a known window. */
  context: { used: number; window: number } | null;
}

/** Returns a function that takes the events of a log in order and returns how full the window is after each. */
function createContextUse(): (event: LogEvent) => LogState['context'] {
  let window: number | undefined;
  let used: number | undefined;
  return (event) => {
    if (event.t === 'turn.start') window = event.window;
    // A service that does not count leaves the figure unknown.
    if (event.t === 'assistant') {
      const { input, output } = event.usage;
      used = input === null || input === 0 ? undefined : input + (output ?? 0);
    }
    if (event.t === 'compaction') {
      window = event.refusal?.window ?? window;
      used = event.tokens;
    }
    if (event.t === 'compaction.undone') used = undefined;
    return used === undefined || window === undefined ? null : { used, window };
  };
}

/** Returns a function that takes the events of a log in order and returns true for the end of a turn whose last step was cut off. */
function createCutOff(): (event: LogEvent) => boolean {
  let isOpen = false;
  return ({ t }) => {
    const isEnd = t === 'turn.end' && isOpen;
    if (t === 'assistant.piece') isOpen = true;
    if (t === 'assistant' || t === 'turn.end') isOpen = false;
    return isEnd;
  };
}

/** Computes the state of a log incrementally. */
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
    name: null,
    lastTurn: null,
    turnUsage: NOTHING_USED,
    sessionUsage: NOTHING_USED,
    context: null,
  };
  const contextUse = createContextUse();
  let current: { mode: ChatMode; plan: string | undefined } = { mode: 'act', plan: undefined };
  const isCutOff = createCutOff();
  const spend = ({ usage, cost }: Pick<LogEventOf<'assistant'>, 'usage' | 'cost'>): void => {
    state.turnUsage = addUsage(state.turnUsage, usage, cost);
    state.sessionUsage = addUsage(state.sessionUsage, usage, cost);
  };
  const take = (event: LogEvent): void => {
    state.context = contextUse(event);
    // The service charges for a step that was cut off, but does not say how much.
    if (isCutOff(event) && !state.practice) spend({ usage: UNKNOWN_USAGE });
    switch (event.t) {
      case 'session':
        state.practice = event.practice;
        break;
      case 'turn.start':
        current = { mode: event.mode, plan: event.plan };
        state.openTurn = { turn: event.turn, ...current };
        state.lastTurn = state.openTurn;
        state.turnUsage = NOTHING_USED;
        break;
      case 'user':
        state.question = null;
        if (event.kind === 'message') state.title ??= event.text;
        break;
      case 'assistant':
      case 'compaction':
        spend(event);
        break;
      case 'tool.result':
        if (!event.spent) break;
        state.turnUsage = addTotals(state.turnUsage, event.spent);
        state.sessionUsage = addTotals(state.sessionUsage, event.spent);
        break;
      case 'title':
        state.name = event.text ?? state.name;
        if (event.usage) state.sessionUsage = addUsage(state.sessionUsage, event.usage, event.cost);
        break;
      case 'question':
        state.question = {
          ...{ id: event.id, options: event.options ?? [], multiple: event.multiple ?? false },
          ...current,
        };
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

/** Returns the state of a whole log. Pure. */
export function toLogState(events: readonly LogEvent[]): LogState {
  const log = createLogState();
  for (const event of events) log.take(event);
  return log.state();
}
