import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { Lease, SessionLogFile, SessionLogs, StoredSession } from '../../core/ports/logs.ts';
import type { SessionIndexFile } from '../app-data/session-index-file.ts';
import { toIoError } from '../files/io-error.ts';
import { createLease } from '../files/lease.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import { MAX_FOREIGN_BYTES } from './chain/line-verifier.ts';
import { SESSIONS, toLogState } from './log-place.ts';
import { createSessionSearch } from './search/session-search.ts';
import { createSessionLogFile } from './session-log-file.ts';
import { createSessionTrash, type SessionTrash } from './trash/session-trash.ts';

const END = '.jsonl';
/** Ids become file names, so only characters that are safe on every system are allowed. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/**
 * Creates one log per conversation, in `.webgal_agent/sessions/<id>.jsonl`. Without `index` nothing is kept about them, and all logs are read
 * after each start.
 */
export function createSessionLogs(
  folder: AgentFolder,
  signature: JournalSignature,
  index: SessionIndexFile | null = null,
): SessionLogs & { close(): Promise<void>; purge(): Promise<void> } {
  const logs = new Map<string, SessionLogFile & { close(): Promise<void> }>();
  const leases = new Map<string, Lease>();
  const trash = createSessionTrash(folder);
  const searcher = createSessionSearch();
  const find = (make: boolean) => (make ? folder.make(SESSIONS) : folder.find(SESSIONS));

  async function closeLog(session: string): Promise<void> {
    const log = logs.get(session);
    logs.delete(session);
    await log?.close();
  }

  async function release(session: string): Promise<void> {
    const lease = leases.get(session);
    leases.delete(session);
    // Another program may append to it from now on.
    await closeLog(session);
    await lease?.release();
  }

  return {
    open(session) {
      requireId(session);
      const open = logs.get(session) ?? createSessionLogFile({ folder: find, session, signature });
      logs.set(session, open);
      return open;
    },

    list: () => listStored(folder),

    async find(session) {
      const directory = await folder.find(SESSIONS);
      return directory === null ? null : readStored(directory, session);
    },

    async claim(session) {
      requireId(session);
      const lease =
        leases.get(session) ?? createLease({ folder: find, name: `${session}.lock`, owner: 'WebGAL Agent' });
      leases.set(session, lease);
      await lease.assertHeld();
    },

    release,

    ...createMoves({ folder, trash, closeLog, release }),

    async search(session, words, { most, isForeign, signal }) {
      requireId(session);
      const directory = await folder.find(SESSIONS);
      if (!directory) return [];
      const name = `${session}${END}`;
      const maxBytes = isForeign ? MAX_FOREIGN_BYTES : null;
      return searcher.search({ file: path.join(directory, name), name, words, most, maxBytes }, signal);
    },

    ...createTrashReader(trash, signature),

    /** Removes what has been in the trash for too long. */
    purge: trash.purge,

    readIndex: async () => index?.read() ?? null,
    writeIndex: async (value) => index?.write(value),

    async close() {
      await Promise.all([searcher.close(), trash.close()]);
      await Promise.all([...leases.values()].map((lease) => lease.release()));
      await Promise.all([...logs.values()].map((log) => log.close()));
    },
  };
}

/** Moves logs to the trash and back. */
function createMoves({
  folder,
  trash,
  closeLog,
  release,
}: {
  folder: AgentFolder;
  trash: SessionTrash;
  closeLog: (session: string) => Promise<void>;
  release: (session: string) => Promise<void>;
}): Pick<SessionLogs, 'discard' | 'restore'> {
  async function move(session: string, work: (log: string) => Promise<void>): Promise<void> {
    requireId(session);
    try {
      // Windows moves no open file.
      await closeLog(session);
      await work(path.join(await folder.make(SESSIONS), `${session}${END}`));
    } catch (error) {
      throw toIoError(error, SESSIONS);
    }
  }
  return {
    async discard(session) {
      await move(session, (log) => trash.put(log, session));
      await release(session).catch(() => undefined);
      await trash.purge().catch(() => undefined);
    },
    restore: (session) => move(session, (log) => trash.take(session, log)),
  };
}

/** Lists, reads and removes deleted logs. */
function createTrashReader(
  trash: SessionTrash,
  signature: JournalSignature,
): Pick<SessionLogs, 'listTrash' | 'openTrashed' | 'erase'> {
  const list = () =>
    trash.list().catch((error: unknown) => {
      throw toIoError(error, SESSIONS);
    });
  return {
    listTrash: async () =>
      (await list()).map(({ session, at, bytes, state }) => ({ session, deletedAt: at, bytes, state })),
    openTrashed: (session) => ({
      async read(take) {
        const deleted = (await list()).find((one) => one.session === session);
        if (!deleted) throw new AppError('E_NOT_FOUND', 'It is not in the trash.', { reason: 'chat.trashGone' });
        const { dir, base } = path.parse(deleted.file);
        const log = createSessionLogFile({ folder: async () => dir, session, name: base, signature });
        return log.read(take).finally(log.close);
      },
    }),
    async erase(session) {
      if (session !== null) requireId(session);
      await trash.erase(session).catch((error: unknown) => {
        throw toIoError(error, SESSIONS);
      });
    },
  };
}

async function listStored(folder: AgentFolder): Promise<StoredSession[]> {
  try {
    const directory = await folder.find(SESSIONS);
    const names = directory ? await readdir(directory) : [];
    const found = await Promise.all(
      names.map((name) =>
        directory !== null && name.endsWith(END) ? readStored(directory, name.slice(0, -END.length)) : null,
      ),
    );
    return found
      .filter((one) => one !== null)
      .sort((a, b) => b.modifiedAt - a.modifiedAt || (a.session < b.session ? 1 : -1));
  } catch (error) {
    throw toIoError(error, SESSIONS);
  }
}

function requireId(session: string): void {
  if (!SESSION_ID.test(session)) throw new AppError('E_BAD_ARGS', 'This is not a valid conversation id.');
}

async function readStored(directory: string, session: string): Promise<StoredSession | null> {
  if (!SESSION_ID.test(session)) return null;
  const stats = await lstat(path.join(directory, `${session}${END}`), { bigint: true }).catch(() => null);
  if (!stats?.isFile()) return null;
  const { mtimeNs, ctimeNs } = stats;
  // A game can bring logs with any modification time, but not with a change time: they must not hide the user's.
  const modifiedAt = Number(mtimeNs < ctimeNs ? mtimeNs : ctimeNs) / 1e6;
  return { session, modifiedAt, state: toLogState(stats) };
}
