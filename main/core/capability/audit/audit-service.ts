import type { Output, Parsed } from '../../../../shared/contract.ts';
import { AuditEntry, type AuditFilter, toOutcome } from '../../../../shared/model/audit.ts';
import type { RotatedLog } from '../../ports/logs.ts';
import { toAuditEvent } from './to-audit-event.ts';
import { AUDIT_TABLE_HEAD, toAuditRow } from './to-audit-table.ts';

/** Reads the audit log for pages. */
export interface AuditService {
  list(request: Parsed<'audit.list'>): Promise<Output<'audit.list'>>;
  export(filter: AuditFilter, format: Parsed<'audit.export'>['format']): Promise<Output<'audit.export'>>;
}

/** Reads the logs for each request, piece by piece, so that results are current and memory is bounded. */
export function createAuditService(logs: readonly Pick<RotatedLog, 'history'>[]): AuditService {
  const scan = (found: { damaged: number }) => mergeNewestFirst(logs.map((log) => scanLog(log, found)));

  /** Yields entries, newest first. Foreign lines are parsed as untrusted input. */
  async function* scanLog(log: Pick<RotatedLog, 'history'>, found: { damaged: number }): AsyncGenerator<AuditEntry> {
    for await (const { lines, damaged } of log.history()) {
      found.damaged += damaged;
      for (const { entry, isForeign } of lines) {
        // Computed from the signature; a field of the line itself is overwritten.
        if (isLine(entry)) yield Object.assign(entry, { isForeign });
        else found.damaged += 1;
      }
    }
  }

  return {
    async list({ filter, skip, limit, asOf }) {
      const found = { damaged: 0 };
      const entries: AuditEntry[] = [];
      const tools = new Set<string>();
      const matches = createAuditMatcher(filter);
      let total = 0;
      let newest = asOf ?? null;
      for await (const entry of scan(found)) {
        newest ??= entry.at;
        tools.add(entry.tool);
        if ((asOf !== undefined && entry.at > asOf) || !matches(entry)) continue;
        if (total >= skip && entries.length < limit) {
          const whole = AuditEntry.safeParse(entry);
          if (whole.success) entries.push(whole.data);
          else {
            found.damaged += 1;
            continue;
          }
        }
        total += 1;
      }
      return { entries, total, damaged: found.damaged, tools: [...tools].sort(), asOf: newest };
    },

    async export(filter, format) {
      const matches = createAuditMatcher(filter);
      const rows: string[] = [];
      const toRow =
        format === 'csv'
          ? toAuditRow
          : (entry: AuditEntry) => `${JSON.stringify(format === 'events' ? toAuditEvent(entry) : entry)}\n`;
      for await (const entry of scan({ damaged: 0 })) {
        const whole = matches(entry) ? AuditEntry.safeParse(entry) : null;
        if (whole?.success) rows.push(toRow(whole.data));
      }
      rows.reverse();
      return { text: `${format === 'csv' ? AUDIT_TABLE_HEAD : ''}${rows.join('')}`, count: rows.length };
    },
  };
}

/** Yields what the sources yield, each of them newest first. */
async function* mergeNewestFirst(sources: readonly AsyncGenerator<AuditEntry>[]): AsyncGenerator<AuditEntry> {
  const heads: { entry: AuditEntry; rest: AsyncGenerator<AuditEntry> }[] = [];
  const take = async (rest: AsyncGenerator<AuditEntry>): Promise<void> => {
    const { value, done } = await rest.next();
    if (done !== true) heads.push({ entry: value, rest });
  };
  for (const source of sources) await take(source);
  while (heads.length > 0) {
    if (heads.length > 1) heads.sort((one, other) => (one.entry.at < other.entry.at ? 1 : -1));
    const head = heads.shift();
    if (head === undefined) return;
    yield head.entry;
    await take(head.rest);
  }
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/** Checks the fields that filters read. A line is parsed in full only when it is returned. */
function isLine(value: unknown): value is AuditEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { at, tool, ok, files, decision } = value as Record<string, unknown>;
  return (
    typeof at === 'string' &&
    MOMENT.test(at) &&
    typeof tool === 'string' &&
    typeof ok === 'boolean' &&
    Array.isArray(files) &&
    files.every((path) => typeof path === 'string') &&
    typeof decision === 'object'
  );
}

/** Returns a predicate for all parts of the filter. Words match case-insensitively. */
function createAuditMatcher(filter: AuditFilter): (entry: AuditEntry) => boolean {
  const { tool, outcome, by, from, to } = filter;
  const text = filter.text?.trim().toLowerCase() ?? '';
  const file = filter.file?.trim().toLowerCase() ?? '';
  return (entry) =>
    (tool === undefined || entry.tool === tool) &&
    (outcome === undefined || toOutcome(entry) === outcome) &&
    (by === undefined || entry.decision?.by === by) &&
    (from === undefined || entry.at >= from) &&
    (to === undefined || entry.at <= to) &&
    (file === '' || toNamedFiles(entry).some((path) => path.toLowerCase().includes(file))) &&
    (text === '' || JSON.stringify(entry).toLowerCase().includes(text));
}

/** Returns the files that a call changed or named in its arguments. */
function toNamedFiles({ files, args }: AuditEntry): string[] {
  if (typeof args !== 'object' || args === null) return files;
  const named = Object.values(args)
    .flat()
    .filter((value) => typeof value === 'string');
  return [...files, ...named];
}
