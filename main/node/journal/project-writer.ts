import { lstatSync, mkdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { AppError } from '../../../shared/errors.ts';
import type { WriteLabel, Writer, Written } from '../../core/ports.ts';
import { createDurably, replaceFile, syncFolder, toTempName } from '../files/durable-file.ts';
import { isMissing, toIoError, toSystemCode } from '../files/io-error.ts';
import { type OpenDirectory, openDirectory } from '../files/open-directory.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { PathResolver } from '../project-fs/path-resolver.ts';
import type { KeptText, SnapshotStore } from '../snapshots/snapshot-store.ts';

import type { JournalEntry } from './journal-record.ts';
import type { JournalSignature } from './journal-signature.ts';
import { createWriteJournal, toKeptText } from './write-journal.ts';
import { createWriteLock } from './write-lock.ts';
import { inspectChange, isUntouched, requireWritable, toConflict, type WriteStep } from './write-step.ts';

/** How long after the first write of a burst the snapshots of that burst are synced together. */
const CONFIRM_MS = 100;
/** Number of writes that triggers the sync earlier. Until then each write has a journal file of its own. */
const CONFIRM_WRITES = 8;
/**
 * Maximum length of the old and new text of a write that only its journal makes durable; beyond that, writing the text
 * twice costs more than it saves.
 */
const MAX_REDO_BYTES = 512 * 1024;

/** A write step with its journal entry and the snapshot that undoes it. */
interface Job {
  step: WriteStep;
  entry: JournalEntry;
  /** The folder of the file. */
  parent: OpenDirectory;
  /** The temp file with the new text; null when the file is removed. */
  temp: string | null;
  snapshotId: string;
}

/** A write that was already acknowledged and is not yet durable without its journal. */
interface Unconfirmed {
  journal: string;
  texts: readonly KeptText[];
  /** Folders with new names that are not synced yet. */
  folders: readonly string[];
}

/**
 * Creates the only writer of a project. Transactions run one after the other because they may share files; this also
 * serves as the queue per file. Transactions that a crash left incomplete are settled before the first one (`recover`).
 *
 * Autosaves come every half second. Within one editing session (`label.group`) only the first save of a file keeps a
 * snapshot, the text before the session: the editor's undo covers shorter steps, and a snapshot per pause would push all
 * others out of the retention. The snapshot of the session counts only while no other write changed the file.
 */
export function createWriter(ports: {
  resolver: PathResolver;
  folder: AgentFolder;
  snapshots: SnapshotStore;
  signature: JournalSignature;
}): Writer & { recover(): Promise<void>; settle(): Promise<void> } {
  const { resolver, folder, snapshots, signature } = ports;
  const lock = createWriteLock(folder);
  const journal = createWriteJournal({ ...ports, lock });
  /** Path → the last write of the running editing session. */
  const editSessions = new Map<string, { group: string; version: string | null; snapshotId: string }>();
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

  /** Returns the result of an earlier call with the same key; null when the call is new. */
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

  /** Returns the snapshot with the text before this editing session if the file still has the text that the session wrote. */
  async function findSessionSnapshot(step: WriteStep, label: WriteLabel): Promise<string | null> {
    const session = editSessions.get(step.place.path);
    if (label.origin !== 'writer' || session?.group !== label.group || session.version !== step.version) return null;
    const newest = await snapshots.latest(step.place.path);
    return newest?.id === session.snapshotId ? session.snapshotId : null;
  }

  /** Opens the folder of a file. Creates missing folders one by one, each through the handle of the one before. */
  async function openParent({ place }: WriteStep, made: string[]): Promise<OpenDirectory> {
    const missing: string[] = [];
    let absolute = path.dirname(place.absolute);
    let held: OpenDirectory | undefined;
    while (!held) {
      try {
        held = openDirectory(absolute);
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
        // Another process may have created it first; the next check examines what exists.
        if (toSystemCode(error) !== 'EEXIST') throw error;
      } finally {
        held.close();
      }
      held = openDirectory(path.join(held.absolute, name));
    }
    return held;
  }

  async function toJob(
    step: WriteStep,
    label: WriteLabel,
    { parent, temps, isAlone }: { parent: OpenDirectory; temps: OpenDirectory; isAlone: boolean },
  ): Promise<Job> {
    const deviceOf = (held: OpenDirectory) => lstatSync(held.at('.'), { bigint: true }).dev;
    const isBeside = deviceOf(parent) !== deviceOf(temps);
    const sessionSnapshot = await findSessionSnapshot(step, label);
    const stamp = await snapshots.stamp();
    const name = toTempName();
    const entry: JournalEntry = {
      path: step.place.path,
      text: step.text,
      before: step.version,
      after: step.afterVersion,
      bytes: step.after?.length ?? 0,
      mode: step.stats ? Number(step.stats.mode & 0o777n) : null,
      // A rename works on one disk only, and the game may be on another disk than the app's folder in it.
      temp: step.after && { name, beside: isBeside },
      stamp: sessionSnapshot === null ? stamp : null,
      ...(step.request !== undefined && { request: step.request }),
      ...(step.restores !== undefined && { restores: step.restores }),
      ...(isAlone && toRedo(step)),
    };
    const temp = step.after && (isBeside ? parent.at(`.${name}`) : temps.at(name));
    return { step, entry, parent, temp, snapshotId: sessionSnapshot ?? stamp.id };
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

  /**
   * Compares and replaces the files as one step for all programs. After a failure, files already replaced are restored in
   * the same step.
   */
  async function replaceAll(jobs: readonly Job[], committed: Job[]): Promise<void> {
    const touched = jobs.filter(({ step }) => !isUntouched(step)).map(({ step }) => step.place.path);
    if (touched.length > 0) throw toConflict(touched);
    const commitOne = async (job: Job): Promise<void> => {
      await commit(job, jobs.length > 1);
      committed.push(job);
    };
    try {
      // In parallel: a new name may wait for the file system's journal, and several names share one wait. No rename is
      // pending any more when the first failure is reported.
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
        // Folders that another program uses by now are not empty and stay.
      }
    }
  }

  /** Syncs the names and snapshots that only journals hold so far, and then frees those journals. */
  async function confirm(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // The next write prunes what this call missed.
    await snapshots.prune().catch(() => undefined);
    const writes = unconfirmed.splice(0);
    const syncNames = async (absolute: string): Promise<void> => {
      await syncFolder(absolute).catch((error: unknown) => {
        if (!isMissing(error)) throw error; // A folder that is gone has no names to sync.
      });
    };
    try {
      await Promise.all([
        ...[...new Set(writes.flatMap(({ folders }) => folders))].map(syncNames),
        snapshots.confirm(writes.flatMap(({ texts }) => texts)),
      ]);
      for (const { journal: name } of writes) await journal.close(name);
    } catch {
      // The journals still hold all that is needed; the next write tries again.
      for (const { journal: name } of writes) journal.abandon(name);
      recovery = undefined;
    }
  }

  function confirmNow(): Promise<void> {
    confirming = confirming.then(confirm);
    return confirming;
  }

  /**
   * Syncs names and snapshots after the call has returned, several writes at a time. An acknowledged write is durable
   * although only its journal may be on the disk: the new text was synced, under whatever name, before it replaced the
   * old one, and the journal holds the text before and (`redo`) the new one. If the process is killed, the system still
   * has all of it; after a power cut `recover` repeats the write. The journals stay until the sync. Only what a later
   * call may look up by its key is stored at once, and that starts before such a call can come.
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
    const parents = new Map<string, OpenDirectory>();
    let temps: OpenDirectory | undefined;
    let opened: Promise<string> | undefined;
    try {
      // First, so that the journal is the first file to be written: only the journal allows recovery to remove torn
      // files.
      await signature.prepare();
      temps = openDirectory(await folder.make('tmp'));
      for (const step of steps) {
        const absolute = path.dirname(step.place.absolute);
        const parent = parents.get(absolute) ?? (await openParent(step, made));
        parents.set(absolute, parent);
        jobs.push(await toJob(step, label, { parent, temps, isAlone: steps.length === 1 }));
      }
      const texts = jobs.flatMap(({ entry }) => toKeptText(entry, shownLabel) ?? []);
      opened = journal.open(
        shownLabel,
        jobs.map((job) => job.entry),
      );
      // In parallel: the disk completes several syncs in about the time of one.
      const disk = Promise.allSettled([opened, ...jobs.map(writeTemp)]);
      // Names are created only once both are pending, so that the two waits overlap.
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
        // Nothing was committed yet; cancel the journal first.
        if (name && committed.length === 0) await journal.cancel(name);
        await takeBack(jobs, committed, made);
        if (name) await journal.cancel(name);
      } catch {
        // Cancelling failed too. The journal stays, and recovery runs again before the next write.
        if (name) journal.abandon(name);
        recovery = undefined;
      }
      throw toIoError(error, steps[0]?.place.path ?? '.');
    } finally {
      for (const held of [temps, ...parents.values()]) held?.close();
    }
    return jobs.map(({ step, snapshotId }) => {
      const version = step.afterVersion;
      if (label.origin === 'writer') editSessions.set(step.place.path, { group: label.group, version, snapshotId });
      else editSessions.delete(step.place.path);
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
    const conflicts = steps.filter((step) => step.base !== step.version).map((step) => step.place.path);
    if (conflicts.length > 0) throw toConflict(conflicts);
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
    /** Resolves when no work is left for the writes so far. */
    async settle() {
      await queue;
      await confirmNow();
      // The next start removes what stays.
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

/** Returns what repeating a write to an existing file takes, if the texts are small enough. */
function toRedo({ stats, text, after }: WriteStep): Pick<JournalEntry, 'redo'> {
  if (!stats || text === null || !after || text.length + after.length > MAX_REDO_BYTES) return {};
  return { redo: { text: after.toString(), changedAt: String(stats.mtimeNs) } };
}
