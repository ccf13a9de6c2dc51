import { useCallback, useEffect, useRef, useState } from 'react';
import type { AuditFilter, AuditPage } from '../../shared/model/audit.ts';
import type { ToolFacts } from '../../shared/model/capability.ts';
import { api } from '../api.ts';

/** Rows on one page: enough to read, few enough to draw at once, however long the record is. */
export const PAGE_SIZE = 50;
/** The assistant's steps come in bursts, and typing in a filter too. Milliseconds. */
const CALM = 300;

export interface Record {
  filter: AuditFilter;
  /** From 1 on. */
  page: number;
  /** Null until the app has answered. */
  shown: AuditPage | null;
  error: unknown;
  isReading: boolean;
  tools: readonly ToolFacts[];
  setFilter(filter: AuditFilter): void;
  setPage(page: number): void;
  refresh(): void;
}

/** The record of what the assistant did, a page at a time; the first page follows what it does now. */
export function useRecord(): Record {
  const [filter, setOwnFilter] = useState<AuditFilter>({});
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState(0);
  const [answer, setAnswer] = useState<{ shown: AuditPage | null; error: unknown }>({ shown: null, error: null });
  const [isReading, setReading] = useState(true);
  const [tools, setTools] = useState<readonly ToolFacts[]>([]);
  const asOf = useRef<string | null>(null);
  const latest = useRef(0);
  const isFirst = useRef(true);
  isFirst.current = page === 1;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `asked` says when to look again
  useEffect(() => {
    const turn = ++latest.current;
    setReading(true);
    const timer = setTimeout(() => {
      // Later pages go on from what the first one counted, so that news does not push rows from page to page.
      const from = page > 1 && asOf.current !== null ? { asOf: asOf.current } : {};
      api.call('audit.list', { filter, skip: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE, ...from }).then(
        (shown) => {
          if (turn !== latest.current) return;
          asOf.current = shown.asOf;
          setAnswer({ shown, error: null });
          setReading(false);
        },
        (error: unknown) => {
          if (turn !== latest.current) return;
          setAnswer({ shown: null, error });
          setReading(false);
        },
      );
    }, CALM);
    return () => clearTimeout(timer);
  }, [filter, page, asked]);

  const refresh = useCallback(() => setAsked((before) => before + 1), []);

  useEffect(() => {
    void api.call('tools.list', {}).then(
      (known) => setTools(known.tools),
      // Without their titles the tools are shown by their names.
      () => undefined,
    );
    const stops = [
      api.on('audit.changed', () => isFirst.current && refresh()),
      api.on('project.changed', () => {
        setPage(1);
        refresh();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [refresh]);

  return {
    filter,
    page,
    ...answer,
    isReading,
    tools,
    setFilter(next) {
      setOwnFilter(next);
      setPage(1);
    },
    setPage,
    refresh,
  };
}
