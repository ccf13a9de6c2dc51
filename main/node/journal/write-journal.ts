import { lstatSync } from 'node:fs';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { replaceFile, syncFile, syncFolder, writeDurably } from '../files/durable-file.ts';
import { isMissing } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';
import { isAlive } from '../files/process-start.ts';
import { toText, toVersion } from '../files/strict-text.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { PathResolver } from '../project-fs/path-resolver.ts';
import { readProjectBytes } from '../project-fs/project-files.ts';
import type { KeptText, SnapshotStore } from '../snapshots/snapshot-store.ts';
import { type Journal, type JournalEntry, type Owner, parseRecord, TEMP_NAME, toRecord } from './journal-record.ts';
import type { JournalSeal } from './journal-seal.ts';
import { createJournalSlots, isHeldHere, JOURNAL_PART } from './journal-slots.ts';
import type { WriteLock } from './write-lock.ts';

const TEMP_PART = 'tmp';
const TEMP_PARTS = ['', TEMP_PART, JOURNAL_PART, 'snapshots', 'screenshots'];
/** A transaction takes milliseconds. A journal of a living process that is older was left behind by another with its number. */
const IN_FLIGHT_MS = 30_000;
/** The bits a game's text can have of a reason: no journal makes a file run as someone else. */
const PERMISSIONS = 0o777;
/** A game from elsewhere may bring one that fills the memory. */
const MAX_JOURNAL_BYTES = 192 * 1024 * 1024;
const ABANDONED_TEMP_MS = 10 * 60_000;

/** The snapshot an entry takes, or null. */
export function toKeptText(entry: JournalEntry, label: Journal['label']): KeptText | null {
  if (!entry.stamp) return null;
  const { idempotencyKey, ...rest } = label;
  return {
    stamp: entry.stamp,
    path: entry.path,
    text: entry.text,
    after: entry.after,
    bytes: entry.bytes,
    ...(entry.request !== undefined && { request: entry.request }),
    ...(entry.restores !== undefined && { restores: entry.restores }),
    label: { ...rest, ...(idempotencyKey !== undefined && { idempotencyKey }) },
  };
}

/** When the last journal of this process was opened: two within a millisecond still have an order. */
let lastAt = 0;

export interface WriteJournal {
  /** Notes what is about to happen; on the disk when this resolves. Returns the handle for `close`. */
  open(label: Journal['label'], entries: readonly JournalEntry[]): Promise<string>;
  /** Forgets a transaction that is finished. */
  close(id: string): Promise<void>;
  /** Forgets a transaction that did not come about, so that not even a power cut brings it back. */
  cancel(id: string): Promise<void>;
  /** Leaves a transaction that could be neither finished nor taken back for the next start. */
  abandon(id: string): void;
  /** Removes the files that stayed open for the next transaction. */
  clear(): Promise<void>;
  toTempPath(entry: JournalEntry): Promise<string | null>;
  /** Puts one file back to what it was, if it still is what the transaction made it. */
  takeBack(entry: JournalEntry): Promise<void>;
  /**
   * Finishes or takes back what a crash left half done. Never touches a file that is neither old nor new, keeps a
   * snapshot of what it changes, and does nothing at the word of a journal that was not written here: a game from
   * elsewhere may bring one. Such a journal is set aside as `<name>.foreign`.
   */
  recover(): Promise<void>;
}

