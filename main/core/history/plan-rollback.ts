import { AppError } from '../../../shared/errors.ts';
import type { Transaction, TransactionCommand } from '../../../shared/model/transactions/transaction.ts';
import type { RollbackConflict } from '../../../shared/model/transactions/transaction-page.ts';
import type { Reader, TextFile } from '../ports/reader.ts';
import type { Transactions } from '../ports/transactions.ts';
import type { Change } from '../ports/writer.ts';
import { mergeIntoFile } from '../text/merge-texts.ts';

interface RollbackPorts {
  /** The disk, without the proposal. */
  reader: Reader;
  transactions: Pick<Transactions, 'readText'>;
}

/** The undo of a transaction: what to write now, or why it cannot be undone. */
export interface RollbackPlan {
  changes: Change[];
  conflicts: RollbackConflict[];
}

type FilePlan = Change | { reason: RollbackConflict['reason'] } | null;

/**
 * Plans to take back what a transaction did, while later changes stay: a three-way merge of each file, from its text after the
 * transaction to the one before it and to the present one.
 */
export async function planRollback(ports: RollbackPorts, transaction: Transaction): Promise<RollbackPlan> {
  const plan: RollbackPlan = { changes: [], conflicts: [] };
  for (const command of transaction.commands) {
    const made = await planFile(ports, transaction, command);
    if (made && 'reason' in made) plan.conflicts.push({ path: command.path, reason: made.reason });
    else if (made) plan.changes.push(made);
  }
  return plan;
}

async function planFile(
  { reader, transactions }: RollbackPorts,
  transaction: Transaction,
  { path, before, after }: TransactionCommand,
): Promise<FilePlan> {
  const now = await readNow(reader, path);
  if (now === undefined) return { reason: 'changed' };
  const base = now?.version ?? null;
  if (base === before) return null;
  const undo = transaction.undo_patch.commands.find((command) => command.path === path);
  const snapshot = undo?.snapshot ?? null;
  const old = before === null ? null : await transactions.readText({ hash: before, path, snapshot });
  if (before !== null && old === null) return { reason: 'missing' };
  if (base === after) return { path, text: old, base, ...(snapshot !== null && { restores: snapshot }) };
  if (now === null) return { reason: 'gone' };
  if (after === null) return { reason: 'exists' };
  if (old === null) return { reason: 'changed' };
  const made = await transactions.readText({ hash: after, path, snapshot: null });
  if (made === null) return { reason: 'missing' };
  const merged = mergeIntoFile({ base: made, mine: old, theirs: now.text });
  if (merged === null) return { reason: 'changed' };
  return merged === now.text ? null : { path, text: merged, base };
}

/** Returns null if the file does not exist, undefined if it cannot be read. */
async function readNow(reader: Reader, path: string): Promise<TextFile | null | undefined> {
  try {
    return (await reader.stat(path)) === null ? null : await reader.read(path);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
