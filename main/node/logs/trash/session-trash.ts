import { link, lstat, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createSerialQueue } from '../../../../shared/async.ts';
import { AppError } from '../../../../shared/errors.ts';
import { groupBy } from '../../../../shared/group-by.ts';
import { replaceFile, syncFolder, writeDurably } from '../../files/durable-file.ts';
import { isMissing, toSystemCode } from '../../files/io-error.ts';
import type { AgentFolder } from '../../project-fs/agent-folder.ts';
import { SESSIONS, toLogState } from '../log-place.ts';
import { type LogPlaces, removeUnusedPictures } from './unused-pictures.ts';

const PART = 'sessions-trash';
const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 30 * DAY_MS;
const MAX_KEPT = 200;
/** Time of the deletion and id of the session. A dot cannot occur in an id. */
const NAME = /^(\d{1,16})\.([A-Za-z0-9][A-Za-z0-9_-]{0,99})\.jsonl$/;
const END = '.jsonl';
const ERASED = '.erased';
const ERASED_NAME = /^\d{1,16}\.[A-Za-z0-9][A-Za-z0-9_-]{0,99}\.erased$/;

interface Deleted {
  file: string;
  session: string;
  at: number;
  bytes: number;
  /** As in `StoredSession`. */
  state: string;
}

/**
 * The deleted logs of a game, in `.webgal_agent/sessions-trash/<time>.<id>.jsonl`. A log is moved with one rename, so that a kill leaves it
 * in one of the two places. One that leaves the trash for good is renamed to `<time>.<id>.erased` until its pictures are gone, too,
 * which the next start goes on with.
 */
export interface SessionTrash {
  put(log: string, session: string): Promise<void>;
  /** Moves the log of a session that was deleted last to `log`. Throws `E_NOT_FOUND` and `E_CONFLICT`; replaces nothing. */
  take(session: string, log: string): Promise<void>;
  /** Returns the logs, the latest deletion first; of several logs of a session the one that `take` moves. */
  list(): Promise<readonly Deleted[]>;
  /** Removes the logs of a session, or all; their pictures follow in the background. Throws `E_NOT_FOUND` if there is none. */
  erase(session: string | null): Promise<void>;
  /** Removes logs that were deleted more than 30 days ago, and all but the newest 200; goes on with what `erase` began. */
  purge(): Promise<void>;
  /** Stops what runs in the background. */
  close(): Promise<void>;
}

export function createSessionTrash(folder: AgentFolder, now: () => number = Date.now): SessionTrash {
  const background = createSerialQueue();
  const closing = new AbortController();

  /** Newest first. A game can bring files that claim any time, but not with a change time: they count as old. */
  async function listAll(): Promise<Deleted[]> {
    const directory = await folder.find(PART);
    const names = directory ? await readdir(directory) : [];
    const found = await Promise.all(
      names.map(async (name): Promise<Deleted | null> => {
        const [, time, session] = NAME.exec(name) ?? [];
        if (!directory || time === undefined || session === undefined) return null;
        const file = path.join(directory, name);
        const stats = await lstat(file, { bigint: true }).catch(() => null);
        if (!stats?.isFile()) return null;
        const at = Math.min(Number(time), Number(stats.ctimeMs));
        return { file, session, at, bytes: Number(stats.size), state: toLogState(stats) };
      }),
    );
    return found.filter((one) => one !== null).sort((a, b) => b.at - a.at || (a.file < b.file ? 1 : -1));
  }

  async function eraseLogs(logs: readonly Deleted[]): Promise<void> {
    for (const { file } of logs) {
      await rename(file, file.slice(0, -END.length) + ERASED).catch((error: unknown) => {
        if (!isMissing(error)) throw error; // Another program was first.
      });
    }
    if (logs[0]) await syncFolder(path.dirname(logs[0].file));
    void background.run(() => finishErased(folder, now(), closing.signal)).catch(() => undefined);
  }

  return {
    async put(log, session) {
      const directory = await folder.make(PART);
      // The largest time of this id so far, so that the newest deletion is the one that is undone after a clock was set back.
      const before = (await listAll()).filter((one) => one.session === session).map(({ file }) => toTime(file));
      const time = Math.max(now(), ...before.map((each) => each + 1));
      await replaceFile(log, path.join(directory, `${time}.${session}${END}`));
      await syncFolder(directory);
      await syncFolder(path.dirname(log));
    },
    async take(session, log) {
      const deleted = toNewest((await listAll()).filter((one) => one.session === session));
      if (!deleted) throw toGoneError();
      await moveNew(deleted.file, log);
      await syncFolder(path.dirname(log));
    },
    async list() {
      const bySession = groupBy(await listAll(), ({ session }) => session);
      return [...bySession.values()].flatMap((logs) => toNewest(logs) ?? []).slice(0, MAX_KEPT);
    },
    async erase(session) {
      const logs = (await listAll()).filter((one) => session === null || one.session === session);
      if (session !== null && logs.length === 0) throw toGoneError();
      await eraseLogs(logs);
    },
    async purge() {
      const kept = now() - KEPT_MS;
      await eraseLogs((await listAll()).filter(({ at }, index) => index >= MAX_KEPT || at < kept));
    },
    async close() {
      closing.abort();
      await background.idle();
    },
  };
}

/** The logs that keep their pictures. */
const LOG_PLACES: LogPlaces = [
  { part: SESSIONS, isLog: () => true },
  { part: PART, isLog: (name) => name.endsWith(END) },
];

/** Removes erased logs, each after its pictures. Of one whose pictures are too new only their ids stay. */
async function finishErased(folder: AgentFolder, now: number, signal: AbortSignal): Promise<void> {
  const directory = await folder.find(PART);
  for (const name of directory ? await readdir(directory) : []) {
    if (!directory || !ERASED_NAME.test(name)) continue;
    const erased = path.join(directory, name);
    // A failure concerns this log only; the next start tries again.
    const waiting = await removeUnusedPictures(folder, { erased, places: LOG_PLACES, now, signal }).catch(() => null);
    if (signal.aborted) return;
    if (waiting === null) continue;
    if (waiting.length === 0) await rm(erased, { force: true }).catch(() => undefined);
    else await writeDurably(erased, waiting.join('\n'), 0o600).catch(() => undefined);
  }
}

function toNewest(logs: readonly Deleted[]): Deleted | undefined {
  return logs.toSorted((a, b) => toTime(b.file) - toTime(a.file))[0];
}

function toGoneError(): AppError {
  return new AppError('E_NOT_FOUND', 'This conversation is not in the trash any more.', { reason: 'chat.trashGone' });
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
