import { z } from 'zod';
import { method } from '../../method.ts';
import { MAX_PLAN_STEPS } from '../plan/patch.ts';
import { TransactionStatus } from './transaction.ts';
import { RollbackResult, TransactionDiff, TransactionFilter, TransactionPage } from './transaction-page.ts';

const id = z.string().min(1).max(200);

/** The methods of the contract about the log of what was written to the open game. */
export const transactionMethods = {
  /** Everything that was written to the open game, newest first, with changes that were refused, checked only or undone. */
  'transactions.list': method(
    z.strictObject({ filter: TransactionFilter, skip: z.int().min(0).max(1_000_000), limit: z.int().min(1).max(500) }),
    TransactionPage,
  ),
  /** What a transaction did to one file. `E_NOT_FOUND`, reason `transactions.notFound`, when it left the log. */
  'transactions.diff': method(z.strictObject({ id, path: z.string().min(1).max(4096) }), TransactionDiff),
  /** The present states of transactions; those that left the log have none. */
  'transactions.states': method(
    z.strictObject({ ids: z.array(id).max(MAX_PLAN_STEPS) }),
    z.object({ states: z.record(z.string(), TransactionStatus) }),
  ),
  /** Makes a pending transaction final. `E_NOT_FOUND`, reason `transactions.notPending`. */
  'transactions.keep': method(z.strictObject({ id }), z.strictObject({})),
  /**
   * Undoes one transaction while later ones stay; all of its files or none. The undo is a transaction too.
   * `E_BAD_ARGS`, reason `transactions.notWritten`, for one that is not on the disk.
   */
  'transactions.rollBack': method(z.strictObject({ id }), RollbackResult),
  /** The log as JSON lines, oldest first, each transaction in its last state. */
  'transactions.export': method(
    z.strictObject({ filter: TransactionFilter }),
    z.object({ text: z.string(), count: z.int().min(0) }),
  ),
} as const;
