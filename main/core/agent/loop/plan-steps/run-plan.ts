import {
  MAX_ISSUES,
  mayRunStep,
  type PatchOperation,
  type StepOutcome,
  type StepState,
} from '../../../../../shared/model/plan/patch.ts';
import { toKnownPath } from '../../../patch/compose-patch.ts';
import type { LogEvent } from '../../session/log-events.ts';
import { createPlanFold, type PlanState, type StepOfPlan, toProposalStep } from '../../session/plans/plan-state.ts';
import type { Ending, RoundsOutcome } from '../run-rounds.ts';
import type { TurnCancellation, TurnPorts } from '../turn-ports.ts';
import { runOperations } from './run-operations.ts';
import { toStepMessage } from './step-message.ts';
import { writeAlone } from './write-alone.ts';

/** Ends of the model's work by which a step failed; after the others the user lets it go on. */
const FAILURES: ReadonlySet<Ending['reason']> = new Set(['steps', 'repeat', 'junk']);

/** States of steps that are not run again. */
const ENDED: ReadonlySet<StepState> = new Set(['drafted', 'written', 'nothing', 'skipped']);

export interface PlanWork {
  cancellation: TurnCancellation;
  /** Lets the model work on what was logged last; what it drafts belongs to the step. */
  runStep(): Promise<RoundsOutcome>;
}

/** Returns the plan of the open turn, if steps of it are open. A plan of an older log went to the model as a whole. */
export function findOpenPlan(events: readonly LogEvent[]): PlanState | undefined {
  const fold = createPlanFold();
  for (const event of events) fold.take(event);
  const plan = fold.running();
  return plan?.isWhole || plan?.steps.every(({ state }) => ENDED.has(state)) ? undefined : plan;
}

/** Runs the steps of a plan that are open, one by one. Returns how the turn ends when it ends before the last one, else null. */
export async function runPlan(ports: TurnPorts, plan: PlanState, work: PlanWork): Promise<Ending | null> {
  for (const step of plan.steps) {
    if (ENDED.has(step.state)) continue;
    const early = work.cancellation.reason();
    if (early) return { reason: early };
    const ending = await runOne(ports, plan, step, work);
    if (ending) return ending;
  }
  return null;
}

type WrittenFacts = { transaction?: string; paths?: string[] };

async function runOne(ports: TurnPorts, plan: PlanState, given: StepOfPlan, work: PlanWork): Promise<Ending | null> {
  const { turn, log, clock, proposals } = ports;
  const ids = { plan: plan.id, step: given.step_id };
  const end = async (outcome: StepOutcome, why: readonly string[] = [], more: WrittenFacts = {}): Promise<null> => {
    proposals.setStep(null);
    Object.assign(given, { state: outcome });
    const reasons = why.length > 0 ? { why: why.slice(0, MAX_ISSUES) } : {};
    await log.append({ t: 'step.end', turn, at: clock.now(), ...ids, outcome, ...reasons, ...more });
    ports.changed({ phase: 'tool', step: null });
    return null;
  };
  if (!given.ticked) return end('skipped');
  const operations = toOpenOperations(given);
  const open: StepOfPlan = { ...given, patch: { ...given.patch, operations } };
  // The game may have changed since the plan was shown.
  const [now] = await ports.plans.validateSteps([open]);
  const step: StepOfPlan = { ...open, ...now, state: 'running' };
  const { errors, unsafe_placeholders: names } = step.validation;
  if (!mayRunStep(step)) return end('skipped', [...errors, ...names.map((name) => `placeholder:${name}`)]);

  await log.append({ t: 'step.begin', turn, at: clock.now(), ...ids });
  ports.changed({ phase: 'tool', step: null });
  work.cancellation.renew();
  proposals.setStep(toProposalStep(given));
  const isPrepared = given.patch.operations.length > 0 && !given.isHanded;
  const ran = isPrepared ? await runOperations(ports, step, work.cancellation) : null;
  // A stop after the last of them finds a step that is done.
  const stopped = work.cancellation.reason();
  if (stopped && ran?.kind !== 'drafted') return { reason: stopped };
  if (ran?.kind !== 'drafted') {
    const text = toStepMessage(plan, given, ran?.issues ?? []);
    await log.append({ t: 'user', turn, at: clock.now(), id: clock.id(), kind: 'step', mode: 'act', text });
    const round = await work.runStep();
    if (round.kind === 'ended') {
      if (FAILURES.has(round.ending.reason)) await end('failed');
      return round.ending;
    }
    if (round.words) await log.append(round.words);
  }
  if (ran?.kind === 'drafted' && !stopped) {
    const written = await writeAlone(ports, plan.id, { ...given, validation: step.validation });
    if (written.kind === 'written') {
      const { transaction, paths } = written;
      return end('written', [], { transaction, paths });
    }
    if (written.issues.length > 0) return end('drafted', written.issues);
  }
  const hasDrafted = proposals.current()?.files.some(({ steps }) => steps?.includes(given.step_id));
  return end(hasDrafted || given.made.length > 0 ? 'drafted' : 'nothing');
}

/** Returns the prepared operations that are still to be drafted: a step that was broken off has drafted some of its files. */
function toOpenOperations({ patch, made, isHanded }: StepOfPlan): PatchOperation[] {
  if (isHanded) return [];
  return patch.operations.filter(({ path }) => !made.includes(toKnownPath(path) ?? path));
}
