import type {
  TransactionEntry,
  TransactionFilter,
  TransactionPage,
} from '../../../shared/model/transactions/transaction-page.ts';
import { api } from '../../api.ts';

const PAGE_SIZE = 100;
const LARGE_PAGE_SIZE = 500;

/**
 * Reads the whole log in pages, newest first. `onFirst` receives the first page if there are more. Stops early, with what it has,
 * when `isCurrent` returns false.
 */
export async function readLog(
  filter: TransactionFilter,
  onFirst: (page: TransactionPage) => void,
  isCurrent: () => boolean,
): Promise<TransactionPage> {
  const read = (skip: number, limit: number) => api.call('transactions.list', { filter, skip, limit });
  const first = await read(0, PAGE_SIZE);
  const { total } = first;
  if (first.entries.length < total) onFirst(first);
  // By id: a change that is written meanwhile moves the others to later places.
  const all = new Map<string, TransactionEntry>(first.entries.map((entry) => [entry.id, entry]));
  let skip = first.entries.length;
  while (skip < total && isCurrent()) {
    const { entries } = await read(skip, LARGE_PAGE_SIZE);
    if (entries.length === 0) break;
    for (const entry of entries) all.set(entry.id, entry);
    skip += entries.length;
  }
  return { ...first, entries: [...all.values()] };
}
