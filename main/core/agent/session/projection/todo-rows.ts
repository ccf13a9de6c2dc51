import type { TodoItem, TurnEnd } from '../../../../../shared/model/chat.ts';
import { foldText } from '../../../text/folded-text.ts';
import type { LogEventOf } from '../log-events.ts';
import type { RowOf } from './chat-rows.ts';
import type { ProjectionState, Reducers } from './projection-state.ts';

/** Ends after which the request of a turn counts as carried out. */
const WHOLE: ReadonlySet<TurnEnd> = new Set(['done', 'review', 'answer']);

export const TODO_REDUCERS: Reducers<'todo'> = {
  todo(state, { turn, items }) {
    const plan = findPlan(state, items);
    if (plan) {
      followList(plan, items);
      plan.state = 'running';
      state.running = plan;
      state.rows.touch(plan);
    } else {
      state.todo = { turn, items: items.map((item) => ({ ...item })) };
    }
  },
};

/** Returns what is to do: the steps of the plan that is carried out, else the assistant's own list. */
export function toTodo({ running, todo }: ProjectionState): readonly TodoItem[] {
  return running?.steps ?? todo?.items ?? [];
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

/** Returns the plan that the list is about: the running one, or one that is ready and whose steps the list names. */
function findPlan({ running, plans, mode }: ProjectionState, items: readonly TodoItem[]): RowOf<'plan'> | undefined {
  if (running) return running;
  const last = plans.at(-1);
  if (mode !== 'act' || last?.state !== 'ready') return undefined;
  return last.steps.some((step) => items.some(({ text }) => isSame(step.text, text))) ? last : undefined;
}

/** Gives the steps of a plan the states of a list. Items that are no step become further steps. */
function followList({ steps }: RowOf<'plan'>, items: readonly TodoItem[]): void {
  const isAligned = items.length === steps.length;
  for (const [index, item] of items.entries()) {
    const step = steps.find(({ text }) => isSame(text, item.text)) ?? (isAligned ? steps[index] : undefined);
    if (step) step.state = item.state;
    else steps.push({ ...item });
  }
}

function isSame(step: string, item: string): boolean {
  const [one, other] = [toName(step), toName(item)];
  return one !== '' && other !== '' && (one === other || one.includes(other) || other.includes(one));
}

/** The first line without its number. */
function toName(text: string): string {
  const [first = ''] = text.split('\n');
  return foldText(first.replace(/^\s*\d{1,2}\s*[.、)）:：]\s*/, ''))
    .text.trim()
    .toLowerCase();
}
