import { AppError } from '../../../shared/errors.ts';
import { mayRunStep, type PlanStepEdit } from '../../../shared/model/plan/patch.ts';
import type { Chat } from '../services.ts';
import { assertIdle, assertOwn } from './assert-ready.ts';
import type { ChatPorts } from './chat-ports.ts';
import type { SavedPlans } from './saved-plans/saved-plans.ts';
import type { LogEventOf } from './session/log-events.ts';
import type { OpenSession, OpenSessions } from './session/open-sessions.ts';
import { applyEdits, createPlanFold, type PlanState, type StepOfPlan } from './session/plans/plan-state.ts';
import type { TurnMessage, Turns } from './turns.ts';

/** Creates what the user does with plans. */
export function createPlanActions({
  ports,
  sessions: { active, claim },
  turns,
  saved,
}: {
  ports: ChatPorts;
  sessions: Pick<OpenSessions, 'active' | 'claim'>;
  turns: Turns;
  saved: SavedPlans;
}): Pick<Chat, 'runPlan' | 'editPlan' | 'savedPlans'> {
  const { actions } = ports;
  return {
    runPlan: (plan, context) =>
      actions.start(async (asked) => {
        const checked = await checkPlan(active(), plan, { ports, claim });
        if (checked) await saved.keep(active(), plan);
        return checked ?? turns.start({ ...toRunMessage(active(), plan), context }, asked);
      }),
    editPlan: (plan, steps) =>
      actions.run(async () => {
        await editPlan(active(), { plan, steps }, { ports, claim });
        await saved.keep(active(), plan);
      }),
    savedPlans: { ...saved.list, reopen: (id) => actions.run(() => saved.reopen(id)) },
  };
}

/** Returns the message that carries out a plan. Throws `E_NOT_FOUND` if it no longer waits for it, `E_UNSUPPORTED` if no step may run. */
function toRunMessage(session: OpenSession, id: string): TurnMessage {
  const plan = requireRunnable(session, id);
  // The number of a step is its place in the plan, as in the message of the step.
  const steps = plan.steps.flatMap(({ ticked, summary }, index) => (ticked ? [`${index + 1}. ${summary}`] : []));
  const text = [plan.text, steps.join('\n')].filter((part) => part !== '').join('\n\n');
  return { kind: 'run', mode: 'act', text, plan: id };
}

/** Logs the user's changes to a plan, validated anew. Throws `E_NOT_FOUND` if it no longer waits, `E_BAD_ARGS` for other steps. */
async function editPlan(
  session: OpenSession,
  { plan: id, steps: edits }: { plan: string; steps: readonly PlanStepEdit[] },
  { ports, claim }: { ports: Pick<ChatPorts, 'clock' | 'plans'>; claim(): Promise<void> },
): Promise<void> {
  assertIdle(session);
  assertOwn(session);
  const plan = requireReady(session, id);
  const known = new Set(plan.steps.map(({ step_id }) => step_id));
  if (edits.length !== known.size || !edits.every(({ step_id }) => known.delete(step_id))) {
    throw new AppError('E_BAD_ARGS', 'These are not the steps of the plan.', { reason: 'chat.planGone' });
  }
  await claim();
  await session.log.append(await toEditEvent(plan, edits, ports));
  session.publisher.publish();
}

/**
 * Checks a plan instead of carrying it out, if the user chose that or the game cannot be written. Returns null where it is to be carried
 * out. Nothing but logs is written; where they cannot be written either, the outcome is kept in memory.
 */
async function checkPlan(
  session: OpenSession,
  id: string,
  { ports, claim }: { ports: Pick<ChatPorts, 'clock' | 'plans'>; claim(): Promise<void> },
): Promise<{ turn: null } | null> {
  assertIdle(session);
  const { log, publisher } = session;
  const { dryRun } = ports.plans;
  const [head] = log.events;
  if (!dryRun || (head?.t === 'session' && head.practice)) return null;
  const plan = requireRunnable(session, id);
  const open = plan.steps.filter(isOpen);
  const found = await dryRun.findCause(open);
  if (found === null) return null;
  // A game that cannot be written takes no lock either.
  await claim().catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'E_IO') throw error;
  });
  const edit = await toEditEvent(plan, plan.steps.map(toEdit), ports);
  const group = ports.clock.id();
  const { checked, isKept } = await dryRun.record(applyEdits(plan.steps, edit.steps).filter(isOpen), (step) => ({
    ...{ group, title: step.summary, patch: [{ templateId: step.template_id, stepId: step.step_id }] },
  }));
  const check = { t: 'plan.check', at: ports.clock.now(), plan: id, ...found, checked, isKept } as const;
  await log.append(edit, check).catch(() => log.appendLater(edit, { ...check, isKept: false }));
  publisher.publish();
  return { turn: null };
}

/** Returns the event of the user's changes to a plan, with its steps validated anew. */
async function toEditEvent(
  plan: PlanState,
  edits: readonly PlanStepEdit[],
  { clock, plans }: Pick<ChatPorts, 'clock' | 'plans'>,
): Promise<LogEventOf<'plan.edit'>> {
  const edited = applyEdits(plan.steps, edits);
  // What ran is in the game or its drafts already, so that its operations do not fit any more.
  const validated = await plans.validateSteps(edited.filter(isOpen));
  const found = new Map(validated.map((step) => [step.step_id, step]));
  const steps = edits.map((edit, at) => {
    const known = found.get(edit.step_id) ?? edited[at];
    return known && { ...edit, status: known.status, validation: known.validation };
  });
  return { t: 'plan.edit', at: clock.now(), plan: plan.id, steps: steps.filter((step) => step !== undefined) };
}

function isOpen({ state }: StepOfPlan): boolean {
  return state === 'waiting' || state === 'failed';
}

function toEdit({ step_id, step_type, summary, answers, ticked, approved }: StepOfPlan): PlanStepEdit {
  return { step_id, step_type, summary, answers, ticked, approved };
}

/** Throws `E_NOT_FOUND` if the plan does not wait, `E_UNSUPPORTED` if no step of it may run. */
function requireRunnable(session: OpenSession, id: string): PlanState {
  assertOwn(session);
  const plan = requireReady(session, id);
  if (plan.steps.some((step) => mayRunStep(step) && isOpen(step))) return plan;
  throw new AppError('E_UNSUPPORTED', 'No step of this plan may run as it is.', { reason: 'chat.planNotReady' });
}

function requireReady({ log }: OpenSession, id: string): PlanState {
  const fold = createPlanFold();
  for (const event of log.counted) fold.take(event);
  const plan = fold.find(id);
  if (plan?.state === 'ready') return plan;
  throw new AppError('E_NOT_FOUND', 'This plan no longer waits to be carried out.', { reason: 'chat.planGone' });
}
