import { AppError, toErrorData } from '../../../../shared/errors.ts';
import type { ChatPorts } from '../chat-ports.ts';
import { resumeSession } from '../loop/resume-session.ts';
import { createSessionLog, readSessionLog, type SessionLog } from './session-log.ts';

type LoaderPorts = Pick<ChatPorts, 'sessions' | 'proposals' | 'clock' | 'emit'>;

export interface LoadedSession {
  log: SessionLog;
  /** Default: false. True when the wanted log is open in another window or program, and `log` is an empty one. */
  isNewestElsewhere?: boolean;
}

/** Reads and leases the logs of sessions. */
export interface SessionLoader {
  /** Leases a log, because two programs must not append to one. Throws `E_CONFLICT`, reason `chat.elsewhere`. */
  claim(id: string): Promise<void>;
  /** Like `claim`, but a log in a read-only folder is opened without a lease. */
  claimToRead(id: string): Promise<void>;
  /** Releases the lease. Failures are ignored; stale leases expire. */
  release(id: string): Promise<void>;
  createEmpty(practice: boolean): SessionLog;
  /** Leases and reads a log, settles what a crash left open and shows a waiting proposal. */
  load(id: string): Promise<SessionLog>;
  /** Loads the log that `toNewest` names; starts an empty one when none can be read, so that the game opens anyway. */
  loadNewest(toNewest: () => Promise<string | null>): Promise<LoadedSession>;
}

export function createSessionLoader({ sessions, proposals, clock, emit }: LoaderPorts): SessionLoader {
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

  async function claimToRead(id: string): Promise<void> {
    await claim(id).catch((error: unknown) => {
      if (isElsewhere(error)) throw error;
    });
  }

  const release = (id: string): Promise<void> => sessions.release(id).catch(() => undefined);

  function createEmpty(practice: boolean): SessionLog {
    const id = clock.id();
    return createSessionLog(id, sessions.open(id), { at: clock.now(), practice });
  }

  async function load(id: string): Promise<SessionLog> {
    await claimToRead(id);
    const { log, damaged } = await readSessionLog(id, sessions.open(id));
    if (log.isForeign) {
      await release(id);
      return log;
    }
    if (damaged > 0) emit('app.noticed', { level: 'warning', reason: 'chat.damaged', details: { count: damaged } });
    try {
      await resumeSession(log, { proposals, clock });
    } catch (error) {
      // The conversation stays readable when the folder is read-only or its drafts cannot be restored.
      if (proposals.current()) await proposals.discard();
      emit('app.noticed', { level: 'warning', reason: 'chat.notResumed', details: { code: toErrorData(error).code } });
    }
    return log;
  }

  async function loadNewest(toNewest: () => Promise<string | null>): Promise<LoadedSession> {
    try {
      // Logs that came with the game are opened only on request.
      const newest = await toNewest();
      const log = newest === null ? null : await load(newest);
      return { log: log && !log.isForeign ? log : createEmpty(false) };
    } catch (error) {
      if (!isElsewhere(error))
        emit('app.noticed', {
          level: 'warning',
          reason: 'chat.unreadable',
          details: { code: toErrorData(error).code },
        });
      return { log: createEmpty(false), isNewestElsewhere: isElsewhere(error) };
    }
  }

  return { claim, claimToRead, release, createEmpty, load, loadNewest };
}
