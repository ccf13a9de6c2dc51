import type { Mention } from '../../../shared/model/message/mention.ts';
import type { Briefing } from '../project/briefing/briefing.ts';
import type { WaitingSkill } from '../skills/skills.ts';
import { createPaidRequests } from '../spending/paid-requests.ts';
import { createTurnAccount } from '../spending/turn-account.ts';
import { assertIdle, assertNoUserProposal, assertOwn } from './assert-ready.ts';
import type { ChatPorts } from './chat-ports.ts';
import { createTurnContext } from './context/turn-context.ts';
import type { DiskFacts } from './disk/disk-facts.ts';
import { askSkills } from './loop/ask-skills.ts';
import type { PendingConsents } from './loop/pending-consents.ts';
import { runTurn } from './loop/run-turn.ts';
import { TURN_LIMITS } from './loop/turn-guards.ts';
import type { LiveTurn, TurnCancellation, TurnPorts } from './loop/turn-ports.ts';
import { type Attached, toAttached } from './mentions/to-attached.ts';
import { toInstructions } from './prompt/instructions.ts';
import type { MessageQueue } from './queue/message-queue.ts';
import { keepPlansFirst } from './saved-plans/keep-plans-first.ts';
import type { SavedPlans } from './saved-plans/saved-plans.ts';
import type { LogEvent, LogEventOf } from './session/log-events.ts';
import { type LogState, toLogState } from './session/log-state.ts';
import { occupySession } from './session/occupy-session.ts';
import type { OpenSession, OpenSessions } from './session/open-sessions.ts';
import { nameLater } from './title/name-session.ts';

/** What starts a turn: a message, feedback on a proposal, an answer or a plan. */
export type TurnMessage = Pick<LogEventOf<'user'>, 'kind' | 'mode' | 'text'> & {
  context?: NonNullable<LogEventOf<'user'>['context']> | undefined;
  question?: string;
  picked?: NonNullable<LogEventOf<'user'>['picked']>;
  plan?: string | undefined;
  /** The id of a queued message; default: a new one. */
  id?: string;
  /** What the message refers to; read when the turn starts. */
  mentions?: readonly Mention[] | undefined;
  /** Ids of stored pictures. */
  pictures?: readonly string[] | undefined;
};

export interface Turns {
  /**
   * Logs the message and starts a turn of the open session; resolves with its id while it runs. Throws while another turn runs, in
   * a foreign session, while a proposal of the user waits, and when the log or the model is not available.
   */
  start(message: TurnMessage, stop: AbortController): Promise<{ turn: string }>;
}

export interface TurnsOptions {
  ports: ChatPorts;
  sessions: Pick<OpenSessions, 'active' | 'claim'>;
  consents: PendingConsents;
  queue: Pick<MessageQueue, 'deliver'>;
  saved: Pick<SavedPlans, 'keepNew' | 'keepOfTurn'>;
  disk: DiskFacts;
  /** Called after a turn; may start the next one. */
  ended(session: OpenSession): void;
}

/** What a turn is started with. */
type LaunchedTurn = Pick<TurnPorts, 'turn' | 'mode' | 'model'> & {
  stop: AbortController;
  told: { briefing: Briefing; waiting: readonly WaitingSkill[] };
  isPractice: boolean;
};

