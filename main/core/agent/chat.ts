import type { Emit, Parsed } from '../../../shared/contract.ts';
import { AppError, toErrorData } from '../../../shared/errors.ts';
import type { ChatMode, ChatState, ConsentAnswer } from '../../../shared/model/chat.ts';
import type { AcceptResult } from '../../../shared/model/proposal.ts';
import type { Locale } from '../../../shared/model/text.ts';
import type { Clock, Model, Models, SessionLogs } from '../ports.ts';
import type { Chat, ProposalService, ToolRunner } from '../services.ts';
import { resumeSession } from './loop/resume-session.ts';
import { runTurn, toReviewEvent } from './loop/run-turn.ts';
import { TURN_LIMITS, type TurnLimits } from './loop/turn-guards.ts';
import type { LiveTurn } from './loop/turn-ports.ts';
import { toInstructions } from './prompt/instructions.ts';
import { type ChatPublisher, createChatPublisher } from './session/chat-publisher.ts';
import type { LogEvent, LogEventOf } from './session/log-events.ts';
import { toLogState } from './session/log-state.ts';
import { createSessionList, toSessionTitle } from './session/session-list.ts';
import { createSessionLog, readSessionLog, type SessionLog, toForeignError } from './session/session-log.ts';
import { createSessionView, type Now, type SessionView } from './session/session-view.ts';

export interface ChatPorts {
  sessions: SessionLogs;
  proposals: ProposalService;
  tools: ToolRunner;
  models: Models;
  clock: Clock;
  emit: Emit;
  locale(): Locale;
  /** The scripted assistant of the guided tour. */
  practice(locale: Locale): Model;
  /** The accepted story bible; null when there is none. */
  readBible(): Promise<string | null>;
  /** Stores in the settings that a tool may run without asking. */
  allowAlways(tool: string): Promise<void>;
  project: { title: string };
  limits?: Partial<TurnLimits>;
}

/** Events with the user's own words; history entries are labelled with them. */
const USER_MESSAGE_KINDS: ReadonlySet<LogEventOf<'user'>['kind']> = new Set(['message', 'feedback']);

interface Session {
  log: SessionLog;
  view: SessionView;
  publisher: ChatPublisher;
  live: LiveTurn | null;
  running: { stop: AbortController; done: Promise<void> } | null;
}

type Message = Pick<LogEventOf<'user'>, 'kind' | 'mode' | 'text'> & {
  context?: NonNullable<LogEventOf<'user'>['context']> | undefined;
  question?: string;
  plan?: string | undefined;
};

/**
 * Creates the conversation of one game: opens its newest session, settles what a crash left open and shows a waiting
 * proposal. Leaving a session removes its proposal from the overlay; returning restores it.
 */
