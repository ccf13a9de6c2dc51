import type { Output, Parsed } from '../../../../shared/contract.ts';
import { AuditEntry, type AuditFilter, MARK_LENGTH, toOutcome } from '../../../../shared/model/audit.ts';
import type { RotatedLog } from '../../ports/logs.ts';
import { toAuditEvent } from './to-audit-event.ts';
import { AUDIT_TABLE_HEAD, toAuditRow } from './to-audit-table.ts';

/** Reads the audit log for pages. */
export interface AuditService {
  list(request: Parsed<'audit.list'>): Promise<Output<'audit.list'>>;
  export(filter: AuditFilter, format: Parsed<'audit.export'>['format']): Promise<Output<'audit.export'>>;
}

/** The newest line of a log; null while it was empty. */
type Mark = string | null;

/** An entry with the moment, in milliseconds, when its line was appended. */
interface Appended {
  entry: AuditEntry;
  moment: number;
}

/** Reads the logs for each request, piece by piece, so that results are current and memory is bounded. */
export function createAuditService(logs: readonly Pick<RotatedLog, 'history'>[]): AuditService {
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

  /** Like `scanLog` from the line of `mark` on; from the newest one if that line is gone. `marks` receives the first line. */
  async function* scanFrom(
    log: Pick<RotatedLog, 'history'>,
    { mark, found, marks }: { mark: Mark | undefined; found: { damaged: number }; marks: Mark[] },
  ): AsyncGenerator<Appended> {
    const position = marks.push(mark ?? null) - 1;
    if (mark === null) return;
    let isNewer = mark !== undefined;
    let moment = Number.POSITIVE_INFINITY;
    for await (const entry of scanLog(log, found)) {
      if (isNewer && toMark(entry) !== mark) continue;
      isNewer = false;
      marks[position] ??= toMark(entry);
      // A clock that was set back does not move a line behind older ones of its log.
      moment = Math.min(moment, Date.parse(entry.at) + toMilliseconds(entry.ms));
      yield { entry, moment };
    }
    if (isNewer) yield* scanFrom(log, { mark: undefined, found: { damaged: 0 }, marks: [] });
  }

  function scan(
    found: { damaged: number },
    asOf: readonly Mark[] = [],
    marks: Mark[] = [],
  ): AsyncGenerator<AuditEntry> {
    return mergeNewestFirst(logs.map((log, index) => scanFrom(log, { mark: asOf[index], found, marks })));
  }

  return {
    async list({ filter, skip, limit, asOf }) {
      const found = { damaged: 0 };
      const entries: AuditEntry[] = [];
      const tools = new Set<string>();
      const matches = createAuditMatcher(filter);
      const marks: Mark[] = [];
      let total = 0;
      for await (const entry of scan(found, asOf, marks)) {
        tools.add(entry.tool);
        if (!matches(entry)) continue;
        if (total >= skip && total < skip + limit) {
          const whole = AuditEntry.safeParse(entry);
          if (whole.success) entries.push(whole.data);
          else found.damaged += 1;
        }
        // Counted whether it is whole or not: other pages skip it without parsing.
        total += 1;
      }
      return { entries, total, damaged: found.damaged, tools: [...tools].sort(), asOf: marks };
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

/** Yields what the sources yield, each of them newest first. Of two lines of the same moment the one of the first source comes first. */
async function* mergeNewestFirst(sources: readonly AsyncGenerator<Appended>[]): AsyncGenerator<AuditEntry> {
  const heads: { appended: Appended; rest: AsyncGenerator<Appended>; source: number }[] = [];
  const take = async (rest: AsyncGenerator<Appended>, source: number): Promise<void> => {
    const { value, done } = await rest.next();
    if (done !== true) heads.push({ appended: value, rest, source });
  };
  for (const [source, rest] of sources.entries()) await take(rest, source);
  while (heads.length > 0) {
    if (heads.length > 1) {
      heads.sort((one, other) => other.appended.moment - one.appended.moment || one.source - other.source);
    }
    const head = heads.shift();
    if (head === undefined) return;
    yield head.appended.entry;
    await take(head.rest, head.source);
  }
}

/** Lines of earlier versions have no id. */
function toMark({ id, at, call }: AuditEntry): string {
  return String(id ?? `${at} ${call}`).slice(0, MARK_LENGTH);
}

function toMilliseconds(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
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
