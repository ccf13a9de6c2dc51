import type { TodoItem, TurnEnd } from '../../../../../shared/model/chat.ts';
import type { StepState } from '../../../../../shared/model/plan/patch.ts';
import type { LogEventOf } from '../log-events.ts';
import type { ProjectionState, Reducers } from './projection-state.ts';

/** Ends after which the request of a turn counts as carried out. */
const WHOLE: ReadonlySet<TurnEnd> = new Set(['done', 'review', 'answer']);

export const TODO_REDUCERS: Reducers<'todo'> = {
  todo(state, { turn, items }) {
    // While a plan is carried out, its steps are the list, and the app knows how far they are.
    if (!state.fold.running()) state.todo = { turn, items: items.map((item) => ({ ...item })) };
  },
};

/** Returns what is to do: the ticked steps of the plan that is carried out, else the assistant's own list. */
export function toTodo({ fold, todo }: ProjectionState): readonly TodoItem[] {
  const plan = fold.running();
  if (!plan) return todo?.items ?? [];
  return plan.steps
    .filter(({ ticked }) => ticked)
    .map(({ summary, state }) => ({ text: summary, state: toTodoState(state) }));
}

function toTodoState(state: StepState): TodoItem['state'] {
  if (state === 'waiting') return state;
  return state === 'running' ? 'active' : 'done';
}

/** A finished list ends with the next request; an unfinished one when that request was carried out without it. */
export function beginRequest(state: ProjectionState, { turn, kind }: LogEventOf<'user'>): void {
  if (kind !== 'message' && kind !== 'run') return;
  if (state.todo && isDone(state.todo.items)) state.todo = null;
  state.requestedIn = turn;
}

export function endTodo(state: ProjectionState, { turn, reason }: LogEventOf<'turn.end'>): void {
  const { todo, requestedIn } = state;
  if (!todo || !WHOLE.has(reason)) return;
  if (isDone(todo.items) || (requestedIn === turn && todo.turn !== turn)) state.todo = null;
}

const isDone = (items: readonly TodoItem[]): boolean => items.every(({ state }) => state === 'done');
