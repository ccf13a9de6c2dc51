import { hash, randomBytes } from 'node:crypto';
import { isAssetName } from '../../../shared/model/asset/asset.ts';
import type { Journal, JournalEntry } from '../journal/journal-record.ts';
import type { WriteJob } from '../journal/write-job.ts';

/** What one transaction of the writer did, for the log. */
export interface FinishedTransaction {
  id: string;
  label: Journal['label'];
  /** `rolled_back`: a start after a crash took back what had been written. */
  outcome: 'applied' | 'rolled_back';
  isRecovered: boolean;
  files: readonly FinishedFile[];
}

export interface FinishedFile extends Pick<JournalEntry, 'path' | 'before' | 'after' | 'bytes'> {
  /** The snapshot of the text before; null if an earlier write of the same editing session took it. */
  snapshot: string | null;
  /** The snapshot that was restored. */
  restores: string | null;
  /** The text after, to be kept; null if there is none, it could not be read, or it is an asset, which has a store of its own. */
  text: Uint8Array | null;
}

/** Receives what the writer does; implemented by the transaction log. */
export interface TransactionRecorder {
  /** Registers a write that was acknowledged: from now on its snapshots are kept. */
  add(done: FinishedTransaction): void;
  /** Records writes that are durable. Never rejects; resolves when they are in the log, or wait because it cannot be written. */
  record(done: readonly FinishedTransaction[]): Promise<void>;
  /** Records a write that was refused. */
  fail(failed: FailedWrite): void;
}

export interface FailedWrite {
  id: string;
  label: Journal['label'];
  code: string;
  files: readonly Pick<FinishedFile, 'path' | 'before' | 'after' | 'bytes'>[];
}

/** Creates an id such as `tx_20261120T093000_ab12cd34`, in UTC. */
export function createTransactionId(): string {
  return toId(Date.now(), randomBytes(4).toString('hex'));
}

function toId(at: number, suffix: string): string {
  return `tx_${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}_${suffix}`;
}

export function toFinished(id: string, label: Journal['label'], jobs: readonly WriteJob[]): FinishedTransaction {
  const files = jobs.map(({ entry, step }) => ({
    ...toFile(entry),
    text: isAssetName(entry.path) ? null : step.after,
  }));
  return { id, label, outcome: 'applied', isRecovered: false, files };
}

/** `texts`: the present texts of the files, where the new one is there. */
export function toRecovered(
  journal: Journal,
  outcome: FinishedTransaction['outcome'],
  texts: readonly (Uint8Array | null)[],
): FinishedTransaction {
  const { at, pid, host, label, entries } = journal;
  // A journal of an earlier version has no id. Derived, so that a repeated recovery reports the same one.
  const id = journal.transaction ?? toId(at, hash('sha256', `${pid} ${host} ${at}`, 'hex').slice(0, 8));
  const files = entries.map((entry, index) => ({
    ...toFile(entry),
    text: isAssetName(entry.path) ? null : (texts[index] ?? null),
  }));
  return { id, label, outcome, isRecovered: true, files };
}

function toFile({ path, before, after, bytes, stamp, restores }: JournalEntry): Omit<FinishedFile, 'text'> {
  return { path, before, after, bytes, snapshot: stamp?.id ?? null, restores: restores ?? null };
}
