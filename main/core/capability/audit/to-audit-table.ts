import { type AuditEntry, toOutcome } from '../../../../shared/model/audit.ts';

const COLUMNS: readonly [string, (entry: AuditEntry) => string][] = [
  ['at', ({ at }) => at],
  ['tool', ({ tool }) => tool],
  ['version', ({ version }) => version],
  ['mode', ({ mode }) => mode],
  ['outcome', toOutcome],
  ['code', ({ code }) => code ?? ''],
  ['decision', ({ decision }) => decision?.effect ?? ''],
  ['decided_by', ({ decision }) => decision?.by ?? ''],
  ['milliseconds', ({ ms }) => String(ms)],
  ['files_changed', ({ files }) => files.join(' | ')],
  ['commands_run', ({ commands }) => commands.join(' | ')],
  ['arguments', ({ args }) => JSON.stringify(args) ?? ''],
  ['trace', ({ trace }) => trace],
  ['call', ({ call }) => call],
  ['kind', ({ kind }) => kind ?? ''],
  ['caller', ({ caller }) => (caller ? `${caller.type}: ${caller.name ?? caller.id}` : '')],
  ['role', ({ caller }) => caller?.role ?? ''],
  ['risk', ({ risk }) => risk?.level ?? ''],
  ['undo', ({ undo }) => undo?.join(' | ') ?? ''],
  ['written_here', ({ isForeign }) => (isForeign ? 'no' : 'yes')],
];

/**
 * The header of the audit log as CSV (RFC 4180), with a byte order mark, because spreadsheets assume the system's code page
 * without one.
 */
export const AUDIT_TABLE_HEAD = `\uFEFF${toLine(COLUMNS.map(([name]) => name))}`;

/** Returns one CSV line. */
export function toAuditRow(entry: AuditEntry): string {
  return toLine(COLUMNS.map(([, toText]) => toText(entry)));
}

function toLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(',')}\r\n`;
}

function toCell(text: string): string {
  // Spreadsheets evaluate text that begins like a formula, and the log holds untrusted text.
  const safe = /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
