import type { ChatItem, TodoItem } from '../../../../shared/model/chat.ts';
import { createCountedEvents, isRewind } from './events/counted-events.ts';
import type { LogEvent, LogEventOf } from './log-events.ts';
import { CALL_REDUCERS, endCalls } from './projection/call-rows.ts';
import { CAP_REDUCERS, endCap } from './projection/cap-rows.ts';
import { DISK_REDUCERS } from './projection/disk-rows.ts';
import { type LiveStep, toSpokenItems } from './projection/live-step.ts';
import { PLAN_REDUCERS, showPlans } from './projection/plan-rows.ts';
import {
  createProjectionState,
  type DisplayOf,
  type ProjectionState,
  type Reducers,
} from './projection/projection-state.ts';
import { REVIEW_REDUCERS } from './projection/review-rows.ts';
import { SPOKEN_REDUCERS, settlePartial } from './projection/spoken-rows.ts';
import { SUMMARY_REDUCERS } from './projection/summary-rows.ts';
import { TODO_REDUCERS, toTodo } from './projection/todo-rows.ts';
import { TURN_REDUCERS } from './projection/turn-rows.ts';

type Kind = LogEvent['t'];

const hasNoRow = (): void => {};

/** Closes what the part that is set aside would have ended. */
const endSpoken = (state: ProjectionState): void => {
  endCalls(state);
  endCap(state);
};

/** One reducer per kind of event, so that a new kind does not compile until it has one. */
const REDUCERS: Reducers<Kind> = {
  ...TURN_REDUCERS,
  ...SPOKEN_REDUCERS,
  ...CALL_REDUCERS,
  ...CAP_REDUCERS,
  ...PLAN_REDUCERS,
  ...REVIEW_REDUCERS,
  ...SUMMARY_REDUCERS,
  ...DISK_REDUCERS,
  ...TODO_REDUCERS,
  session: hasNoRow,
  'queue.put': hasNoRow,
  'queue.drop': hasNoRow,
  rewind: endSpoken,
  'rewind.undone': endSpoken,
  draft: hasNoRow,
  'draft.part': hasNoRow,
  'request.cut': hasNoRow,
  'pictures.refused'({ rows }, { id, turn, at }) {
    rows.add({ kind: 'blind', id, turn, at });
  },
  title: hasNoRow,
  'decision.begin': hasNoRow,
};

/** Generic over the kind, so that the reducer and the event are known to belong together. */
function reduce<T extends Kind>(state: ProjectionState, kind: T, event: LogEventOf<T>): void {
  REDUCERS[kind](state, event);
}

/** Computes the rows of a session incrementally; the cost of an event does not grow with the rows. */
export interface ChatProjection {
  /** Takes the next event of the log. */
  take(event: LogEvent): void;
  /** Every row except those of the running step. Rows change in place; copy what is kept. */
  items(): readonly ChatItem[];
  /** The rows of the streaming or last interrupted step. */
  openItems(live?: LiveStep): ChatItem[];
  /** The rows that are new or changed since the last call, with their indices. */
  takeChanged(): { item: ChatItem; place: number }[];
  /** What is to do in the current work. */
  todo(): TodoItem[];
  /** The index of a row; undefined for a streaming row. */
  placeOf(id: string): number | undefined;
}

/** Starts without rows. The same log gives the same rows after a reload or crash, including text of a stopped step. */
export function createChatProjection(displayOf: DisplayOf): ChatProjection {
  let state = createProjectionState(displayOf);
  const { rows } = state;
  const counted = createCountedEvents();
  const add = (event: LogEvent): void => {
    settlePartial(state, event);
    reduce(state, event.t, event);
    showPlans(state, event);
  };
  return {
    take(event) {
      counted.take(event);
      if (!isRewind(event)) {
        add(event);
        return;
      }
      rows.replay(event.t === 'rewind' ? event.id : `${event.id}:undone`, () => {
        settlePartial(state, event);
        state = { ...createProjectionState(displayOf), rows };
        for (const each of counted.all()) add(each);
      });
    },
    items: () => rows.items,
    openItems: (live) => [
      ...(state.partial && state.partial.step !== live?.step ? toSpokenItems(state.partial, false) : []),
      ...(live ? toSpokenItems(live, true) : []),
    ],
    takeChanged: rows.takeChanged,
    todo: () => toTodo(state).map((item) => ({ ...item })),
    placeOf: rows.placeOf,
  };
}

/** Returns what is to do after the events of a log; empty without a list. Pure. */
export function toTodoList(events: readonly LogEvent[]): TodoItem[] {
  const projection = createChatProjection(() => 'other');
  for (const event of events) projection.take(event);
  return projection.todo();
}
