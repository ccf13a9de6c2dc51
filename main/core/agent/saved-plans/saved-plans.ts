import { createSerialQueue } from '../../../../shared/async.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { ExhibitDraft } from '../../../../shared/model/plan/saved-plan.ts';
import type { StoredPlan } from '../../ports/stores/saved-plan-files.ts';
import type { Chat } from '../../services.ts';
import { assertIdle, assertNoUserProposal } from '../assert-ready.ts';
import type { ChatPorts } from '../chat-ports.ts';
import type { LogEvent, LogEventOf } from '../session/log-events.ts';
import type { OpenSession, OpenSessions } from '../session/open-sessions.ts';
import { createPlanFold } from '../session/plans/plan-state.ts';
import { isHeldBack, isStored, readExhibitDraft, toExhibitDraft, toSavedPlan } from './to-saved-plan.ts';

export interface SavedPlans {
  /** Stores a plan that cannot run as it is, follows one that is stored, and puts it aside once it was carried out. Never rejects. */
  keep(session: OpenSession, plan: string): Promise<void>;
  /** The same for a plan that is about to be logged. */
  keepNew(session: OpenSession, plan: LogEventOf<'plan'>): Promise<void>;
  /** The same for the plans that a turn proposed or carried out. */
  keepOfTurn(session: OpenSession, turn: string): Promise<void>;
  list: Omit<Chat['savedPlans'], 'reopen'>;
  /** Shows a saved plan in the open conversation, validated anew and without the user's word for any step. */
  reopen(id: string): Promise<void>;
}

/** Creates the saved plans of a game. */
export function createSavedPlans({
  ports,
  sessions,
}: {
  ports: Pick<ChatPorts, 'plans' | 'clock' | 'emit' | 'proposals'>;
  sessions: Pick<OpenSessions, 'active' | 'claim' | 'create'>;
}): SavedPlans {
  const { plans, clock, emit, proposals } = ports;
  const { files } = plans;
  const queue = createSerialQueue();

  async function store({ log }: OpenSession, id: string, added?: LogEvent): Promise<void> {
    if (!files || log.isForeign || isTour(log)) return;
    const fold = createPlanFold();
    for (const event of log.counted) fold.take(event);
    if (added) fold.take(added);
    const plan = fold.find(id);
    if (!plan || plan.isWhole) return;
    const isHeld = plan.steps.some(isHeldBack);
    const stored = await files.read(plan.saved);
    if (!isHeld && stored === null) return;
    const draft = toExhibitDraft(plan, { session: log.id, at: clock.now() });
    const isOver = draft === null || (plan.state === 'done' && !isHeld);
    if (!isOver && stored !== null && isStored(draft, stored)) return;
    if (isOver) await files.discard(plan.saved);
    else await files.write(plan.saved, draft);
    emit('plans.changed', {});
  }

  const keep = (session: OpenSession, plan: string, added?: LogEvent): Promise<void> =>
    queue
      .run(() => store(session, plan, added))
      // The plan is in the conversation all the same.
      .catch(() => emit('app.noticed', { level: 'warning', reason: 'plans.notSaved', details: {} }));

  return {
    keep: (session, plan) => keep(session, plan),
    keepNew: (session, plan) => keep(session, plan.id, plan),
    async keepOfTurn(session, turn) {
      for (const plan of toPlansOfTurn(session.log.counted, turn)) await keep(session, plan);
    },
    list: createPlanList({ plans, emit }, queue),
    async reopen(id) {
      assertIdle(sessions.active());
      const draft = requireOwn(await queue.run(async () => (await files?.read(id)) ?? null));
      const { log } = sessions.active();
      // Nothing is added to a conversation of another installation, and the guided tour has an assistant of its own.
      if (log.isForeign || isTour(log)) {
        assertNoUserProposal(proposals);
        await sessions.create(false);
      }
      const session = sessions.active();
      const plan = clock.id();
      const steps = draft.patch_templates.map((step, at) => {
        return { ...step, step_id: `${plan}-${at + 1}`, approved: false };
      });
      const templates = await plans.validateSteps(steps);
      await sessions.claim();
      await session.log.append({
        ...{ t: 'plan', turn: plan, at: clock.now(), id: plan, text: draft.text, saved: id },
        ...{ steps: templates.map(({ summary }) => summary), templates },
      });
      session.publisher.publish();
      await keep(session, plan);
    },
  };
}

function createPlanList(
  { plans: { files }, emit }: Pick<ChatPorts, 'plans' | 'emit'>,
  queue: ReturnType<typeof createSerialQueue>,
): SavedPlans['list'] {
  async function change(work: () => Promise<void> | undefined): Promise<void> {
    await queue.run(async () => work());
    emit('plans.changed', {});
  }
  return {
    list: () =>
      queue.run(async () => {
        const { plans: stored, leftOut } = (await files?.list()) ?? { plans: [], leftOut: 0 };
        const listed = stored.flatMap((one) => {
          const draft = readExhibitDraft(one);
          return draft ? [toSavedPlan(one, draft)] : [];
        });
        return { plans: listed, leftOut: leftOut + stored.length - listed.length };
      }),
    discard: (id) => change(() => files?.discard(id)),
    restore: (id) => change(() => files?.restore(id)),
  };
}

function isTour({ events }: OpenSession['log']): boolean {
  const [head] = events;
  return head?.t === 'session' && head.practice;
}

/** Returns the ids of the plans that a turn proposed or carried out. */
function toPlansOfTurn(events: readonly LogEvent[], turn: string): Set<string> {
  const ids = new Set<string>();
  for (let at = events.length - 1; at >= 0; at -= 1) {
    const event = events[at];
    if (event?.t === 'plan' && event.turn === turn) ids.add(event.id);
    if (event?.t !== 'turn.start' || event.turn !== turn) continue;
    if (event.plan !== undefined) ids.add(event.plan);
    break;
  }
  return ids;
}

/** Throws `E_NOT_FOUND` where there is no plan, and `E_UNSUPPORTED` for one that is foreign or damaged. */
function requireOwn(stored: StoredPlan | null): ExhibitDraft {
  if (!stored) throw new AppError('E_NOT_FOUND', 'This plan is not there any more.', { reason: 'plans.gone' });
  if (stored.isForeign) {
    throw new AppError('E_UNSUPPORTED', 'This plan came with the game.', { reason: 'plans.foreign' });
  }
  const draft = readExhibitDraft(stored);
  if (draft) return draft;
  throw new AppError('E_UNSUPPORTED', 'This plan is damaged.', { reason: 'plans.damaged' });
}
