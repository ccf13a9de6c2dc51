import { shorten } from '../../../../../shared/text/shorten.ts';
import type { StepWritten } from '../../../services.ts';
import { type StepOfPlan, toPatchSteps } from '../../session/plans/plan-state.ts';
import type { TurnPorts } from '../turn-ports.ts';

/** Characters of a title in the log of changes. */
const MAX_TITLE = 200;

/**
 * Writes what a step has drafted of its prepared operations, without review, if the user chose that and the step is `safe_auto`.
 * Otherwise returns why its drafts stay.
 */
export async function writeAlone(ports: TurnPorts, plan: string, step: StepOfPlan): Promise<StepWritten> {
  const { turn, mode, log, clock, proposals, plans } = ports;
  const { autoRun } = plans;
  const [head] = log.events;
  // A step that was broken off is in part drafted; its operations no longer stand for all of it.
  const mayBe = mode === 'act' && step.validation.execution_tier === 'safe_auto' && step.made.length === 0;
  // The guided tour shows the review.
  const isPractice = head?.t === 'session' && head.practice;
  if (!autoRun || !mayBe || isPractice || !(await autoRun.isOn())) return { kind: 'drafted', issues: [] };
  const patch = toPatchSteps(log.counted, [step.step_id]);
  const label = { group: clock.id(), title: shorten(step.summary, MAX_TITLE), patch };
  return proposals.writeStep(step.step_id, {
    label,
    validate: (drafts) => autoRun.validate(step, drafts, label),
    begin: (paths, transaction) =>
      log.append({
        ...{ t: 'step.write', turn, at: clock.now(), plan, step: step.step_id, transaction, paths: [...paths] },
      }),
  });
}