export function createWriteJournal(ports: {
  folder: AgentFolder;
  resolver: PathResolver;
  snapshots: SnapshotStore;
  seal: JournalSeal;
  lock: WriteLock;
}): WriteJournal {
  const { folder, resolver, snapshots, seal, lock } = ports;
  const slots = createJournalSlots(folder);
  /** Path → version of what this recovery wrote itself. */
  const remade = new Map<string, string>();

  async function toTempPath({ path: projectPath, temp }: JournalEntry): Promise<string | null> {
    if (!temp) return null;
    if (!temp.beside) return path.join(await folder.make(TEMP_PART), temp.name);
    const { place } = await resolver.resolveForWriting(projectPath);
    return path.join(path.dirname(place.absolute), `.${temp.name}`);
  }

  async function readState(entry: JournalEntry): Promise<'before' | 'after' | 'foreign'> {
    const found = await readProjectBytes(resolver, entry.path, { maxBytes: Number.MAX_SAFE_INTEGER });
    const version = found && toVersion(found.bytes);
    return version === entry.before ? 'before' : version === entry.after ? 'after' : 'foreign';
  }

  async function takeBack(entry: JournalEntry): Promise<void> {
    if ((await readState(entry)) !== 'after') return;
    const { place } = await resolver.resolveForWriting(entry.path);
    if (entry.text !== null) {
      return writeDurably(place.absolute, entry.text, entry.mode === null ? undefined : entry.mode & PERMISSIONS);
    }
    await rm(place.absolute, { force: true });
    await syncFolder(path.dirname(place.absolute));
  }

  async function hasWhatItTakes(entry: JournalEntry): Promise<boolean> {
    if (entry.after === null) return true;
    const temp = await toTempPath(entry);
    const bytes = temp && (await readPrivateFile(temp, entry.path));
    return !!bytes && toVersion(bytes) === entry.after;
  }

  /**
   * Whether the journal alone is enough to make the write again, over the very file it was made over before: that one was
   * changed last when it says, or was made again here a moment ago. An old text that she went back to since is another.
   */
  async function canRedo({ path: projectPath, redo, after, before }: JournalEntry): Promise<boolean> {
    if (!redo || toVersion(Buffer.from(redo.text)) !== after) return false;
    const { place } = await resolver.resolveForWriting(projectPath);
    const stats = lstatSync(place.absolute, { bigint: true, throwIfNoEntry: false });
    return String(stats?.mtimeNs) === redo.changedAt || remade.get(place.path) === before;
  }

  async function goOn(entry: JournalEntry): Promise<void> {
    const { place } = await resolver.resolveForWriting(entry.path);
    const temp = (await hasWhatItTakes(entry)) ? await toTempPath(entry) : null;
    if (temp) {
      await syncFile(temp);
      await replaceFile(temp, place.absolute);
    } else if (entry.redo) {
      await writeDurably(place.absolute, entry.redo.text, entry.mode === null ? undefined : entry.mode & PERMISSIONS);
    } else {
      await rm(place.absolute, { force: true });
    }
    await syncFolder(path.dirname(place.absolute));
    if (entry.after !== null) remade.set(place.path, entry.after);
  }

  async function syncNameOf({ path: projectPath }: JournalEntry): Promise<void> {
    const { place } = await resolver.resolveForWriting(projectPath);
    await syncFolder(path.dirname(place.absolute)).catch((error: unknown) => {
      if (!isMissing(error)) throw error; // A folder that is gone has no names to keep.
    });
  }

  /** What stands there now can be gone back to, whatever recovery makes of it. */
  async function keepPresent(entry: JournalEntry, { origin, group, title }: Journal['label']): Promise<void> {
    const found = await readProjectBytes(resolver, entry.path, { maxBytes: Number.MAX_SAFE_INTEGER });
    if (!found) return;
    const isBefore = toVersion(found.bytes) === entry.before;
    await snapshots.confirm([
      {
        stamp: await snapshots.stamp(),
        path: entry.path,
        text: toText(found.bytes, entry.path),
        after: isBefore ? entry.after : entry.before,
        bytes: isBefore ? entry.bytes : Buffer.byteLength(entry.text ?? ''),
        label: { origin, group, title },
      },
    ]);
  }

  async function finish({ entries, label }: Journal): Promise<void> {
    const states = await Promise.all(entries.map(readState));
    const at = (state: string) => entries.filter((_, index) => states[index] === state);
    const waiting = at('before');
    const all = async (has: (entry: JournalEntry) => Promise<boolean>) =>
      (await Promise.all(waiting.map(has))).every(Boolean);
    // Finished but for those still waiting: go on if nothing is missing and nobody has changed a file since.
    const isBegun = at('after').length > 0 && at('foreign').length === 0 && (await all(hasWhatItTakes));
    // She may have been told of it, although the disk has not heard of the new name.
    const forward = isBegun || (waiting.length === entries.length && (await all(canRedo)));
    if (forward) {
      for (const entry of waiting) {
        const kept = toKeptText(entry, label);
        if (kept) await snapshots.confirm([kept]);
        else await keepPresent(entry, label);
        await goOn(entry);
      }
    } else if (waiting.length > 0) {
      for (const entry of at('after')) {
        await keepPresent(entry, label);
        await takeBack(entry);
      }
    }
    for (const [index, entry] of entries.entries()) {
      const kept = toKeptText(entry, label);
      const isDone = states[index] === 'after' && (forward || waiting.length === 0);
      // It may be new to the disk as well, and what says so is about to go.
      if (isDone) await syncNameOf(entry);
      const happened = states[index] === 'foreign' || forward || isDone;
      // What a file that she changed since held before is kept in any case; it may be the only copy.
      if (kept && happened) await snapshots.confirm([kept]);
      else if (kept) await snapshots.discard([kept.stamp.id]);
      const temp = await toTempPath(entry);
      if (temp) await rm(temp, { force: true });
    }
  }

  function isOthersInFlight({ pid, host, at }: Journal): boolean {
    return host === hostname() && pid !== process.pid && isAlive(pid) && Date.now() - at < IN_FLIGHT_MS;
  }

  /** Idle files of a process stay open for its next write; whether one elsewhere still runs cannot be told. */
  async function isOthersIdle({ pid, host }: Owner, file: string): Promise<boolean> {
    return host === hostname() ? pid !== process.pid && isAlive(pid) : isYoung(file);
  }

  async function readJournal(file: string, name: string): Promise<Awaited<ReturnType<typeof parseRecord>>> {
    const stats = await lstat(file).catch(() => null);
    // No such thing as a link or a folder is made here; they are not looked into.
    if (stats && (!stats.isFile() || stats.size > MAX_JOURNAL_BYTES)) return 'foreign';
    return parseRecord((await readPrivateFile(file, name)) ?? Buffer.alloc(0), seal);
  }

  /** What is left of other processes and of those that are gone; files that are done with are removed. */
  async function readLeft(directory: string): Promise<{ file: string; journal: Journal }[]> {
    const left: { file: string; journal: Journal }[] = [];
    for (const name of await readdir(directory)) {
      if (!name.endsWith('.json') || isHeldHere(name)) continue;
      const file = path.join(directory, name);
      const found = await readJournal(file, name);
      if (typeof found === 'object' && 'entries' in found) {
        if (!isOthersInFlight(found)) left.push({ file, journal: found });
      } else if (typeof found === 'object') {
        if (!(await isOthersIdle(found.idle, file))) await rm(file, { force: true });
      } else if (!(await isYoung(file))) {
        // It is never followed; where it cannot even be renamed, it may as well stay.
        if (found === 'foreign') await rename(file, `${file}.foreign`).catch(() => undefined);
        // A torn journal means that not one file had been touched yet.
        else await rm(file, { force: true });
      }
    }
    // In the order in which they were made: one may stand on what another wrote.
    return left.sort((a, b) => a.journal.at - b.journal.at);
  }

  /** What a killed process left: files of the app's own are made beside their place and then renamed to it. */
  async function clearTemps(): Promise<void> {
    for (const part of TEMP_PARTS) {
      // What is no folder of the app's own is refused when it is used; there is nothing to clear away in it.
      const directory = await folder.find(part).catch(() => null);
      for (const name of directory ? await readdir(directory) : []) {
        if (!directory || !TEMP_NAME.test(name.replace(/^\./, ''))) continue;
        const file = path.join(directory, name);
        const stats = await lstat(file).catch(() => null);
        if (stats && Date.now() - stats.mtimeMs > ABANDONED_TEMP_MS) await rm(file, { force: true });
      }
    }
  }

  return {
    toTempPath,
    takeBack,

    async open(label, entries) {
      lastAt = Math.max(Date.now(), lastAt + 1);
      const journal: Journal = { pid: process.pid, host: hostname(), at: lastAt, label, entries: [...entries] };
      const record = await toRecord(journal, seal);
      if (record.length > MAX_JOURNAL_BYTES) {
        throw new AppError('E_TOO_LARGE', 'This change is too large to be made in one go. Nothing was changed.', {
          hint: 'Make it in several steps, with fewer files in each.',
        });
      }
      return slots.write(record);
    },

    close: slots.free,
    cancel: slots.cancel,
    abandon: slots.leave,
    clear: slots.clear,

    async recover() {
      remade.clear();
      const directory = await folder.find(JOURNAL_PART);
      if (directory && (await readLeft(directory)).length > 0) {
        await lock.run(async () => {
          // Once more: another program may have settled them meanwhile.
          for (const { file, journal } of await readLeft(directory)) {
            await finish(journal);
            await rm(file, { force: true });
          }
        });
      }
      await clearTemps();
    },
  };
}

/** Another process may be writing it at this moment. */
async function isYoung(file: string): Promise<boolean> {
  try {
    return Date.now() - (await lstat(file)).mtimeMs < IN_FLIGHT_MS;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}