/** Creates the start of turns. */
export function createTurns({ ports, sessions, consents, queue, disk, saved, ended }: TurnsOptions): Turns {
  const { tools, models, clock, proposals, emit } = ports;
  const limits = { ...TURN_LIMITS, ...ports.limits };

  const renewTools = createToolRenewal({ tools, emit });

  async function start(message: TurnMessage, stop: AbortController): Promise<{ turn: string }> {
    const session = sessions.active();
    assertIdle(session);
    assertOwn(session);
    assertNoUserProposal(proposals);
    const { log } = session;
    const state = toLogState(log.counted);
    // In parallel, because each waits for the disk. A lost lease is reported first.
    const [claimed, found, read, looked] = await Promise.allSettled([
      sessions.claim(),
      state.practice ? ports.practice(ports.locale()) : models.current(),
      ports.readBriefing(),
      state.practice ? null : ports.skills.look(),
    ]);
    toValue(claimed);
    const model = toValue(found);
    const told = { briefing: toValue(read), waiting: toValue(looked)?.waiting ?? [] };
    renewTools(session, state.lastTurn !== null && state.lastTurn !== undefined);
    await disk.log(log);
    // Not ended by a stop: the turn then starts, and is stopped with its message in the log.
    const attached = await toAttached(message, {
      ports,
      model,
      events: log.counted,
      signal: new AbortController().signal,
    });
    const turn = clock.id();
    const start = { turn, at: clock.now(), id: message.id ?? clock.id(), window: model.limits?.window };
    await log.append(...toStartEvents(message, state, { ...start, attached }));
    launch(session, { turn, mode: message.mode, model, stop, told, isPractice: state.practice });
    return { turn };
  }

  function launch(session: OpenSession, { stop, told, isPractice, ...turn }: LaunchedTurn): void {
    const log = keepPlansFirst(session.log, (plan) => saved.keepNew(session, plan));
    const { spending, readCaps, pictures, skills, plans } = ports;
    const account = createTurnAccount();
    const turnPorts = {
      ...{ ...turn, log, tools, proposals, clock, limits, pictures, spending, readCaps, account, plans },
      // What it waits for is known by the conversation's own log.
      noticeDisk: () => disk.log(session.log, turn.turn),
      consents: { wait: consents.wait, allowAlways: ports.allowAlways },
      notePicturesRefused: ports.notePicturesRefused,
      steer: () =>
        queue.deliver(log, turn.turn, (item) =>
          toAttached(item, { ports, model: turn.model, events: log.counted, signal: stop.signal }),
        ),
      changed(live: LiveTurn) {
        session.live = live;
        session.publisher.publish();
      },
      streamed(live: LiveTurn, row: string, text: string) {
        session.live = live;
        session.publisher.stream(row, text);
      },
    };
    const prepare = async (cancellation: TurnCancellation) => {
      const isMore = await askSkills(turnPorts, { waiting: told.waiting, decide: skills.decide }, cancellation);
      const instructions = toInstructions(isMore ? await ports.readBriefing() : told.briefing);
      const toSummarizer = isPractice ? async () => turn.model : models.fast;
      return { instructions, context: createTurnContext({ ...turnPorts, instructions, toSummarizer }) };
    };
    const work = async (): Promise<void> => {
      await runTurn(turnPorts, stop.signal, prepare).then(() => saved.keepOfTurn(session, turn.turn));
      const requests = createPaidRequests({ account, spending, readCaps, onCap: () => false });
      nameLater(session, { models, clock, requests, author: turn.model });
    };
    occupySession(session, { phase: 'model', stop, work, ended, emit });
  }

  return { start };
}

/** Most programs that a sentence names. */
const MAX_NAMED = 4;

/**
 * Returns a function that offers a conversation the present tools at its first turn since it was opened; later the list stays,
 * because providers cache it. The user is told when a conversation with earlier turns goes on with other tools, and when some are
 * left out because there are too many.
 */
function createToolRenewal({ tools, emit }: Pick<ChatPorts, 'tools' | 'emit'>) {
  const begun = new WeakSet<OpenSession>();
  return (session: OpenSession, isOld: boolean): void => {
    if (begun.has(session)) return;
    begun.add(session);
    const { added, removed, leftOut } = tools.renew?.() ?? { added: [], removed: [], leftOut: [] };
    if (leftOut.length > 0) {
      const count = leftOut.reduce((sum, each) => sum + each.count, 0);
      const named = leftOut.slice(0, MAX_NAMED).map(({ provider, count: own }) => `${provider} (${own})`);
      const names = leftOut.length > MAX_NAMED ? [...named, '…'] : named;
      emit('app.noticed', { level: 'info', reason: 'tool.leftOut', details: { count, names: names.join(', ') } });
    }
    if (!isOld || added.length + removed.length === 0) return;
    const details = { added: added.length, removed: removed.length };
    emit('app.noticed', { level: 'info', reason: 'tool.listChanged', details });
  };
}

/** Returns the events that start a turn. A proposal that waits is replaced by what the turn drafts. */
function toStartEvents(
  { kind, mode, text, context, question, picked, plan }: TurnMessage,
  { review }: LogState,
  {
    turn,
    at,
    id,
    window,
    attached,
  }: { turn: string; at: number; id: string; window: number | undefined; attached: Attached },
): LogEvent[] {
  return [
    ...(review ? [{ t: 'decision', at, proposal: review.proposal, outcome: 'replaced' } as const] : []),
    { t: 'turn.start', turn, at, mode, ...(plan !== undefined && { plan }), ...(window !== undefined && { window }) },
    {
      ...{ t: 'user', turn, at, id, kind, mode, text },
      ...(context && { context }),
      ...(question !== undefined && { question }),
      ...(picked && { picked }),
      ...attached,
    },
  ];
}

function toValue<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
