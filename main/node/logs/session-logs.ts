import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { Lease, SessionLogFile, SessionLogs } from '../../core/ports/logs.ts';
import { toIoError } from '../files/io-error.ts';
import { createLease } from '../files/lease.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import { createSessionLogFile } from './session-log-file.ts';

const PART = 'sessions';
/** Ids become file names, so only characters that are safe on every system are allowed. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** Creates one log per conversation, in `.webgal_agent/sessions/<id>.jsonl`. */
export function createSessionLogs(
  folder: AgentFolder,
  signature: JournalSignature,
): SessionLogs & { close(): Promise<void> } {
  const logs = new Map<string, SessionLogFile & { close(): Promise<void> }>();
  const leases = new Map<string, Lease>();
  const find = (make: boolean) => (make ? folder.make(PART) : folder.find(PART));
  const requireId = (session: string): void => {
    if (!SESSION_ID.test(session)) throw new AppError('E_BAD_ARGS', 'This is not a valid conversation id.');
  };
  return {
    open(session) {
      requireId(session);
      const open = logs.get(session) ?? createSessionLogFile({ folder: find, session, signature });
      logs.set(session, open);
      return open;
    },

    async list() {
      try {
        const directory = await folder.find(PART);
        const names = directory ? await readdir(directory) : [];
        const found = await Promise.all(
          names.map(async (name) => {
            const session = name.endsWith('.jsonl') ? name.slice(0, -'.jsonl'.length) : '';
            if (!directory || !SESSION_ID.test(session)) return null;
            const stats = await lstat(path.join(directory, name)).catch(() => null);
            // A game can bring logs with any modification time, but not with a change time: they must not hide the user's.
            return stats?.isFile() ? { session, modifiedAt: Math.min(stats.mtimeMs, stats.ctimeMs) } : null;
          }),
        );
        return found
          .filter((one) => one !== null)
          .sort((a, b) => b.modifiedAt - a.modifiedAt || (a.session < b.session ? 1 : -1));
      } catch (error) {
        throw toIoError(error, PART);
      }
    },

    async claim(session) {
      requireId(session);
      const lease =
        leases.get(session) ?? createLease({ folder: find, name: `${session}.lock`, owner: 'WebGAL Agent' });
      leases.set(session, lease);
      await lease.assertHeld();
    },

    async release(session) {
      const lease = leases.get(session);
      leases.delete(session);
      // Another program may append to it from now on.
      const log = logs.get(session);
      logs.delete(session);
      await log?.close();
      await lease?.release();
    },

    async close() {
      await Promise.all([...leases.values()].map((lease) => lease.release()));
      await Promise.all([...logs.values()].map((log) => log.close()));
    },
  };
}
