import { useCallback, useEffect, useRef, useState } from 'react';
import type {
  TransactionEntry,
  TransactionFilter,
  TransactionPage,
} from '../../../shared/model/transactions/transaction-page.ts';
import { useAppChanges } from '../../state/app-changes.ts';
import { readLog } from './read-log.ts';

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

/** Reads the log while it is shown. */
export function useChangeLog(): ChangeLog {
  const [filter, setFilter] = useState<TransactionFilter>({});
  const [loaded, setLoaded] = useState<Loaded>(EMPTY);
  const [asked, setAsked] = useState(0);
  const latest = useRef(0);
  /** The filter of the entries that are shown. */
  const shown = useRef<TransactionFilter | null>(null);
  const changed = useAppChanges((state) => state.transactions + state.project + state.connection);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the counters trigger a new request
  useEffect(() => {
    const turn = ++latest.current;
    const isCurrent = () => turn === latest.current;
    const show = ({ entries, setAside, unwritten }: TransactionPage) => {
      if (!isCurrent()) return;
      shown.current = filter;
      setLoaded({ entries, setAside, unwritten, error: null });
    };
    // Entries that are read anew replace the shown ones when they are complete: the selected one may be far down.
    const showFirst = (page: TransactionPage) => shown.current !== filter && show(page);
    const timer = setTimeout(() => {
      readLog(filter, showFirst, isCurrent)
        .then(show)
        .catch((error: unknown) => {
          if (!isCurrent()) return;
          shown.current = null;
          setLoaded({ ...EMPTY, error });
        });
    }, READ_DELAY_MS);
    return () => clearTimeout(timer);
  }, [filter, asked, changed]);

  const refresh = useCallback(() => setAsked((before) => before + 1), []);
  return { filter, ...loaded, setFilter, refresh };
}
