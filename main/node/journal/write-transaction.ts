import { rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WriteLabel } from '../../core/ports/writer.ts';
import { toIoError } from '../files/io-error.ts';
import { type OpenDirectory, openDirectory } from '../files/open-directory.ts';
import { settleInSlices } from '../files/slices.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { SnapshotStore } from '../snapshots/snapshot-store.ts';
import { createTransactionId, toFinished } from '../transactions/finished-transaction.ts';
import type { EditSessions } from './edit-sessions.ts';
import { toKeptText } from './journal-entry.ts';
import type { JournalSignature } from './journal-signature.ts';
import type { UnconfirmedWrite } from './write-confirmation.ts';
import { commit, openParent, toJob, type WriteJob, writeTemp } from './write-job.ts';
import type { WriteJournal } from './write-journal.ts';
import type { WriteLock } from './write-lock.ts';
import { isUntouched, toConflict, type WriteStep } from './write-step.ts';

/** Writes steps to the disk: all of them, or none when it rejects. Resolves with the jobs in the order of the steps. */
export type Transact = (steps: readonly WriteStep[], label: WriteLabel) => Promise<readonly WriteJob[]>;

export interface TransactionPorts {
  folder: AgentFolder;
  snapshots: SnapshotStore;
  signature: JournalSignature;
  journal: WriteJournal;
  lock: WriteLock;
  editSessions: EditSessions;
  /** Receives a write that is acknowledged and not yet durable without its journal. */
  onWritten(write: UnconfirmedWrite): void;
  /** Called when a failed transaction could not be cancelled: recovery has to run before the next write. */
  onAbandoned(): void;
}

/** What a running transaction has done so far; `undo` takes it back. */
interface Progress {
  /** The id in the transaction log. */
  transaction: string;
  jobs: WriteJob[];
  committed: WriteJob[];
  /** Created folders, innermost first. */
  made: string[];
  /** Open folders of the files, by absolute path. */
  parents: Map<string, OpenDirectory>;
  temps: OpenDirectory | undefined;
  /** The pending journal, if one was requested. */
  opened: Promise<string> | undefined;
}

/** Creates transactions: reserve folders and names, keep snapshots and journal, replace the files, or undo everything. */
export function createTransaction(ports: TransactionPorts): Transact {
  const { folder, snapshots, signature, journal, lock, editSessions } = ports;

  /** Opens the folders and plans the jobs. */
  async function reserve(steps: readonly WriteStep[], label: WriteLabel, progress: Progress): Promise<void> {
    const { jobs, made, parents } = progress;
    // First, so that the journal is the first file to be written: only the journal allows recovery to remove torn
    // files.
    await signature.prepare();
    const temps = openDirectory(await folder.make('tmp'));
    progress.temps = temps;
    const isAlone = steps.length === 1;
    for (const step of steps) {
      const absolute = path.dirname(step.place.absolute);
      const parent = parents.get(absolute) ?? (await openParent(step, made));
      parents.set(absolute, parent);
      // A session is one transaction of one file.
      const session = isAlone ? await editSessions.find(step, label) : null;
      if (session) progress.transaction = session.transaction;
      const stamp = await snapshots.stamp();
      const sessionSnapshot = session?.snapshotId ?? null;
      jobs.push(toJob(step, { parent, temps, isAlone, stamp, transaction: progress.transaction, sessionSnapshot }));
    }
  }

  /** Writes the journal, the new texts and the snapshots, and replaces the files. */
  async function write(label: Omit<WriteLabel, 'request'>, progress: Progress): Promise<void> {
    const { transaction, jobs, parents } = progress;
    const texts = jobs.flatMap(({ entry }) => toKeptText(entry, label) ?? []);
    const entries = jobs.map(({ entry }) => entry);
    const opened = journal.open(label, entries, transaction);
    progress.opened = opened;
    // In parallel: the disk completes several syncs in about the time of one.
    const disk = Promise.all([Promise.allSettled([opened]), settleInSlices(jobs, writeTemp)]);
    // Names are created only once both are pending, so that the two waits overlap.
    await nextTurn();
    const prepared = [...(await Promise.allSettled([snapshots.keep(texts)])), ...(await disk).flat()];
    const failure = prepared.find((result) => result.status === 'rejected');
    if (failure) throw failure.reason;
    await lock.run(() => replaceAll(journal, progress));
    const canWait = jobs.every(({ entry }) => entry.redo);
    if (!canWait) {
      await Promise.all([...parents.values()].map((parent) => parent.sync()));
      // A later change may give one of these files its old text: recovery must not take that for an incomplete transaction.
      await journal.finish(await opened);
    }
    const folders = canWait ? [...parents.keys()] : [];
    ports.onWritten({ journal: await opened, texts, folders, transaction: toFinished(transaction, label, jobs) });
  }

  return async (steps, label) => {
    const { request: _request, confirmed: _confirmed, ...shownLabel } = label;
    const progress: Progress = {
      transaction: label.transaction ?? createTransactionId(),
      ...{ jobs: [], committed: [], made: [], parents: new Map() },
      ...{ temps: undefined, opened: undefined },
    };
    try {
      await reserve(steps, label, progress);
      await write(shownLabel, progress);
    } catch (error) {
      await undo(ports, progress);
      throw toIoError(error, steps[0]?.place.path ?? '.');
    } finally {
      for (const held of [progress.temps, ...progress.parents.values()]) held?.close();
    }
    return progress.jobs;
  };
}

/**
 * Compares and replaces the files as one step for all programs. After a failure, files already replaced are restored in
 * the same step.
 */
async function replaceAll(
  journal: WriteJournal,
  { jobs, committed }: Pick<Progress, 'jobs' | 'committed'>,
): Promise<void> {
  const touched = jobs.filter(({ step }) => !isUntouched(step)).map(({ step }) => step.place.path);
  if (touched.length > 0) throw toConflict(touched);
  const commitOne = async (job: WriteJob): Promise<void> => {
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

/** Takes back what a failed transaction has done. Never rejects. */
async function undo(
  { journal, snapshots, onAbandoned }: TransactionPorts,
  { jobs, committed, made, opened }: Progress,
): Promise<void> {
  const name = await opened?.catch(() => undefined);
  try {
    // Nothing was committed yet; cancel the journal first.
    if (name && committed.length === 0) await journal.cancel(name);
    for (const job of committed) await journal.takeBack(job.entry);
    for (const { temp } of jobs) if (temp) rmSync(temp, { force: true });
    await snapshots.discard(jobs.flatMap(({ entry }) => (entry.stamp ? [entry.stamp.id] : [])));
    made.forEach(removeUnused);
    if (name) await journal.cancel(name);
  } catch {
    // Cancelling failed too. The journal stays, and recovery runs again before the next write.
    if (name) journal.abandon(name);
    onAbandoned();
  }
}

/** Removes a created folder. Folders that another program uses by now are not empty and stay. */
function removeUnused(absolute: string): void {
  try {
    rmdirSync(absolute);
  } catch {
    // In use.
  }
}
