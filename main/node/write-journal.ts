import { rmSync } from 'node:fs';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { WriteOrigin } from '../../shared/model/snapshot.ts';
import type { AgentFolder } from './agent-folder.ts';
import { createDurably, replaceFile, syncFolder, toTempName, writeDurably } from './durable-file.ts';
import { holdFolder } from './held-folder.ts';
import { isMissing } from './io-error.ts';
import type { JournalSeal } from './journal-seal.ts';
import type { PathResolver } from './path-resolver.ts';
import { readPrivateFile } from './private-file.ts';
import { isAlive } from './process-start.ts';
import { readProjectBytes } from './project-files.ts';
import type { KeptText, SnapshotStore } from './snapshot-store.ts';
import { toText, toVersion } from './strict-text.ts';

const PART = 'journal';
const TEMP_PART = 'tmp';
const TEMP_NAME = /^[0-9a-f]{24}\.tmp$/;
/** A transaction takes milliseconds. A journal of a living process that is older was left behind by another with its number. */
const IN_FLIGHT_MS = 30_000;
/** The bits a game's text can have of a reason: no journal makes a file run as someone else. */
const PERMISSIONS = 0o777;
const ABANDONED_TEMP_MS = 10 * 60_000;

/** A temp file by name: in the app's folder, or beside its target when that lies on another disk. */
export const TempFile = z.strictObject({ name: z.string().regex(TEMP_NAME), beside: z.boolean() });
export type TempFile = z.infer<typeof TempFile>;

const Label = z.strictObject({
  origin: WriteOrigin,
  group: z.string(),
  title: z.string(),
  idempotencyKey: z.string().optional(),
});

/** One file of a transaction: enough to finish it or to take it back without any other file but `temp`. */
export const JournalEntry = z.strictObject({
  path: z.string(),
  /** The text before; null: no file. */
  text: z.string().nullable(),
  /** Version before and after; null: no file. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  bytes: z.int(),
  mode: z.int().nullable(),
  temp: TempFile.nullable(),
  /** Null when this write takes no snapshot of its own. */
  stamp: z.strictObject({ id: z.string(), timestamp: z.number() }).nullable(),
  request: z.string().optional(),
});
export type JournalEntry = z.infer<typeof JournalEntry>;

const Journal = z.strictObject({
  pid: z.int(),
  host: z.string(),
  at: z.number(),
  label: Label,
  entries: z.array(JournalEntry),
});
type Journal = z.infer<typeof Journal>;

/** What lies on the disk: the journal as a text, and the mark that says this installation wrote it. */
const SealedJournal = z.strictObject({ v: z.literal(2), body: z.string(), mark: z.string() });

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
    label: { ...rest, ...(idempotencyKey !== undefined && { idempotencyKey }) },
  };
}

/** Journals of this process that are being worked on right now. */
const inFlight = new Set<string>();

