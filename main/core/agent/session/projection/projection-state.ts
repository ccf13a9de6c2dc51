import type { TodoItem } from '../../../../../shared/model/chat.ts';
import type { ToolRunner } from '../../../services.ts';
import type { LogEvent, LogEventOf } from '../log-events.ts';
import { createPlanFold, type PlanFold } from '../plans/plan-state.ts';
import { type ChatRows, createChatRows, type RowOf } from './chat-rows.ts';
import type { LiveStep } from './live-step.ts';

/** Returns how calls of a tool are shown. From the declaration, not the log, so that old logs follow a changed tool. */
export type DisplayOf = ToolRunner['displayOf'];

/** What later events of a log refer to. Reducers change it in place. */
export interface ProjectionState {
  rows: ChatRows;
  displayOf: DisplayOf;
  /** Text of the running or interrupted step. */
  partial: LiveStep | undefined;
  /** Calls of the running turn, by step and call id. */
  calls: Map<string, RowOf<'tool'>>;
  /** Consent rows of the running turn, by their own id. */
  consents: Map<string, RowOf<'consent'>>;
  /** The same rows by step and call id. */
  consentOf: Map<string, RowOf<'consent'>>;
  /** The question about a cap that waits for an answer. */
  cap: RowOf<'cap'> | undefined;
  /** The plans of the log, and their rows by id. */
  fold: PlanFold;
  plans: Map<string, RowOf<'plan'>>;
  /** The assistant's own list, and the turn that changed it last. */
  todo: { turn: string; items: TodoItem[] } | null;
  /** The turn of the newest request. */
  requestedIn: string | undefined;
  /** The unanswered question. */
  question: RowOf<'question'> | undefined;
  /** The last review card. */
  review: RowOf<'review'> | undefined;
  /** The cards of accepted proposals. */
  accepted: RowOf<'review'>[];
  /** Number of review cards, for their ids. */
  reviews: number;
}

/** Functions that apply an event to the rows, by kind of event. */
export type Reducers<T extends LogEvent['t']> = {
  readonly [K in T]: (state: ProjectionState, event: LogEventOf<K>) => void;
};

export function createProjectionState(displayOf: DisplayOf): ProjectionState {
  return {
    rows: createChatRows(),
    displayOf,
    partial: undefined,
    calls: new Map(),
    consents: new Map(),
    consentOf: new Map(),
    cap: undefined,
    fold: createPlanFold(),
    plans: new Map(),
    todo: null,
    requestedIn: undefined,
    question: undefined,
    review: undefined,
    accepted: [],
    reviews: 0,
  };
}
