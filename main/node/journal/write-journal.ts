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
import type { KeptText } from '../snapshots/kept-text.ts';
import type { SnapshotStore } from '../snapshots/snapshot-store.ts';
import { type Journal, type JournalEntry, type Owner, parseRecord, TEMP_NAME, toRecord } from './journal-record.ts';
import type { JournalSignature } from './journal-signature.ts';
import { createJournalSlots, isHeldHere, JOURNAL_PART } from './journal-slots.ts';
import type { WriteLock } from './write-lock.ts';

const TEMP_PART = 'tmp';
const TEMP_PARTS = ['', TEMP_PART, JOURNAL_PART, 'snapshots', 'screenshots'];
/**
 * A transaction takes milliseconds. An older journal with the number of a living process was left by another process that
 * had the same number.
 */
const IN_FLIGHT_MS = 30_000;
/** The permission bits that are restored: no journal may set the setuid, setgid or sticky bit. */
const PERMISSION_BITS = 0o777;
/** A downloaded game may contain a file large enough to exhaust the memory. */
const MAX_JOURNAL_BYTES = 192 * 1024 * 1024;
const ABANDONED_TEMP_MS = 10 * 60_000;

/** Returns the snapshot that an entry takes, or null. */
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

/** When the last journal of this process was opened, in ms since 1970: two within a millisecond still have an order. */
let lastAt = 0;

export interface WriteJournal {
  /** Records a planned transaction; it is durable when this resolves. Returns the handle for `close`. */
  open(label: Journal['label'], entries: readonly JournalEntry[]): Promise<string>;
  /** Frees the journal of a finished transaction. */
  close(id: string): Promise<void>;
  /** Frees the journal of a transaction that was not committed, durably: a power cut cannot bring it back. */
  cancel(id: string): Promise<void>;
  /** Leaves a transaction that could be neither finished nor undone to the next start. */
  abandon(id: string): void;
  /** Removes the files that stayed open for the next transaction. */
  clear(): Promise<void>;
  toTempPath(entry: JournalEntry): Promise<string | null>;
  /** Restores one file to its state before the transaction, if it still has the text that the transaction wrote. */
  takeBack(entry: JournalEntry): Promise<void>;
  /**
   * Finishes or undoes the transactions that a crash left incomplete. Never touches a file whose text is neither the old
   * nor the new one, keeps a snapshot of what it changes, and never acts on a journal that another installation wrote: a
   * downloaded game may contain one. Such a journal is renamed to `<name>.foreign`.
   */
  recover(): Promise<void>;
}