export interface WriteJournal {
  /** Notes what is about to happen; on the disk when this resolves. Returns the handle for `close`. */
  open(label: Journal['label'], entries: readonly JournalEntry[]): Promise<string>;
  /** Forgets a transaction that is finished or taken back. */
  close(id: string): Promise<void>;
  /** Leaves a transaction that could be neither finished nor taken back for the next start. */
  abandon(id: string): void;
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
}): WriteJournal {
  const { folder, resolver, snapshots, seal } = ports;

  async function toTempPath({ path: projectPath, temp }: JournalEntry): Promise<string | null> {
    if (!temp) return null;
    if (!temp.beside) return path.join(await folder.make(TEMP_PART), temp.name);
    const { place } = await resolver.resolveForWriting(projectPath);
    return path.join(path.dirname(place.absolute), `.${temp.name}`);
  }

  async function readState(entry: JournalEntry): Promise<'before' | 'after' | 'foreign'> {
    const found = await readProjectBytes(resolver, entry.path, Number.MAX_SAFE_INTEGER);
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

  async function goOn(entry: JournalEntry): Promise<void> {
    const { place } = await resolver.resolveForWriting(entry.path);
    const temp = await toTempPath(entry);
    if (temp) await replaceFile(temp, place.absolute);
    else await rm(place.absolute, { force: true });
    await syncFolder(path.dirname(place.absolute));
  }

  /** What stands there now can be gone back to, whatever recovery makes of it. */
  async function keepPresent(entry: JournalEntry, { origin, group, title }: Journal['label']): Promise<void> {
    const found = await readProjectBytes(resolver, entry.path, Number.MAX_SAFE_INTEGER);
    if (!found) return;
    const isBefore = toVersion(found.bytes) === entry.before;
    await snapshots.confirm([
      {
        stamp: snapshots.stamp(),
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
    const ready = await Promise.all(waiting.map(hasWhatItTakes));
    // Finished but for those still waiting: go on if nothing is missing and nobody has changed a file since.
    const forward = at('after').length > 0 && at('foreign').length === 0 && ready.every(Boolean);
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
      const happened = states[index] === 'foreign' || forward || (states[index] === 'after' && waiting.length === 0);
      // What a file that she changed since held before is kept in any case; it may be the only copy.
      if (kept && happened) await snapshots.confirm([kept]);
      else if (kept) await snapshots.discard([kept.stamp.id]);
      const temp = await toTempPath(entry);
      if (temp) await rm(temp, { force: true });
    }
  }

  function isOthersInFlight(journal: Journal, name: string): boolean {
    if (journal.pid === process.pid && journal.host === hostname()) return inFlight.has(name);
    return journal.host === hostname() && isAlive(journal.pid) && Date.now() - journal.at < IN_FLIGHT_MS;
  }

  async function readJournal(file: string, name: string): Promise<Journal | 'torn' | 'foreign'> {
    const stats = await lstat(file).catch(() => null);
    // No such thing as a link or a folder is made here; they are not looked into.
    if (stats && !stats.isFile()) return 'foreign';
    const stored = toJson((await readPrivateFile(file, name))?.toString() ?? '');
    if (stored === undefined) return 'torn';
    const { data: sealed } = SealedJournal.safeParse(stored);
    if (!sealed || !(await seal.isOurs(sealed.body, sealed.mark))) return 'foreign';
    return Journal.parse(JSON.parse(sealed.body));
  }

  async function clearTemps(): Promise<void> {
    const directory = await folder.find(TEMP_PART);
    for (const name of directory ? await readdir(directory) : []) {
      if (!directory || !TEMP_NAME.test(name)) continue;
      const file = path.join(directory, name);
      const stats = await lstat(file).catch(() => null);
      if (stats && Date.now() - stats.mtimeMs > ABANDONED_TEMP_MS) await rm(file, { force: true });
    }
  }

  return {
    toTempPath,
    takeBack,

    async open(label, entries) {
      const held = holdFolder(await folder.make(PART));
      const name = `${toTempName().slice(0, 24)}.json`;
      const journal: Journal = {
        pid: process.pid,
        host: hostname(),
        at: Date.now(),
        label,
        entries: [...entries],
      };
      inFlight.add(name);
      try {
        const body = JSON.stringify(journal);
        const sealed: z.infer<typeof SealedJournal> = { v: 2, body, mark: await seal.toMark(body) };
        await createDurably(held.at(name), JSON.stringify(sealed), { name: held });
      } catch (error) {
        inFlight.delete(name);
        rmSync(held.at(name), { force: true });
        throw error;
      } finally {
        held.close();
      }
      return name;
    },

    async close(name) {
      const directory = await folder.find(PART);
      if (directory) await rm(path.join(directory, name), { force: true });
      inFlight.delete(name);
    },

    abandon(name) {
      inFlight.delete(name);
    },

    async recover() {
      const directory = await folder.find(PART);
      for (const name of directory ? (await readdir(directory)).sort() : []) {
        if (!directory || !name.endsWith('.json')) continue;
        const file = path.join(directory, name);
        const journal = await readJournal(file, name);
        if (typeof journal === 'object' ? isOthersInFlight(journal, name) : await isYoung(file)) continue;
        if (journal === 'foreign') {
          // It is never followed; where it cannot even be renamed, it may as well stay.
          await rename(file, `${file}.foreign`).catch(() => undefined);
          continue;
        }
        // A torn journal means that not one file had been touched yet.
        if (journal !== 'torn') await finish(journal);
        await rm(file, { force: true });
      }
      await clearTemps();
    },
  };
}

/** Undefined for what is not JSON, as a file that was still being written. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
