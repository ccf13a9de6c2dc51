import { lstatSync, mkdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import type { WriteLabel, Writer, Written } from '../../core/ports.ts';
import { createDurably, replaceFile, syncFolder, toTempName } from '../files/durable-file.ts';
import { type HeldFolder, holdFolder } from '../files/held-folder.ts';
import { isMissing, toIoError, toSystemCode } from '../files/io-error.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { PathResolver } from '../project-fs/path-resolver.ts';
import type { KeptText, SnapshotStore } from '../snapshots/snapshot-store.ts';
import type { JournalEntry } from './journal-record.ts';
import type { JournalSeal } from './journal-seal.ts';
import { createWriteJournal, toKeptText } from './write-journal.ts';
import { createWriteLock } from './write-lock.ts';
import { inspectChange, isUntouched, requireWritable, toConflict, type WriteStep } from './write-step.ts';

/** Snapshots of a burst of writes are made safe together, this long after the first. */
const CONFIRM_MS = 100;
/** Or once there are this many: until then each has a journal file of its own. */
const CONFIRM_WRITES = 8;
/** Old and new text of a write that is made safe by its journal alone; more of it would be written twice for nothing. */
const REDO_BYTES = 512 * 1024;

/** A step with what the journal says about it, and the snapshot that undoes it. */
interface Job {
  step: WriteStep;
  entry: JournalEntry;
  /** The folder the file is in. */
  parent: HeldFolder;
  /** Where the new text waits; null when the file goes. */
  temp: string | null;
  snapshotId: string;
}

/** A write that she has been told of and that is not yet safe without its journal. */
interface Unconfirmed {
  journal: string;
  texts: readonly KeptText[];
  /** Folders that hold new names. */
  folders: readonly string[];
}

/**
 * The one writer of a project. Transactions run one after the other, for they may share files; that is the queue per
 * file as well. What a crash left half done is settled before the first of them (`recover`).
 *
 * Her autosaves come every half second. Within one editing spell (`label.group`) only the first save of a file keeps a
 * snapshot, the text before the spell: going back half a second is the editor's undo, and a snapshot per pause would
 * push everything else out of the retention. The spell's snapshot counts only while nothing else wrote the file.
 */
export function createWriter(ports: {
  resolver: PathResolver;
  folder: AgentFolder;
  snapshots: SnapshotStore;
  seal: JournalSeal;
}): Writer & { recover(): Promise<void>; settle(): Promise<void> } {
  const { resolver, folder, snapshots, seal } = ports;
  const lock = createWriteLock(folder);
  const journal = createWriteJournal({ ...ports, lock });
  /** Path → what the running spell wrote last. */
  const spells = new Map<string, { group: string; version: string | null; snapshotId: string }>();
  const unconfirmed: Unconfirmed[] = [];
  let timer: NodeJS.Timeout | undefined;
  let confirming: Promise<void> = Promise.resolve();
  let recovery: Promise<void> | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  function recover(): Promise<void> {
    recovery ??= journal.recover().catch((error: unknown) => {
      recovery = undefined;
      throw toIoError(error, 'journal');
    });
    return recovery;
  }

  /** What the same call was answered the first time; null when it is new. */
  async function findEarlier(steps: readonly WriteStep[], key: string | undefined): Promise<Written[] | null> {
    if (key === undefined) return null;
    const written: Written[] = [];
    for (const step of steps) {
      const record = await snapshots.latest(step.place.path, key);
      if (!record) continue;
      if (record.request !== step.request) {
        throw new AppError(
          'E_BAD_ARGS',
          'This idempotencyKey was already used for another change. Nothing was written.',
          {
            hint: 'Use a new key for a new change.',
            reason: 'write.keyReused',
          },
        );
      }
      written.push({ path: step.path, version: record.after, snapshotId: record.id, bytes: record.bytes });
    }
    return written.length > 0 && written.length === steps.length ? written : null;
  }

  /** The snapshot that already holds the text before this spell, if the file is still what the spell made it. */
  async function findSpell(step: WriteStep, label: WriteLabel): Promise<string | null> {
    const spell = spells.get(step.place.path);
    if (label.origin !== 'writer' || spell?.group !== label.group || spell.version !== step.version) return null;
    const newest = await snapshots.latest(step.place.path);
    return newest?.id === spell.snapshotId ? spell.snapshotId : null;
  }

  /** Holds the folder a file goes to; folders that are missing are made one by one, each in the one before. */
  async function holdParent({ place }: WriteStep, made: string[]): Promise<HeldFolder> {
    const missing: string[] = [];
    let absolute = path.dirname(place.absolute);
    let held: HeldFolder | undefined;
    while (!held) {
      try {
        held = holdFolder(absolute);
      } catch (error) {
        if (!isMissing(error)) throw error;
        missing.unshift(path.basename(absolute));
        absolute = path.dirname(absolute);
      }
    }
    for (const name of missing) {
      try {
        mkdirSync(held.at(name));
        made.unshift(path.join(held.absolute, name));
        await held.sync();
      } catch (error) {
        // Someone may have been faster; what stands there is looked at next.
        if (toSystemCode(error) !== 'EEXIST') throw error;
      } finally {
        held.close();
      }
      held = holdFolder(path.join(held.absolute, name));
    }
    return held;
  }

  async function toJob(
    step: WriteStep,
    label: WriteLabel,
    { parent, temps, isAlone }: { parent: HeldFolder; temps: HeldFolder; isAlone: boolean },
  ): Promise<Job> {
    const deviceOf = (held: HeldFolder) => lstatSync(held.at('.'), { bigint: true }).dev;
    const isBeside = deviceOf(parent) !== deviceOf(temps);
    const spell = await findSpell(step, label);
    const stamp = await snapshots.stamp();
    const name = toTempName();
    const entry: JournalEntry = {
      path: step.place.path,
      text: step.text,
      before: step.version,
      after: step.afterVersion,
      bytes: step.after?.length ?? 0,
      mode: step.stats ? Number(step.stats.mode & 0o777n) : null,
      // A rename works on one disk only; the game may lie on another than the app's folder in it.
      temp: step.after && { name, beside: isBeside },
      stamp: spell === null ? stamp : null,
      ...(step.request !== undefined && { request: step.request }),
      ...(step.restores !== undefined && { restores: step.restores }),
      ...(isAlone && toRedo(step)),
    };
    const temp = step.after && (isBeside ? parent.at(`.${name}`) : temps.at(name));
    return { step, entry, parent, temp, snapshotId: spell ?? stamp.id };
  }

  async function writeTemp({ step, entry, temp }: Job): Promise<void> {
    if (!temp || !step.after) return;
    await createDurably(temp, step.after, {
      ...(entry.mode !== null && { mode: entry.mode }),
      ...(step.stats &&
        Number(step.stats.uid) !== process.getuid?.() && {
          owner: { uid: Number(step.stats.uid), gid: Number(step.stats.gid) },
        }),
    });
  }

  async function commit({ step, parent, temp }: Job, isOneOfMany: boolean): Promise<void> {
    const name = path.basename(step.place.absolute);
    if (!parent.isThere()) throw toConflict([step.place.path]);
    if (temp) await replaceFile(temp, parent.at(name), { isOneOfMany });
    else unlinkSync(parent.at(name));
  }

  /** Compares and replaces, one step for all programs; what was replaced before a failure is taken back in the same step. */
  async function replaceAll(jobs: readonly Job[], committed: Job[]): Promise<void> {
    const touched = jobs.filter(({ step }) => !isUntouched(step)).map(({ step }) => step.place.path);
    if (touched.length > 0) throw toConflict(touched);
    const commitOne = async (job: Job): Promise<void> => {
      await commit(job, jobs.length > 1);
      committed.push(job);
    };
    try {
      // All at once: a new name may wait for the disk's journal, and many wait for it together. None is under way any
      // more when the first failure is told.
      const results = await Promise.allSettled(jobs.map(commitOne));
      const failure = results.find((result) => result.status === 'rejected');
      if (failure) throw failure.reason;
    } catch (error) {
      while (committed.length > 0) {
        const job = committed.at(-1);
        if (job) await journal.takeBack(job.entry);
        committed.pop();
      }
      throw error;
    }
  }

  async function takeBack(jobs: readonly Job[], committed: readonly Job[], made: readonly string[]): Promise<void> {
    for (const job of committed) await journal.takeBack(job.entry);
    for (const { temp } of jobs) if (temp) rmSync(temp, { force: true });
    await snapshots.discard(jobs.flatMap(({ entry }) => (entry.stamp ? [entry.stamp.id] : [])));
    for (const one of made) {
      try {
        rmdirSync(one);
      } catch {
        // Folders that something else moved into meanwhile are not empty and stay.
      }
    }
  }

  /** Makes safe on their own the names and snapshots that journals hold so far, and forgets those journals. */
  async function confirm(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // What is missed, the next write clears.
    await snapshots.prune().catch(() => undefined);
    const writes = unconfirmed.splice(0);
    const syncNames = async (absolute: string): Promise<void> => {
      await syncFolder(absolute).catch((error: unknown) => {
        if (!isMissing(error)) throw error; // A folder that is gone has no names to keep.
      });
    };
    try {
      await Promise.all([
        ...[...new Set(writes.flatMap(({ folders }) => folders))].map(syncNames),
        snapshots.confirm(writes.flatMap(({ texts }) => texts)),
      ]);
      for (const { journal: name } of writes) await journal.close(name);
    } catch {
      // The journals hold all that is needed; before the next write it is tried again.
      for (const { journal: name } of writes) journal.abandon(name);
      recovery = undefined;
    }
  }

  function confirmNow(): Promise<void> {
    confirming = confirming.then(confirm);
    return confirming;
  }

  /**
   * What she is told is done is safe, although its journal alone may be so yet: the disk has had the new text, under
   * whatever name, before it took the old one's place, and the journal holds the text before and (`redo`) the new one. A
   * process that is killed leaves all of it to the system; after a power cut `recover` makes the write again. So the wait
   * for the file's new name and for the snapshot follows her answer, for several writes at a time, and the journals stay
   * until then. Only what a later call may look for by its key is put in its place at once: that is under way before the
   * call can come.
   */
  function confirmLater(key: string | undefined): void {
    if (key !== undefined || unconfirmed.length >= CONFIRM_WRITES) void confirmNow();
    else timer ??= setTimeout(() => void confirmNow(), CONFIRM_MS);
  }

  async function transact(steps: readonly WriteStep[], label: WriteLabel): Promise<Written[]> {
    const { request: _request, ...shownLabel } = label;
    const made: string[] = [];
    const jobs: Job[] = [];
    const committed: Job[] = [];
    const parents = new Map<string, HeldFolder>();
    let temps: HeldFolder | undefined;
    let opened: Promise<string> | undefined;
    try {
      // Before the rest, so that the journal is the first to be written: it alone can clear away what is torn.
      await seal.prepare();
      temps = holdFolder(await folder.make('tmp'));
      for (const step of steps) {
        const absolute = path.dirname(step.place.absolute);
        const parent = parents.get(absolute) ?? (await holdParent(step, made));
        parents.set(absolute, parent);
        jobs.push(await toJob(step, label, { parent, temps, isAlone: steps.length === 1 }));
      }
      const texts = jobs.flatMap(({ entry }) => toKeptText(entry, shownLabel) ?? []);
      opened = journal.open(
        shownLabel,
        jobs.map((job) => job.entry),
      );
      // All of it at once: the disk takes several syncs in about the time of one.
      const disk = Promise.allSettled([opened, ...jobs.map(writeTemp)]);
      // While it is busy, the making of names can wait for it as well: only when both are on their way.
      await nextTurn();
      const prepared = [...(await Promise.allSettled([snapshots.keep(texts)])), ...(await disk)];
      const failure = prepared.find((result) => result.status === 'rejected');
      if (failure) throw failure.reason;
      await lock.run(() => replaceAll(jobs, committed));
      const canWait = jobs.every(({ entry }) => entry.redo);
      if (!canWait) await Promise.all([...parents.values()].map((parent) => parent.sync()));
      unconfirmed.push({ journal: await opened, texts, folders: canWait ? [...parents.keys()] : [] });
    } catch (error) {
      const name = await opened?.catch(() => undefined);
      try {
        // Nothing has come about: before all else, nothing shall.
        if (name && committed.length === 0) await journal.cancel(name);
        await takeBack(jobs, committed, made);
        if (name) await journal.cancel(name);
      } catch {
        // The disk refuses even that. The journal stays, and before the next write it is tried again.
        if (name) journal.abandon(name);
        recovery = undefined;
      }
      throw toIoError(error, steps[0]?.place.path ?? '.');
    } finally {
      for (const held of [temps, ...parents.values()]) held?.close();
    }
    return jobs.map(({ step, snapshotId }) => {
      const version = step.afterVersion;
      if (label.origin === 'writer') spells.set(step.place.path, { group: label.group, version, snapshotId });
      else spells.delete(step.place.path);
      return { path: step.path, version, snapshotId, bytes: step.after?.length ?? 0 };
    });
  }

  async function keepUnchanged(step: WriteStep, label: WriteLabel): Promise<Written> {
    const { request: _request, ...shownLabel } = label;
    const { place, text, version, request } = step;
    const bytes = step.after?.length ?? 0;
    const stamp = await snapshots.stamp();
    const kept = { stamp, path: place.path, text, after: version, bytes, label: shownLabel };
    await snapshots.confirm([{ ...kept, ...(request !== undefined && { request }) }]);
    return { path: step.path, version, snapshotId: stamp.id, bytes };
  }

  const apply: Writer['apply'] = async (changes, label) => {
    await recover();
    const steps: WriteStep[] = [];
    for (const change of changes) steps.push(await inspectChange(resolver, change, label));
    if (new Set(steps.map((step) => step.place.absolute)).size < steps.length) {
      throw new AppError('E_BAD_ARGS', 'The same file is named twice in one change.', { reason: 'write.twice' });
    }
    const earlier = await findEarlier(steps, label.idempotencyKey);
    if (earlier) return earlier;
    const clashes = steps.filter((step) => step.base !== step.version).map((step) => step.place.path);
    if (clashes.length > 0) throw toConflict(clashes);
    const changed = steps.filter((step) => step.version !== step.afterVersion);
    changed.forEach(requireWritable);
    const written = changed.length > 0 ? await transact(changed, label) : [];
    if (label.origin === 'agent') {
      for (const step of steps) if (!changed.includes(step)) written.push(await keepUnchanged(step, label));
    }
    confirmLater(label.idempotencyKey);
    const order = steps.map((step) => step.path);
    return written.sort((a, b) => order.indexOf(a.path) - order.indexOf(b.path));
  };

  return {
    recover,
    /** Resolves when nothing is left to do for the writes so far. */
    async settle() {
      await queue;
      await confirmNow();
      // What stays is removed by the next start.
      await journal.clear().catch(() => undefined);
      await lock.close();
    },
    apply(changes, label) {
      const result = queue
        .then(() => apply(changes, label))
        .catch((error: unknown) => {
          throw toSystemCode(error) ? toIoError(error, changes[0]?.path ?? '.') : error;
        });
      queue = result.catch(() => undefined); // Reported to the caller.
      return result;
    },
  };
}

/** What it takes to make a write to a file that was there again, where that is little. */
function toRedo({ stats, text, after }: WriteStep): Pick<JournalEntry, 'redo'> {
  if (!stats || text === null || !after || text.length + after.length > REDO_BYTES) return {};
  return { redo: { text: after.toString(), changedAt: String(stats.mtimeNs) } };
}
