import { link, lstat, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../../shared/errors.ts';
import { replaceFile, syncFolder } from '../../files/durable-file.ts';
import { isMissing, toSystemCode } from '../../files/io-error.ts';
import type { AgentFolder } from '../../project-fs/agent-folder.ts';

const PART = 'sessions-trash';
const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 30 * DAY_MS;
const MAX_KEPT = 200;
/** Time of the deletion and id of the session. A dot cannot occur in an id. */
const NAME = /^(\d{1,16})\.([A-Za-z0-9][A-Za-z0-9_-]{0,99})\.jsonl$/;

interface Deleted {
  file: string;
  session: string;
  at: number;
}

/**
 * The deleted logs of a game, in `.webgal_agent/sessions-trash/<time>.<id>.jsonl`. A log is moved with one rename, so that a kill leaves it
 * in one of the two places. The pictures of a conversation stay where they are until its log is purged.
 */
export interface SessionTrash {
  put(log: string, session: string): Promise<void>;
  /** Moves the log of a session that was deleted last to `log`. Throws `E_NOT_FOUND` and `E_CONFLICT`; replaces nothing. */
  take(session: string, log: string): Promise<void>;
  /** Removes logs that were deleted more than 30 days ago, and all but the newest 200. */
  purge(): Promise<void>;
}

export function createSessionTrash(folder: AgentFolder, now: () => number = Date.now): SessionTrash {
  /** Newest first. A game can bring files that claim any time, but not with a change time: they count as old. */
  async function list(): Promise<Deleted[]> {
    const directory = await folder.find(PART);
    const names = directory ? await readdir(directory) : [];
    const found = await Promise.all(
      names.map(async (name): Promise<Deleted | null> => {
        const [, time, session] = NAME.exec(name) ?? [];
        if (!directory || time === undefined || session === undefined) return null;
        const file = path.join(directory, name);
        const stats = await lstat(file).catch(() => null);
        return stats?.isFile() ? { file, session, at: Math.min(Number(time), stats.ctimeMs) } : null;
      }),
    );
    return found.filter((one) => one !== null).sort((a, b) => b.at - a.at || (a.file < b.file ? 1 : -1));
  }

  return {
    async put(log, session) {
      const directory = await folder.make(PART);
      // The largest time of this id so far, so that the newest deletion is the one that is undone after a clock was set back.
      const before = (await list()).filter((one) => one.session === session).map(({ file }) => toTime(file));
      const time = Math.max(now(), ...before.map((each) => each + 1));
      await replaceFile(log, path.join(directory, `${time}.${session}.jsonl`));
      await syncFolder(directory);
      await syncFolder(path.dirname(log));
    },
    async take(session, log) {
      const deleted = (await list())
        .filter((one) => one.session === session)
        .sort((a, b) => toTime(b.file) - toTime(a.file))[0];
      if (!deleted) {
        throw new AppError('E_NOT_FOUND', 'This conversation is not in the trash any more.', {
          reason: 'chat.trashGone',
        });
      }
      await moveNew(deleted.file, log);
      await syncFolder(path.dirname(log));
    },
    async purge() {
      const kept = now() - KEPT_MS;
      for (const [index, { file, at }] of (await list()).entries()) {
        if (index >= MAX_KEPT || at < kept) await rm(file, { force: true });
      }
    },
  };
}

const toTime = (file: string): number => Number(path.basename(file).split('.')[0]);

/** Moves a file to a path where there must be none. After a kill it is in both places or in one. */
async function moveNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
    await rm(from, { force: true });
  } catch (error) {
    if (toSystemCode(error) === 'EEXIST') throw toTakenError();
    // For disks without hard links.
    const isTaken = await lstat(to).then(
      () => true,
      (failure: unknown) => !isMissing(failure),
    );
    if (isTaken) throw toTakenError();
    await rename(from, to);
  }
}

function toTakenError(): AppError {
  return new AppError('E_CONFLICT', 'There is a conversation with this id already.', { reason: 'chat.restoreTaken' });
}
