import { quoteForPrompt } from '../../prompt/prompt-text.ts';
import type { PlanState, StepOfPlan } from '../../session/plans/plan-state.ts';

/** Returns the message that lets the model carry out one step. `unfit`: why its prepared operations could not be used. */
export function toStepMessage(plan: PlanState, step: StepOfPlan, unfit: readonly string[]): string {
  const { metadata } = step.patch;
  const known = metadata.requirements.flatMap((question, at) => {
    const answer = step.answers[at]?.trim();
    return answer ? [{ question, answer }] : [];
  });
  const open = metadata.requirements.filter((_, at) => !step.answers[at]?.trim());
  const facts = {
    step: plan.steps.indexOf(step) + 1,
    of: plan.steps.length,
    what: step.summary,
    type: step.step_type,
    ...(metadata.resource_id !== undefined && { about: metadata.resource_id }),
    ...(step.line !== null && { line: step.line }),
    ...(known.length > 0 && { answers: known }),
    ...(open.length > 0 && { unanswered: open }),
    ...(unfit.length > 0 && { preparedChangesDidNotFit: unfit }),
  };
  const done = plan.steps.filter(({ state }) => state === 'drafted').map(({ summary }) => summary);
  const before = done.length > 0 ? `\nAlready drafted: ${quoteForPrompt(done)}` : '';
  const written = plan.steps.filter(({ state }) => state === 'written').map(({ summary }) => summary);
  const onDisk =
    written.length > 0 ? `\nWritten to the files; the user may still undo it: ${quoteForPrompt(written)}` : '';
  return `${quoteForPrompt(facts)}${before}${onDisk}`;
}
