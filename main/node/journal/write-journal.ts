import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';

import { AppError } from '../../../shared/errors.ts';
import { toVersion } from '../files/strict-text.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { PathResolver } from '../project-fs/path-resolver.ts';
import { readProjectBytes } from '../project-fs/project-files.ts';
import type { SnapshotStore } from '../snapshots/snapshot-store.ts';
import { type TransactionRecorder, toRecovered } from '../transactions/finished-transaction.ts';

import { finishTransaction, type Recovery } from './finish-transaction.ts';
import { takeBackEntry } from './journal-entry.ts';
import { type FoundJournal, type Journal, type JournalEntry, MAX_JOURNAL_BYTES, toRecord } from './journal-record.ts';
import type { JournalSignature } from './journal-signature.ts';
import { createJournalSlots, JOURNAL_PART } from './journal-slots.ts';
import { clearTemps, readLeftJournals } from './left-journals.ts';
import type { WriteLock } from './write-lock.ts';

/** When the last journal of this process was opened, in ms since 1970: two within a millisecond still have an order. */
let lastAt = 0;

export interface WriteJournal {
  /** Records a planned transaction; it is durable when this resolves. Returns the handle for `close`. */
  open(label: Journal['label'], entries: readonly JournalEntry[], transaction?: string): Promise<string>;
  /** Notes that all files were replaced, so that recovery takes none of them back. */
  finish(id: string): Promise<void>;
  /** Frees the journal of a finished transaction. */
  close(id: string): Promise<void>;
  /** Frees the journal of a transaction that was not committed, durably: a power cut cannot bring it back. */
  cancel(id: string): Promise<void>;
  /** Leaves a transaction that could be neither finished nor undone to the next start. */
  abandon(id: string): void;
  /**
   * Removes the files that stayed open for the next transaction, and what killed processes left of theirs. At the end, not at the
   * start: thousands of snapshots may lie between them.
   */
  clear(): Promise<void>;
  /** Restores one file to its state before the transaction, if it still has the text that the transaction wrote. */
  takeBack(entry: JournalEntry): Promise<void>;
  /**
   * Finishes or undoes the transactions that a crash left incomplete. Never touches a file whose text is neither the old
   * nor the new one, keeps a snapshot of what it changes, and never acts on a journal that another installation wrote: a
   * downloaded game may contain one. Such a journal is renamed to `<name>.foreign`. The outcome is in the transaction log before a
   * journal is removed.
   */
  recover(): Promise<void>;
}

export function createWriteJournal(ports: {
  folder: AgentFolder;
  resolver: PathResolver;
  snapshots: SnapshotStore;
  signature: JournalSignature;
  lock: WriteLock;
  recorder?: TransactionRecorder;
}): WriteJournal {
  const { folder, resolver, snapshots, signature, lock, recorder } = ports;
  const slots = createJournalSlots(folder);
  const recovery: Recovery = { folder, resolver, snapshots, rewritten: new Map() };

  async function settle(journal: FoundJournal): Promise<void> {
    const outcome = await finishTransaction(recovery, journal);
    if (!recorder) return;
    // A file that a later change wrote, or that cannot be read, has no text for the log.
    const texts = journal.entries.map(async ({ path, after }) => {
      const file = await readProjectBytes(resolver, path, { maxBytes: Number.MAX_SAFE_INTEGER }).catch(() => null);
      return file && toVersion(file.bytes) === after ? file.bytes : null;
    });
    await recorder.record([toRecovered(journal, outcome, await Promise.all(texts))]);
  }

  return {
    takeBack: (entry) => takeBackEntry({ resolver, folder }, entry),

    async open(label, entries, transaction) {
      lastAt = Math.max(Date.now(), lastAt + 1);
      const owner = { pid: process.pid, host: hostname(), at: lastAt };
      const journal: Journal = { ...owner, ...(transaction && { transaction }), label, entries: [...entries] };
      const record = await toRecord(journal, signature);
      if (record.length > MAX_JOURNAL_BYTES) {
        throw new AppError('E_TOO_LARGE', 'This change is too large for one transaction. Nothing was changed.', {
          hint: 'Make it in several steps, with fewer files in each.',
        });
      }
      return slots.write(record);
    },

    finish: slots.finish,
    close: slots.free,
    cancel: slots.cancel,
    abandon: slots.leave,
    async clear() {
      await slots.clear();
      await clearTemps(folder);
    },

    async recover() {
      recovery.rewritten.clear();
      const directory = await folder.find(JOURNAL_PART);
      if (directory && (await readLeftJournals(directory, signature)).length > 0) {
        await lock.run(async () => {
          // Read again: another program may have settled them meanwhile.
          for (const { file, journal } of await readLeftJournals(directory, signature)) {
            await settle(journal);
            await rm(file, { force: true });
          }
        });
      }
    },
  };
}
