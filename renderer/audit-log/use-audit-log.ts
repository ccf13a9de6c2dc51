import { useCallback, useEffect, useRef, useState } from 'react';
import type { AuditFilter, AuditPage, AuditPosition } from '../../shared/model/audit.ts';
import type { ToolFacts } from '../../shared/model/capability.ts';
import { api } from '../api.ts';
import { useAppChanges } from '../state/app-changes.ts';

/** Rows per page; limits the rendering time independently of the log's length. */
export const PAGE_SIZE = 50;
/** Debounce for bursts of tool calls and for typing in a filter. */
const READ_DELAY_MS = 300;

export interface AuditLog {
  filter: AuditFilter;
  /** 1-based. */
  page: number;
  /** Null until loaded. */
  shown: AuditPage | null;
  error: unknown;
  isReading: boolean;
  tools: readonly ToolFacts[];
  setFilter(filter: AuditFilter): void;
  setPage(page: number): void;
  refresh(): void;
}

/** Reads the audit log page by page; the first page is updated with new calls. */
export function useAuditLog(): AuditLog {
  const [filter, setOwnFilter] = useState<AuditFilter>({});
  const [page, setPage] = useState(1);
  const [asked, setAsked] = useState(0);
  const [answer, setAnswer] = useState<{ shown: AuditPage | null; error: unknown }>({ shown: null, error: null });
  const [isReading, setReading] = useState(true);
  const [tools, setTools] = useState<readonly ToolFacts[]>([]);
  const asOf = useRef<AuditPosition | null>(null);
  const latest = useRef(0);
  const project = useAppChanges((state) => state.project);
  const [seenProject, setSeenProject] = useState(project);
  // Later pages stay as they are while the user reads them.
  const grown = useAppChanges((state) => (page === 1 ? state.audit + state.connection : 0));

  if (seenProject !== project) {
    setSeenProject(project);
    setPage(1);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the counters trigger a new request
  useEffect(() => {
    const turn = ++latest.current;
    setReading(true);
    const timer = setTimeout(() => {
      // Later pages use the log as of the first one, so that new calls do not shift rows between pages.
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
    }, READ_DELAY_MS);
    return () => clearTimeout(timer);
  }, [filter, page, asked, project, grown]);

  const refresh = useCallback(() => setAsked((before) => before + 1), []);

  useEffect(() => {
    void api.call('tools.list', {}).then(
      (known) => setTools(known.tools),
      // Without titles the tools are shown by name.
      () => undefined,
    );
  }, []);

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