export async function createChat(ports: ChatPorts): Promise<Chat> {
  const { sessions, proposals, tools, models, clock, emit } = ports;
  const limits = { ...TURN_LIMITS, ...ports.limits };
  const list = createSessionList(sessions, () => ports.locale());
  let active: Session;
  let queue: Promise<unknown> = Promise.resolve();
  /** Consent cards that wait for an answer, by id. */
  const waiting = new Map<string, (answer: ConsentAnswer) => void>();
  /** Requested turns that have not started. */
  const starts = new Set<AbortController>();

  /** Runs one user action at a time, so that a double click decides once. */
  function exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  }

  /** Runs an action that starts a turn. *Stop* cancels it also while it is queued. */
  function starting<T>(work: (stop: AbortController) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    starts.add(stop);
    return exclusive(() => work(stop)).finally(() => starts.delete(stop));
  }

  function toNow({ live }: Pick<Session, 'live'>): Now {
    const waiting = proposals.current();
    return { live, waits: waiting !== null && waiting.author !== 'user', locale: ports.locale() };
  }

  const toState = (session: Session): ChatState => session.view.state(toNow(session));

  function toSession(log: SessionLog): Session {
    const view = createSessionView(log);
    const session: Omit<Session, 'publisher'> = { log, view, live: null, running: null };
    const now = () => toNow(session);
    return Object.assign(session, { publisher: createChatPublisher({ session: log.id, view, now, emit }) });
  }

  function createEmpty(practice: boolean): Session {
    const id = clock.id();
    return toSession(createSessionLog(id, sessions.open(id), { at: clock.now(), practice }));
  }

  /** Leases a log, because two programs must not append to one. Throws `E_CONFLICT`, reason `chat.elsewhere`. */
  async function claim(id: string): Promise<void> {
    try {
      await sessions.claim(id);
    } catch (error) {
      if (!(error instanceof AppError && error.reason === 'project.heldElsewhere')) throw error;
      throw new AppError('E_CONFLICT', 'This conversation is open in another window or program.', {
        hint: 'Go on there, or start a new conversation here.',
        reason: 'chat.elsewhere',
        cause: error,
      });
    }
  }

  const isElsewhere = (error: unknown) => error instanceof AppError && error.reason === 'chat.elsewhere';

  /** Like `claim`, but a log in a read-only folder is opened without a lease. */
  async function claimToRead(id: string): Promise<void> {
    await claim(id).catch((error: unknown) => {
      if (isElsewhere(error)) throw error;
    });
  }

  async function load(id: string): Promise<Session> {
    await claimToRead(id);
    const { log, damaged } = await readSessionLog(id, sessions.open(id));
    if (log.isForeign) {
      await sessions.release(id).catch(() => undefined);
      return toSession(log);
    }
    if (damaged > 0) emit('app.noticed', { level: 'warning', reason: 'chat.damaged', details: { count: damaged } });
    try {
      await resumeSession(log, { proposals, clock });
    } catch (error) {
      // The conversation stays readable when the folder is read-only or its drafts cannot be restored.
      if (proposals.current()) proposals.discard();
      emit('app.noticed', { level: 'warning', reason: 'chat.notResumed', details: { code: toErrorData(error).code } });
    }
    return toSession(log);
  }

  /** Opens the newest session; starts an empty one when none can be read, so that the game opens anyway. */
  async function loadNewest(): Promise<Session> {
    try {
      // Logs that came with the game are opened only on request.
      const newest = await list.newest();
      const session = newest === null ? null : await load(newest);
      return session && !session.log.isForeign ? session : createEmpty(false);
    } catch (error) {
      if (isElsewhere(error)) {
        emit('app.noticed', { level: 'info', reason: 'chat.elsewhere', details: {} });
        return createEmpty(false);
      }
      emit('app.noticed', { level: 'warning', reason: 'chat.unreadable', details: { code: toErrorData(error).code } });
      return createEmpty(false);
    }
  }

  async function halt(): Promise<void> {
    active.running?.stop.abort();
    await active.running?.done;
  }

  /** Stops every turn requested so far, and none requested later. */
  async function stop(): Promise<void> {
    for (const asked of starts) asked.abort();
    active.running?.stop.abort();
    await queue;
    if (active.running?.stop.signal.aborted) await active.running.done;
  }

  async function leave(): Promise<void> {
    await halt();
    active.publisher.dispose();
    // The drafts stay in the log of the previous session.
    if (proposals.current()) proposals.discard();
    await release();
  }

  /** Releases the lease. Failures are ignored; stale leases expire. */
  async function release(): Promise<void> {
    await sessions.release(active.log.id).catch(() => undefined);
  }

  function enter(session: Session): void {
    active = session;
    emit('chat.changed', { chat: toState(session) });
  }

  function assertIdle(): void {
    if (active.running) {
      throw new AppError('E_CONFLICT', 'The assistant is still working.', {
        hint: 'Wait for it, or stop it first.',
        reason: 'chat.busy',
      });
    }
  }

  function assertOwn(): void {
    if (active.log.isForeign) throw toForeignError();
  }

  function assertWaiting(proposal: string): void {
    const current = proposals.current();
    if (current?.id === proposal && current.state === 'review') return;
    throw new AppError('E_NOT_FOUND', 'This proposal no longer waits for a decision.', { reason: 'proposal.gone' });
  }

  /** Throws while a proposal of the user waits: it belongs to no session, so no session may replace it. */
  function assertNoUserProposal(): void {
    if (proposals.current()?.author !== 'user') return;
    throw new AppError('E_CONFLICT', 'A change of the user waits for a decision.', { reason: 'proposal.byUser' });
  }

  async function start(message: Message, stop: AbortController): Promise<{ turn: string }> {
    assertIdle();
    assertOwn();
    assertNoUserProposal();
    const session = active;
    const { log } = session;
    const state = toLogState(log.events);
    // In parallel, because each waits for the disk. A lost lease is reported first.
    const [claimed, found, bible] = await Promise.allSettled([
      claim(log.id),
      state.practice ? ports.practice(ports.locale()) : models.current(),
      ports.readBible(),
    ]);
    toValue(claimed);
    const model = toValue(found);
    const instructions = toInstructions(ports.project.title, toValue(bible));
    const turn = clock.id();
    const at = clock.now();
    const { kind, mode, text, context, question, plan } = message;
    const events: LogEvent[] = [];
    if (state.review) events.push({ t: 'decision', at, proposal: state.review.proposal, outcome: 'replaced' });
    events.push({ t: 'turn.start', turn, at, mode, ...(plan !== undefined && { plan }) });
    events.push({
      t: 'user',
      turn,
      at,
      id: clock.id(),
      kind,
      mode,
      text,
      ...(context && { context }),
      ...(question !== undefined && { question }),
    });
    await log.append(...events);
    launch(session, { turn, mode, model, stop, instructions });
    return { turn };
  }

  function launch(
    session: Session,
    asked: { turn: string; mode: ChatMode; model: Model; stop: AbortController; instructions: string },
  ): void {
    const { turn, mode, model, stop, instructions } = asked;
    session.live = { phase: 'model', step: null };
    const show = (live: LiveTurn) => {
      session.live = live;
      session.publisher.publish();
    };
    const turnPorts = {
      ...{ turn, mode, model, log: session.log, tools, proposals, clock, limits },
      instructions,
      consents: { wait: waitForConsent, allowAlways: ports.allowAlways },
      changed: show,
      streamed: (live: LiveTurn, row: string, text: string) => {
        session.live = live;
        session.publisher.stream(row, text);
      },
    };
    const done = runTurn(turnPorts, stop.signal)
      .catch(() => {
        // Only failures of the log reach this point (disk full or gone). The proposal is unchanged.
        emit('app.noticed', { level: 'error', reason: 'chat.notKept', details: {} });
      })
      .finally(() => {
        session.live = null;
        session.running = null;
        session.publisher.publish();
      });
    session.running = { stop, done };
    session.publisher.publish();
  }

  function waitForConsent(id: string, signal: AbortSignal): Promise<ConsentAnswer> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(id);
        reject(new AppError('E_TIMEOUT', 'The step was stopped before anybody answered.'));
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      waiting.set(id, (answer) => {
        waiting.delete(id);
        signal.removeEventListener('abort', leave);
        resolve(answer);
      });
    });
  }

  /** Logs the outcome of an acceptance. The files are written already, so a failing log must not report a failure. */
  async function keepDecision(log: SessionLog, events: readonly LogEvent[]): Promise<void> {
    try {
      // One retry for a busy disk; a second failure is reported.
      await log.append(...events).catch(() => log.append(...events));
    } catch {
      log.appendLater(...events);
      emit('app.noticed', { level: 'error', reason: 'chat.notKept', details: {} });
    }
  }

  async function accept(request: Parsed<'proposal.accept'>): Promise<AcceptResult> {
    assertIdle();
    assertWaiting(request.id);
    const proposal = proposals.current();
    if (proposal?.author === 'user')
      return proposals.accept(request, { group: `edit_${clock.id()}`, title: proposal.summary });
    const { log, publisher } = active;
    await claim(log.id);
    const asked = log.events.findLast((event) => event.t === 'user' && USER_MESSAGE_KINDS.has(event.kind));
    const { practice } = toLogState(log.events);
    const title = toSessionTitle({ title: asked?.t === 'user' ? asked.text : null, practice }, ports.locale());
    const group = clock.id();
    const paths = request.paths ?? proposals.current()?.files.map(({ path }) => path) ?? [];
    const head = { t: 'decision', proposal: request.id } as const;
    await log.append({ t: 'decision.begin', at: clock.now(), proposal: request.id, group, paths });
    let result: AcceptResult;
    try {
      const turn = proposals.current()?.turn ?? '';
      result = await proposals.accept(request, { group, title }, (draft) =>
        log.append({ t: 'draft', turn, at: clock.now(), ...draft }),
      );
    } catch (error) {
      await keepDecision(log, [{ ...head, at: clock.now(), outcome: 'kept' }]);
      throw error;
    }
    if (result.status === 'conflict') {
      await keepDecision(log, [{ ...head, at: clock.now(), outcome: 'kept' }]);
    } else {
      const at = clock.now();
      const events: LogEvent[] = [{ ...head, at, outcome: 'accepted', group: result.group, paths }];
      // Files that were not accepted wait on a new card.
      const rest = proposals.current();
      if (rest) events.push(toReviewEvent(rest, { turn: rest.turn, at }));
      await keepDecision(log, events);
    }
    publisher.publish();
    return result;
  }

  async function reject({ id, feedback }: Parsed<'proposal.reject'>, stop: AbortController): Promise<void> {
    assertIdle();
    assertWaiting(id);
    const { log, publisher } = active;
    const word = feedback.trim();
    if (proposals.current()?.author !== 'user') {
      await claim(log.id);
      await log.append({
        t: 'decision',
        at: clock.now(),
        proposal: id,
        outcome: 'rejected',
        ...(word !== '' && { feedback: word }),
      });
    }
    proposals.discard();
    publisher.publish();
    if (word !== '') await start({ kind: 'feedback', mode: 'act', text: word }, stop);
  }

  active = await loadNewest();

  return {
    state() {
      // Pages receive the whole state now; pending pieces would be duplicates.
      active.publisher.publish();
      return toState(active);
    },
    earlier(session, before) {
      if (session === active.log.id) return active.view.page(before);
      throw new AppError('E_NOT_FOUND', 'This conversation is not open any more.', { reason: 'chat.gone' });
    },
    sessions: () => exclusive(list.list),
    open: (id) =>
      exclusive(async () => {
        if (id === active.log.id) return;
        assertNoUserProposal();
        if (!(await sessions.list()).some(({ session }) => session === id)) {
          throw new AppError('E_NOT_FOUND', 'There is no such conversation.', { reason: 'chat.gone' });
        }
        // Before the open session is left: a failure must not leave the user without one.
        await claimToRead(id);
        await leave();
        enter(await load(id));
      }),
    create: () =>
      exclusive(async () => {
        assertNoUserProposal();
        await leave();
        enter(createEmpty(false));
      }),
    startTour: () =>
      exclusive(async () => {
        assertNoUserProposal();
        await leave();
        enter(createEmpty(true));
      }),
    send: ({ text, mode, context }) => starting((asked) => start({ kind: 'message', mode, text, context }, asked)),
    runPlan: (plan) =>
      starting(async (asked) => {
        assertOwn();
        const item = active.view.find(plan);
        if (item?.kind !== 'plan' || item.state !== 'ready') {
          throw new AppError('E_NOT_FOUND', 'This plan no longer waits to be carried out.', {
            reason: 'chat.planGone',
          });
        }
        const steps = item.steps.map((step, index) => `${index + 1}. ${step.text}`).join('\n');
        const text = [item.text, steps].filter((part) => part !== '').join('\n\n');
        return start({ kind: 'run', mode: 'act', text, plan }, asked);
      }),
    answer: (question, text) =>
      starting(async (asked) => {
        assertOwn();
        const waiting = toLogState(active.log.events).question;
        if (waiting?.id !== question) {
          throw new AppError('E_NOT_FOUND', 'This question was answered already.', { reason: 'chat.questionGone' });
        }
        return start({ kind: 'answer', mode: waiting.mode, text, question, plan: waiting.plan }, asked);
      }),
    async consent(id, answer) {
      const take = waiting.get(id);
      if (!take) {
        throw new AppError('E_NOT_FOUND', 'This step does not wait for an answer any more.', {
          reason: 'chat.consentGone',
        });
      }
      take(answer);
    },
    stop,
    propose: (title, drafts) =>
      exclusive(async () => {
        assertIdle();
        await proposals.propose(title, drafts);
      }),
    accept: (request) => exclusive(() => accept(request)),
    reject: (request) => starting((asked) => reject(request, asked)),
    dispose: () =>
      exclusive(async () => {
        await halt();
        active.publisher.dispose();
        await release();
      }),
  };
}

function toValue<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