export function createWriteJournal(ports: {
  folder: AgentFolder;
  resolver: PathResolver;
  snapshots: SnapshotStore;
  signature: JournalSignature;
  lock: WriteLock;
}): WriteJournal {
  const { folder, resolver, snapshots, signature, lock } = ports;
  const slots = createJournalSlots(folder);
  /** Path → version of what this recovery wrote. */
  const rewritten = new Map<string, string>();

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
      return writeDurably(place.absolute, entry.text, entry.mode === null ? undefined : entry.mode & PERMISSION_BITS);
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
   * Returns whether the journal alone suffices to repeat the write over the same file as before: the file whose last
   * change is the recorded one, or one that this recovery wrote. An identical old text that the user restored since then
   * is another file.
   */
  async function canRedo({ path: projectPath, redo, after, before }: JournalEntry): Promise<boolean> {
    if (!redo || toVersion(Buffer.from(redo.text)) !== after) return false;
    const { place } = await resolver.resolveForWriting(projectPath);
    const stats = lstatSync(place.absolute, { bigint: true, throwIfNoEntry: false });
    return String(stats?.mtimeNs) === redo.changedAt || rewritten.get(place.path) === before;
  }

  async function continueEntry(entry: JournalEntry): Promise<void> {
    const { place } = await resolver.resolveForWriting(entry.path);
    const temp = (await hasWhatItTakes(entry)) ? await toTempPath(entry) : null;
    if (temp) {
      await syncFile(temp);
      await replaceFile(temp, place.absolute);
    } else if (entry.redo) {
      await writeDurably(
        place.absolute,
        entry.redo.text,
        entry.mode === null ? undefined : entry.mode & PERMISSION_BITS,
      );
    } else {
      await rm(place.absolute, { force: true });
    }
    await syncFolder(path.dirname(place.absolute));
    if (entry.after !== null) rewritten.set(place.path, entry.after);
  }

  async function syncNameOf({ path: projectPath }: JournalEntry): Promise<void> {
    const { place } = await resolver.resolveForWriting(projectPath);
    await syncFolder(path.dirname(place.absolute)).catch((error: unknown) => {
      if (!isMissing(error)) throw error; // A folder that is gone has no names to sync.
    });
  }

  /** Keeps a snapshot of the present text, so that the user can undo the recovery. */
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
    // Partly committed: continue if all that is needed exists and no other program changed a file since.
    const isBegun = at('after').length > 0 && at('foreign').length === 0 && (await all(hasWhatItTakes));
    // The write may have been acknowledged although the disk never received the new name.
    const forward = isBegun || (waiting.length === entries.length && (await all(canRedo)));
    if (forward) {
      for (const entry of waiting) {
        const kept = toKeptText(entry, label);
        if (kept) await snapshots.confirm([kept]);
        else await keepPresent(entry, label);
        await continueEntry(entry);
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
      // The name may not be synced yet, and the journal is about to be removed.
      if (isDone) await syncNameOf(entry);
      const happened = states[index] === 'foreign' || forward || isDone;
      // A snapshot of a file that the user changed since is kept in any case; it may be the only copy.
      if (kept && happened) await snapshots.confirm([kept]);
      else if (kept) await snapshots.discard([kept.stamp.id]);
      const temp = await toTempPath(entry);
      if (temp) await rm(temp, { force: true });
    }
  }

  function isOthersInFlight({ pid, host, at }: Journal): boolean {
    return host === hostname() && pid !== process.pid && isAlive(pid) && Date.now() - at < IN_FLIGHT_MS;
  }

  /**
   * Returns whether an idle file belongs to another process: a process keeps such files open for its next write. A
   * process of another machine cannot be checked.
   */
  async function isOthersIdle({ pid, host }: Owner, file: string): Promise<boolean> {
    return host === hostname() ? pid !== process.pid && isAlive(pid) : isRecent(file);
  }

  async function readJournal(file: string, name: string): Promise<Awaited<ReturnType<typeof parseRecord>>> {
    const stats = await lstat(file).catch(() => null);
    // The app never creates a link or a folder here; they are not read.
    if (stats && (!stats.isFile() || stats.size > MAX_JOURNAL_BYTES)) return 'foreign';
    return parseRecord((await readPrivateFile(file, name)) ?? Buffer.alloc(0), signature);
  }

  /** Returns the journals of other processes and of processes that are gone; removes files that are no longer needed. */
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
      } else if (!(await isRecent(file))) {
        // A foreign file is never followed; if the rename fails, it stays.
        if (found === 'foreign') await rename(file, `${file}.foreign`).catch(() => undefined);
        // A torn journal means that no file had been touched yet.
        else await rm(file, { force: true });
      }
    }
    // In the order of creation: a transaction may build on an earlier one.
    return left.sort((a, b) => a.journal.at - b.journal.at);
  }

  /** Removes temp files that a killed process left: files of the app are created beside their target and then renamed. */
  async function clearTemps(): Promise<void> {
    for (const part of TEMP_PARTS) {
      // A path that is not a folder of the app is refused when it is used; it holds no temp files.
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
      const record = await toRecord(journal, signature);
      if (record.length > MAX_JOURNAL_BYTES) {
        throw new AppError('E_TOO_LARGE', 'This change is too large for one transaction. Nothing was changed.', {
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
      rewritten.clear();
      const directory = await folder.find(JOURNAL_PART);
      if (directory && (await readLeft(directory)).length > 0) {
        await lock.run(async () => {
          // Read again: another program may have settled them meanwhile.
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
async function isRecent(file: string): Promise<boolean> {
  try {
    return Date.now() - (await lstat(file)).mtimeMs < IN_FLIGHT_MS;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}
