import { mayRunStep, type PlanStepEdit, type ShownStep } from '../../../shared/model/plan/patch.ts';

export type PlanSteps = readonly PlanStepEdit[];
export type StepChange = Partial<Omit<PlanStepEdit, 'step_id'>>;

/** True if the app would run the step now. */
export function mayRun(step: ShownStep): boolean {
  return mayRunStep(step) && (step.state === 'waiting' || step.state === 'failed');
}

function toEdit({ step_id, step_type, summary, answers, ticked, approved }: ShownStep): PlanStepEdit {
  return { step_id, step_type, summary, answers, ticked, approved };
}

/** Returns the steps with a change of one of them. */
export function changeStep(steps: readonly ShownStep[], id: string, change: StepChange): PlanSteps {
  return steps.map((step) => (step.step_id === id ? { ...toEdit(step), ...change } : toEdit(step)));
}

/** Returns the steps with the one at `from` moved by a number of places. */
export function moveStep(steps: readonly ShownStep[], from: number, by: number): PlanSteps {
  const moved = steps.map(toEdit);
  const [step] = moved.splice(from, 1);
  if (step) moved.splice(Math.min(steps.length - 1, Math.max(0, from + by)), 0, step);
  return moved;
}

/** Returns the steps of a plan in words as changes of scenes, which the assistant drafts. */
export function handOver(steps: readonly ShownStep[]): PlanSteps {
  return steps.map((step) => ({ ...toEdit(step), step_type: 'scene_edit' }));
}
