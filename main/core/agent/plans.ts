import { AppError } from '../../../shared/errors.ts';
import { mayRunStep, type PlanStepEdit } from '../../../shared/model/plan/patch.ts';
import { assertIdle, assertOwn } from './assert-ready.ts';
import type { ChatPorts } from './chat-ports.ts';
import type { OpenSession } from './session/open-sessions.ts';
import { applyEdits, createPlanFold, type PlanState } from './session/plans/plan-state.ts';
import type { TurnMessage } from './turns.ts';

/** Returns the message that carries out a plan. Throws `E_NOT_FOUND` if it no longer waits for it, `E_UNSUPPORTED` if no step may run. */
export function toRunMessage(session: OpenSession, id: string): TurnMessage {
  assertOwn(session);
  const plan = requireReady(session, id);
  if (!plan.steps.some((step) => mayRunStep(step) && (step.state === 'waiting' || step.state === 'failed'))) {
    throw new AppError('E_UNSUPPORTED', 'No step of this plan may run as it is.', { reason: 'chat.planNotReady' });
  }
  const steps = plan.steps.filter(({ ticked }) => ticked).map(({ summary }, index) => `${index + 1}. ${summary}`);
  const text = [plan.text, steps.join('\n')].filter((part) => part !== '').join('\n\n');
  return { kind: 'run', mode: 'act', text, plan: id };
}

/** Logs the user's changes to a plan, validated anew. Throws `E_NOT_FOUND` if it no longer waits, `E_BAD_ARGS` for other steps. */
export async function editPlan(
  session: OpenSession,
  { plan: id, steps: edits }: { plan: string; steps: readonly PlanStepEdit[] },
  { ports, claim }: { ports: Pick<ChatPorts, 'clock' | 'validateSteps'>; claim(): Promise<void> },
): Promise<void> {
  assertIdle(session);
  assertOwn(session);
  const plan = requireReady(session, id);
  const known = new Set(plan.steps.map(({ step_id }) => step_id));
  if (edits.length !== known.size || !edits.every(({ step_id }) => known.delete(step_id))) {
    throw new AppError('E_BAD_ARGS', 'These are not the steps of the plan.', { reason: 'chat.planGone' });
  }
  await claim();
  const edited = applyEdits(plan.steps, edits);
  const validated = await ports.validateSteps(edited);
  const steps = edits.map((edit, at) => {
    const { status, validation } = validated[at] ?? { status: 'draft' as const, validation: edited[at]?.validation };
    return validation && { ...edit, status, validation };
  });
  await session.log.append({
    t: 'plan.edit',
    at: ports.clock.now(),
    plan: id,
    steps: steps.filter((step) => step !== undefined),
  });
  session.publisher.publish();
}

function requireReady({ log }: OpenSession, id: string): PlanState {
  const fold = createPlanFold();
  for (const event of log.counted) fold.take(event);
  const plan = fold.find(id);
  if (plan?.state === 'ready') return plan;
  throw new AppError('E_NOT_FOUND', 'This plan no longer waits to be carried out.', { reason: 'chat.planGone' });
}
