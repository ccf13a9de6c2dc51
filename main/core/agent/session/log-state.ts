import type { ChatMode, TurnEnd } from '../../../../shared/model/chat.ts';
import { NOTHING_USED } from '../../../../shared/model/cost/usage.ts';
import { withStep } from '../../proposal/operations/draft-changes.ts';
import type { Draft } from '../../services.ts';
import { isRewind, type RewindEvent } from './events/counted-events.ts';
import { isRequest } from './events/event-kinds.ts';
import type { LogEvent, LogEventOf } from './log-events.ts';
import { createUsageTotals, type UsageTotals } from './usage-totals.ts';

/** The current state of a session, computed from its log by the running app or after a crash. */
export interface LogState extends UsageTotals {
  practice: boolean;
  /** The turn without an end event. */
  openTurn: { turn: string; mode: ChatMode; plan: string | undefined } | null;
  /** Undecided drafts, in the order in which their paths were first drafted. */
  drafts: Draft[];
  /** The waiting review card. */
  review: LogEventOf<'proposal.open'> | null;
  /** An acceptance without a logged outcome. */
  deciding: LogEventOf<'decision.begin'> | null;
  /** The parts of drafts that it writes, by path. */
  parts: ReadonlyMap<string, LogEventOf<'draft.part'>>;
  /** A step of a plan that is written without review, without a logged outcome. */
  writing: LogEventOf<'step.write'> | null;
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
  /** How the newest turn that has ended did; null before the first. */
  lastEnd: TurnEnd | null;
  /** The newest rewind while at most one request followed it. */
  undoable: { id: string; requests: number } | null;
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
    if (event.t === 'compaction.undone' || isRewind(event)) used = undefined;
    return used === undefined || window === undefined ? null : { used, window };
  };
}

function toEmptyState(): LogState {
  return {
    practice: false,
    openTurn: null,
    drafts: [],
    review: null,
    deciding: null,
    parts: new Map(),
    writing: null,
    question: null,
    title: null,
    name: null,
    lastTurn: null,
    lastEnd: null,
    undoable: null,
    turnUsage: NOTHING_USED,
    sessionUsage: NOTHING_USED,
    context: null,
  };
}

/** Computes the state of a log incrementally; takes the events that count. */
export function createLogState(): { take(event: LogEvent): void; state(): LogState } {
  const drafts = new Map<string, Draft>();
  const state = toEmptyState();
  const contextUse = createContextUse();
  let current: { mode: ChatMode; plan: string | undefined } = { mode: 'act', plan: undefined };
  const usageTotals = createUsageTotals();
  const rewind = (event: RewindEvent): void => {
    state.openTurn = null;
    state.undoable = event.t === 'rewind' ? { id: event.id, requests: 0 } : null;
    for (const path of event.accepted) drafts.delete(path);
    if (drafts.size === 0) state.review = null;
  };
  const take = (event: LogEvent): void => {
    state.context = contextUse(event);
    Object.assign(state, usageTotals(event));
    switch (event.t) {
      case 'session':
        state.practice = event.practice;
        break;
      case 'turn.start':
        current = { mode: event.mode, plan: event.plan };
        state.openTurn = { turn: event.turn, ...current };
        state.lastTurn = state.openTurn;
        break;
      case 'user':
        state.question = null;
        state.undoable = toStillUndoable(state.undoable, event);
        if (event.kind === 'message') state.title ??= event.text;
        break;
      case 'title':
        state.name = event.text ?? state.name;
        break;
      case 'question':
        state.question = {
          ...{ id: event.id, options: event.options ?? [], multiple: event.multiple ?? false },
          ...current,
        };
        break;
      case 'draft':
        drafts.set(event.path, toDraft(event, drafts.get(event.path)));
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
        state.parts = new Map();
        break;
      case 'draft.part':
        state.parts = new Map([...state.parts, [event.path, event]]);
        break;
      case 'decision':
        state.deciding = null;
        state.parts = new Map();
        if (event.outcome === 'kept') break;
        state.review = null;
        if (event.outcome === 'rejected') drafts.clear();
        if (event.outcome === 'accepted') for (const path of toSettledPaths(event, drafts)) drafts.delete(path);
        break;
      case 'step.write':
      case 'step.end':
        state.writing = event.t === 'step.write' ? event : null;
        if (event.t === 'step.end') for (const path of event.paths ?? []) drafts.delete(path);
        break;
      case 'turn.end':
        Object.assign(state, { openTurn: null, writing: null, lastEnd: event.reason });
        break;
      case 'rewind':
      case 'rewind.undone':
        rewind(event);
        break;
      default:
    }
  };
  return { take, state: () => ({ ...state, drafts: [...drafts.values()] }) };
}

/** Returns the drafts that an acceptance settled: those that it wrote whole. */
export function toSettledPaths(
  { paths, waiting = [] }: LogEventOf<'decision'>,
  drafts: ReadonlyMap<string, unknown>,
): string[] {
  return [...(paths ?? drafts.keys())].filter((path) => !waiting.includes(path));
}

/** A draft keeps the steps of the drafts of its file that it replaced. */
function toDraft({ path, base, before, text, step, marks }: LogEventOf<'draft'>, known: Draft | undefined): Draft {
  const draft: Draft = {
    path,
    base,
    before,
    text,
    ...(known?.steps && { steps: known.steps }),
    ...(marks && { marks }),
  };
  return withStep(draft, step);
}

function toStillUndoable(undoable: LogState['undoable'], event: LogEvent): LogState['undoable'] {
  // The steps of a plan are one request: the plan.
  if (!undoable || !isRequest(event) || event.kind === 'step') return undoable;
  return undoable.requests === 0 ? { ...undoable, requests: 1 } : null;
}

/** Returns the state of the events of a log that count. Pure. */
export function toLogState(events: readonly LogEvent[]): LogState {
  const log = createLogState();
  for (const event of events) log.take(event);
  return log.state();
}
