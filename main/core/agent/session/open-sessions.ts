import { AppError } from '../../../../shared/errors.ts';
import type { ChatState } from '../../../../shared/model/chat.ts';
import type { ChatPorts } from '../chat-ports.ts';
import type { LiveTurn } from '../loop/turn-ports.ts';
import { type ChatPublisher, createChatPublisher } from './chat-publisher.ts';
import { createSessionLoader, type LoadedSession } from './load-session.ts';
import type { SessionList } from './session-list.ts';
import type { SessionLog } from './session-log.ts';
import { createSessionView, type Now, type SessionView } from './session-view.ts';

/** The open conversation. */
export interface OpenSession {
  log: SessionLog;
  /** True for an empty one that was opened because the newest is open in another window or program. */
  isNewestElsewhere: boolean;
  view: SessionView;
  publisher: ChatPublisher;
  /** The state of the running turn that is not logged; null between turns. */
  live: LiveTurn | null;
  /** The running turn: what stops it, and when it has ended. */
  running: { stop: AbortController; done: Promise<void> } | null;
  /** The request for a title, which delays nothing. */
  naming: { stop: AbortController; done: Promise<void> } | null;
}

const AT_REST = { live: null, running: null, naming: null } as const;

/** The sessions of one game, of which one is open. Its actions run one at a time. */
export interface OpenSessions {
  active(): OpenSession;
  /** The state of the open session for pages. */
  state(): ChatState;
  /** Leases the log of a session, by default the open one, for an append. Throws `E_CONFLICT`, reason `chat.elsewhere`. */
  claim(id?: string): Promise<void>;
  /** Opens another session. Throws `E_NOT_FOUND` if there is none with this id. */
  open(id: string): Promise<void>;
  /** Starts a new session. `practice`: the scripted assistant answers. */
  create(practice: boolean): Promise<void>;
  /**
   * Moves a session to the trash. The open one is left first, and the newest other one opened. Throws `E_NOT_FOUND`, and
   * `E_CONFLICT` (`chat.elsewhere`) before anything is stopped.
   */
  remove(id: string): Promise<void>;
  /** Stops a running turn and releases the open session. */
  close(): Promise<void>;
}

/**
 * Opens the newest session. Leaving a session stops its turn and removes its proposal from the overlay; returning restores the
 * proposal from the log.
 */
export async function createOpenSessions(ports: ChatPorts, list: SessionList): Promise<OpenSessions> {
  const { sessions, proposals, emit } = ports;
  const loader = createSessionLoader(ports);
  let active = toSession(await loader.loadNewest(list.newest));

  function toNow({ live }: Pick<OpenSession, 'live'>): Now {
    const waiting = proposals.current();
    return { live, waits: waiting !== null && waiting.author !== 'user', locale: ports.locale() };
  }

  const state = (): ChatState => ({
    ...active.view.state(toNow(active)),
    ...(active.isNewestElsewhere && { isNewestElsewhere: true }),
  });

  function toSession({ log, isNewestElsewhere = false }: LoadedSession): OpenSession {
    const view = createSessionView(log, ports.tools.displayOf);
    const session: Omit<OpenSession, 'publisher'> = { log, isNewestElsewhere, view, ...AT_REST };
    const now = () => toNow(session);
    return Object.assign(session, { publisher: createChatPublisher({ session: log.id, view, now, emit }) });
  }

  async function leave(): Promise<void> {
    await halt(active);
    // The drafts stay in the log of the previous session.
    if (proposals.current()) await proposals.discard();
    await list.index.note(active.log);
    await loader.release(active.log.id);
  }

  /** Its lock is held until the log was moved, so that no other program appends to it in between. */
  async function removeOpen(): Promise<void> {
    const { id } = active.log;
    await halt(active);
    if (proposals.current()) await proposals.discard();
    try {
      await sessions.discard(id);
    } catch (error) {
      // It is still there, and stays open.
      enter({ log: await loader.load(id) });
      throw error;
    }
    enter(await loader.loadNewest(list.newest));
  }

  function enter(loaded: LoadedSession): void {
    // Within a conversation the list of tools stays, because providers cache it with the prompt.
    ports.tools.renew?.();
    active = toSession(loaded);
    emit('chat.changed', { chat: state() });
  }

  return {
    active: () => active,
    state,
    claim: (id = active.log.id) => loader.claim(id),
    async open(id) {
      await requireStored(sessions, id);
      // Before the open session is left: a failure must not leave the user without one.
      await loader.claimToRead(id);
      await leave();
      enter({ log: await loader.load(id) });
    },
    async create(practice) {
      await leave();
      enter({ log: loader.createEmpty(practice) });
    },
    async remove(id) {
      await requireStored(sessions, id);
      await loader.claim(id);
      if (id === active.log.id) await removeOpen();
      else await sessions.discard(id).finally(() => loader.release(id));
    },
    async close() {
      await halt(active);
      await list.index.note(active.log);
      await loader.release(active.log.id);
    },
  };
}

/** Stops what runs in a session. A turn that ends may begin to name it. */
async function halt(session: OpenSession): Promise<void> {
  session.running?.stop.abort();
  await session.running?.done;
  session.naming?.stop.abort();
  await session.naming?.done;
  session.publisher.dispose();
}

/** Throws `E_NOT_FOUND`, reason `chat.gone`, if there is no log of a session. */
export async function requireStored(sessions: ChatPorts['sessions'], id: string): Promise<void> {
  if ((await sessions.find(id).catch(() => null)) !== null) return;
  throw new AppError('E_NOT_FOUND', 'There is no such conversation.', { reason: 'chat.gone' });
}
