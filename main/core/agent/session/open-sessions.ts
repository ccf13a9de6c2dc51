import { AppError } from '../../../../shared/errors.ts';
import type { ChatState, SessionSummary } from '../../../../shared/model/chat.ts';
import type { ChatPorts } from '../chat-ports.ts';
import type { LiveTurn } from '../loop/turn-ports.ts';
import { type ChatPublisher, createChatPublisher } from './chat-publisher.ts';
import { createSessionLoader } from './load-session.ts';
import { createSessionList } from './session-list.ts';
import type { SessionLog } from './session-log.ts';
import { createSessionView, type Now, type SessionView } from './session-view.ts';

/** The open conversation. */
export interface OpenSession {
  log: SessionLog;
  view: SessionView;
  publisher: ChatPublisher;
  /** The state of the running turn that is not logged; null between turns. */
  live: LiveTurn | null;
  /** The running turn: what stops it, and when it has ended. */
  running: { stop: AbortController; done: Promise<void> } | null;
  /** The request for a title, which delays nothing. */
  naming: { stop: AbortController; done: Promise<void> } | null;
}

/** The sessions of one game, of which one is open. Its actions run one at a time. */
export interface OpenSessions {
  active(): OpenSession;
  /** The state of the open session for pages. */
  state(): ChatState;
  list(): Promise<SessionSummary[]>;
  /** Leases the log of the open session for an append. Throws `E_CONFLICT`, reason `chat.elsewhere`. */
  claim(): Promise<void>;
  /** Opens another session. Throws `E_NOT_FOUND` if there is none with this id. */
  open(id: string): Promise<void>;
  /** Starts a new session. `practice`: the scripted assistant answers. */
  create(practice: boolean): Promise<void>;
  /** Stops a running turn and releases the open session. */
  close(): Promise<void>;
}

/**
 * Opens the newest session. Leaving a session stops its turn and removes its proposal from the overlay; returning restores the
 * proposal from the log.
 */
export async function createOpenSessions(ports: ChatPorts): Promise<OpenSessions> {
  const { sessions, proposals, emit } = ports;
  const list = createSessionList(sessions, () => ports.locale());
  const loader = createSessionLoader(ports);
  let active = toSession(await loader.loadNewest(list.newest));

  function toNow({ live }: Pick<OpenSession, 'live'>): Now {
    const waiting = proposals.current();
    return { live, waits: waiting !== null && waiting.author !== 'user', locale: ports.locale() };
  }

  const state = (): ChatState => active.view.state(toNow(active));

  function toSession(log: SessionLog): OpenSession {
    const view = createSessionView(log, ports.tools.displayOf);
    const session: Omit<OpenSession, 'publisher'> = { log, view, live: null, running: null, naming: null };
    const now = () => toNow(session);
    return Object.assign(session, { publisher: createChatPublisher({ session: log.id, view, now, emit }) });
  }

  async function halt(): Promise<void> {
    active.running?.stop.abort();
    await active.running?.done;
    active.naming?.stop.abort();
    await active.naming?.done;
    active.publisher.dispose();
  }

  async function leave(): Promise<void> {
    await halt();
    // The drafts stay in the log of the previous session.
    if (proposals.current()) await proposals.discard();
    await loader.release(active.log.id);
  }

  function enter(log: SessionLog): void {
    active = toSession(log);
    emit('chat.changed', { chat: state() });
  }

  return {
    active: () => active,
    state,
    list: list.list,
    claim: () => loader.claim(active.log.id),
    async open(id) {
      if (!(await sessions.list()).some(({ session }) => session === id)) {
        throw new AppError('E_NOT_FOUND', 'There is no such conversation.', { reason: 'chat.gone' });
      }
      // Before the open session is left: a failure must not leave the user without one.
      await loader.claimToRead(id);
      await leave();
      enter(await loader.load(id));
    },
    async create(practice) {
      await leave();
      enter(loader.createEmpty(practice));
    },
    async close() {
      await halt();
      await loader.release(active.log.id);
    },
  };
}
