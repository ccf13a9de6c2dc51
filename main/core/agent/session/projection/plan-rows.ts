import { assessPlan } from '../../../patch/assess-plan.ts';
import type { LogEvent, LogEventOf } from '../log-events.ts';
import { type PlanState, toShownStep } from '../plans/plan-state.ts';
import type { ChatRows, RowOf } from './chat-rows.ts';
import { toStepRow } from './live-step.ts';
import type { ProjectionState, Reducers } from './projection-state.ts';

const hasNoOtherRow = (): void => {};

/** What these events change in plans is shown by `showPlans`. */
export const PLAN_REDUCERS: Reducers<
  'plan' | 'plan.edit' | 'plan.check' | 'step.begin' | 'step.write' | 'step.end' | 'note'
> = {
  plan(state, event) {
    const { rows, plans } = state;
    const isMoved = moveTextAround(rows, event);
    const { id, turn, at, text } = event;
    const row: RowOf<'plan'> = {
      ...{ kind: 'plan', id, turn, at, text: isMoved ? '' : text, steps: [], state: 'ready' },
      ...{ assessment: assessPlan([]), check: null, saved: event.saved ?? id },
    };
    plans.set(id, row);
    rows.add(row);
  },
  'plan.edit': hasNoOtherRow,
  'plan.check': hasNoOtherRow,
  'step.begin': hasNoOtherRow,
  'step.write': hasNoOtherRow,
  'step.end': hasNoOtherRow,

  note(state, { id, turn, at, level, title, text }) {
    state.rows.add({ kind: 'note', id, turn, at, level, ...(title !== undefined && { title }), text });
  },
};

/** Shows what an event changed in plans. Called after its reducer. */
export function showPlans(state: ProjectionState, event: LogEvent): void {
  for (const plan of state.fold.take(event)) showPlan(state, plan);
  // The plan is the list now.
  if (event.t === 'turn.start' && state.fold.running()) state.todo = null;
}

function showPlan({ rows, plans }: ProjectionState, { id, steps, state, check }: PlanState): void {
  const row = plans.get(id);
  if (!row) return;
  Object.assign(row, { steps: steps.map(toShownStep), state, check, assessment: assessPlan(steps) });
  rows.touch(row);
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
