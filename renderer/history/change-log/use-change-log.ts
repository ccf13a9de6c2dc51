import { useCallback, useEffect, useRef, useState } from 'react';
import type {
  TransactionEntry,
  TransactionFilter,
  TransactionPage,
} from '../../../shared/model/transactions/transaction-page.ts';
import { api } from '../../api.ts';
import { useAppChanges } from '../../state/app-changes.ts';

const PAGE_SIZE = 100;
const LARGE_PAGE_SIZE = 500;
/** Debounce for bursts of writes and for typing in a filter. */
const READ_DELAY_MS = 200;

export interface ChangeLog {
  filter: TransactionFilter;
  /** Newest first; null until loaded. */
  entries: readonly TransactionEntry[] | null;
  setAside: readonly string[];
  unwritten: number;
  error: unknown;
  setFilter(filter: TransactionFilter): void;
  refresh(): void;
}

type Loaded = Pick<ChangeLog, 'entries' | 'setAside' | 'unwritten' | 'error'>;

const EMPTY: Loaded = { entries: null, setAside: [], unwritten: 0, error: null };

/** Reads the log while it is shown, in pages; the newest are shown first. */
export function useChangeLog(): ChangeLog {
  const [filter, setFilter] = useState<TransactionFilter>({});
  const [loaded, setLoaded] = useState<Loaded>(EMPTY);
  const [asked, setAsked] = useState(0);
  const latest = useRef(0);
  const changed = useAppChanges((state) => state.transactions + state.project + state.connection);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the counters trigger a new request
  useEffect(() => {
    const turn = ++latest.current;
    const isCurrent = () => turn === latest.current;
    const timer = setTimeout(() => {
      readAll(filter, (next) => isCurrent() && setLoaded(next), isCurrent).catch((error: unknown) => {
        if (isCurrent()) setLoaded({ ...EMPTY, error });
      });
    }, READ_DELAY_MS);
    return () => clearTimeout(timer);
  }, [filter, asked, changed]);

  const refresh = useCallback(() => setAsked((before) => before + 1), []);
  return { filter, ...loaded, setFilter, refresh };
}

/** Reads all pages; `show` receives the first one and, at the end, all. */
async function readAll(
  filter: TransactionFilter,
  show: (loaded: Loaded) => void,
  isCurrent: () => boolean,
): Promise<void> {
  const read = (skip: number, limit: number): Promise<TransactionPage> =>
    api.call('transactions.list', { filter, skip, limit });
  const { entries, total, ...facts } = await read(0, PAGE_SIZE);
  const all = [...entries];
  if (all.length < total) show({ ...facts, entries: [...all], error: null });
  while (all.length < total && isCurrent()) {
    const page = await read(all.length, LARGE_PAGE_SIZE);
    if (page.entries.length === 0) break;
    all.push(...page.entries);
  }
  show({ ...facts, entries: all, error: null });
}
