import type { TurnEnd } from '../../../../../shared/model/chat.ts';
import type { LogEventOf } from '../log-events.ts';
import { toStepNumber } from '../to-plan.ts';
import type { ChatRows, RowOf } from './chat-rows.ts';
import { toStepRow } from './live-step.ts';
import type { ProjectionState, Reducers } from './projection-state.ts';

export const PLAN_REDUCERS: Reducers<'plan' | 'note'> = {
  plan(state, event) {
    const { rows, plans } = state;
    dropOpenPlans(state);
    const isMoved = moveTextAround(rows, event);
    const plan: RowOf<'plan'> = {
      kind: 'plan',
      id: event.id,
      turn: event.turn,
      at: event.at,
      text: isMoved ? '' : event.text,
      steps: event.steps.map((text) => ({ text, state: 'waiting' })),
      state: 'ready',
    };
    plans.push(plan);
    rows.add(plan);
  },

  note(state, { id, turn, at, level, title, text }) {
    state.rows.add({ kind: 'note', id, turn, at, level, ...(title !== undefined && { title }), text });
    if (level === 'progress' && state.mode === 'act') advancePlan(state, toStepNumber(title, text));
  },
};

/** Marks the plan that a turn carries out as running. */
export function startPlan(state: ProjectionState, id: string): void {
  state.running = state.plans.find((plan) => plan.id === id);
  if (state.running) {
    state.running.state = 'running';
    // The plan is the list now.
    state.todo = null;
  }
  state.rows.touch(state.running);
}

/** Completes the running plan, or makes it ready to continue. An open question keeps it running. */
export function endPlan(state: ProjectionState, reason: TurnEnd): void {
  const { rows, running } = state;
  if (!running || reason === 'answer') return;
  const isWhole = reason === 'done' || reason === 'review';
  running.state = isWhole ? 'done' : 'ready';
  rows.touch(running);
  for (const step of running.steps) {
    if (isWhole) step.state = 'done';
    else if (step.state === 'active') step.state = 'waiting';
  }
  state.running = undefined;
}

/** Marks `step` (1-based) of the running plan as active. The first progress note starts a plan that is ready. */
function advancePlan(state: ProjectionState, step: number | null): void {
  const last = state.plans.at(-1);
  state.running ??= last?.state === 'ready' ? last : undefined;
  const { rows, running } = state;
  if (step === null || !running || step > running.steps.length) return;
  running.state = 'running';
  rows.touch(running);
  for (const [index, each] of running.steps.entries()) {
    each.state = index + 1 < step ? 'done' : index + 1 === step ? 'active' : each.state === 'done' ? 'done' : 'waiting';
  }
}

function dropOpenPlans(state: ProjectionState): void {
  for (const plan of state.plans) {
    if (plan.state === 'done' || plan.state === 'dropped') continue;
    plan.state = 'dropped';
    state.rows.touch(plan);
  }
  state.running = undefined;
}

/**
 * For a plan read from plain text, the steps move into the card and the text around them stays in its row. Returns false if
 * there is no such row or no such text.
 */
function moveTextAround(rows: ChatRows, { step, text }: LogEventOf<'plan'>): boolean {
  const place = step === undefined ? undefined : rows.placeOf(toStepRow(step, 'text'));
  const spoken = place === undefined ? undefined : rows.items[place];
  if (spoken?.kind !== 'assistant' || text === '') return false;
  spoken.text = text;
  rows.touch(spoken);
  return true;
}
