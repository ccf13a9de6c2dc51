import type { Emit, Output, Parsed } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Transaction } from '../../../shared/model/transactions/transaction.ts';
import {
  MAX_ENTRY_FILES,
  type RollbackResult,
  type TransactionEntry,
  type TransactionFilter,
} from '../../../shared/model/transactions/transaction-page.ts';
import type { Clock } from '../ports/host.ts';
import type { Reader } from '../ports/reader.ts';
import type { Transactions } from '../ports/transactions.ts';
import type { Writer } from '../ports/writer.ts';
import { planRollback } from './plan-rollback.ts';

/** Number of plans for one rollback, because a file can change between the plan and the write. */
const MAX_ATTEMPTS = 3;

/** Reads the transaction log for pages and undoes single transactions. */
export interface TransactionService {
  list(request: Parsed<'transactions.list'>): Promise<Output<'transactions.list'>>;
  diff(request: Parsed<'transactions.diff'>): Promise<Output<'transactions.diff'>>;
  export(filter: TransactionFilter): Promise<Output<'transactions.export'>>;
  states(ids: readonly string[]): Promise<Output<'transactions.states'>>;
  keep(id: string): Promise<void>;
  rollBack(id: string): Promise<RollbackResult>;
}

export interface TransactionServiceOptions {
  transactions: Transactions;
  /** The disk, without the proposal. */
  reader: Reader;
  writer: Writer;
  clock: Clock;
  emit: Emit;
}

export function createTransactionService(options: TransactionServiceOptions): TransactionService {
  const { transactions, writer, clock, emit } = options;
  transactions.on(() => emit('transactions.changed', {}));
  transactions.onUnwritten(() =>
    emit('app.noticed', { level: 'warning', reason: 'transactions.unwritten', details: {} }),
  );

  async function find(id: string): Promise<Transaction> {
    const state = await transactions.read();
    const found = state.transactions.find(({ patch_id: one }) => one === id);
    if (found) return found;
    throw new AppError('E_NOT_FOUND', `The log has no change ${id}.`, {
      details: { id },
      hint: 'Older changes leave the log; list it again.',
      reason: 'transactions.notFound',
    });
  }

  return {
    async list({ filter, skip, limit }) {
      const { transactions: all, setAside, unwritten } = await transactions.read();
      const matching = all.filter(createMatcher(filter)).reverse();
      const entries = matching.slice(skip, skip + limit).map(toEntry);
      return { entries, total: matching.length, setAside: [...setAside], unwritten };
    },

    async diff({ id, path }) {
      const { commands, undo_patch: undo } = await find(id);
      const command = commands.find((one) => one.path === path);
      if (!command)
        throw new AppError('E_BAD_ARGS', `The change ${id} does not name "${path}".`, { details: { path } });
      const snapshot = undo.commands.find((one) => one.path === path)?.snapshot ?? null;
      const read = (hash: string | null) => (hash === null ? null : transactions.readText({ hash, path, snapshot }));
      const [before, after] = await Promise.all([read(command.before), read(command.after)]);
      const isMissing = (before === null && command.before !== null) || (after === null && command.after !== null);
      return { path, before, after, isMissing };
    },

    async export(filter) {
      const { transactions: all } = await transactions.read();
      const rows = all.filter(createMatcher(filter)).map((transaction) => `${JSON.stringify(transaction)}\n`);
      return { text: rows.join(''), count: rows.length };
    },

    async states(ids) {
      const named = new Set(ids);
      const { transactions: all } = await transactions.read();
      const found = all.filter(({ patch_id: id }) => named.has(id));
      return { states: Object.fromEntries(found.map(({ patch_id: id, status }) => [id, status])) };
    },

    keep: (id) => transactions.keep(id),

    async rollBack(id) {
      for (let attempt = 1; ; attempt += 1) {
        const transaction = await find(id);
        if (!canRollBack(transaction)) throw toNotWritten(id);
        const { changes, conflicts } = await planRollback(options, transaction);
        if (conflicts.length > 0) return { status: 'conflict', conflicts };
        if (changes.length === 0) return { status: 'unchanged' };
        const label = {
          origin: 'restore' as const,
          group: clock.id(),
          title: transaction.metadata.title,
          rollsBack: id,
        };
        try {
          const written = await writer.apply(changes, label);
          emit('project.filesChanged', { paths: written.map(({ path }) => path) });
          emit('history.changed', {});
          const files = written.map(({ path, snapshotId, version }) => ({ path, snapshotId, version }));
          return { status: 'applied', group: label.group, files };
        } catch (error) {
          // Changed between the plan and the write; it may still merge.
          if (!(error instanceof AppError) || error.code !== 'E_CONFLICT' || attempt === MAX_ATTEMPTS) throw error;
        }
      }
    },
  };
}

function canRollBack({ status }: Transaction): boolean {
  return status === 'applied' || status === 'pending';
}

function toEntry(transaction: Transaction): TransactionEntry {
  const { patch_id: id, created_at: at, status, commands, metadata } = transaction;
  const { title, origin, code = null, recovered = false } = metadata;
  const files = commands.slice(0, MAX_ENTRY_FILES).map(({ path, op }) => ({ path, op }));
  return {
    ...{ id, title, at, origin, status, code, isRecovered: recovered, files },
    ...{ fileCount: commands.length, canRollBack: canRollBack(transaction) },
  };
}

/** Returns a predicate for all parts of the filter. Words match case-insensitively. */
function createMatcher({ status, origin, ...words }: TransactionFilter): (transaction: Transaction) => boolean {
  const file = words.file?.trim().toLowerCase() ?? '';
  const text = words.text?.trim().toLowerCase() ?? '';
  return (transaction) => {
    const { patch_id: id, template_id: template, step_id: step, commands, metadata } = transaction;
    const named = [metadata.title, id, template, step, metadata.group];
    return (
      (status === undefined || transaction.status === status) &&
      (origin === undefined || metadata.origin === origin) &&
      (file === '' || commands.some(({ path }) => path.toLowerCase().includes(file))) &&
      (text === '' || named.some((name) => name?.toLowerCase().includes(text)))
    );
  };
}

function toNotWritten(id: string): AppError {
  return new AppError('E_BAD_ARGS', `The change ${id} is not on the disk.`, {
    details: { id },
    hint: 'Only a change that was written and not undone can be undone.',
    reason: 'transactions.notWritten',
  });
}
