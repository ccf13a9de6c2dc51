import { say } from '../../i18n/diagnostics.ts';
import type { Engine } from '../engine/engine.ts';
import { isEngineAtLeast } from '../engine/engine-version.ts';
import { analyzeLine, LINE, type LineRecord } from './analyze-line.ts';
import type { Finding } from './line-report.ts';

/** A part of a statement that is written over several lines. */
interface Fold {
  /** Column in the joined statement. */
  at: number;
  /** Number of lines below the first. */
  line: number;
  /** Column in its own line. */
  column: number;
}

const FOLDS = new WeakMap<LineRecord, readonly Fold[]>();

/** True for engine versions that join a statement written over several lines. */
export const joinsLines = (version: string): boolean => isEngineAtLeast(version, '4.6.3');

/**
 * True for a line that continues the one above: indented, beginning with an argument or a bar. A line with `-concat`
 * never does.
 */
export function isContinuation(text: string): boolean {
  return text.charCodeAt(0) === 32 && /^\s*[-|]/.test(text) && !text.includes('-concat');
}

/**
 * Returns the last line of the statement that the line `line` is a part of, for an engine that joins lines. `textOf`: the text of a
 * line, undefined after the last one.
 */
export function lastLineOfStatement(textOf: (line: number) => string | undefined, line: number): number {
  let last = line;
  for (let below = textOf(last + 1); below !== undefined; below = textOf(last + 1)) {
    if (!textOf(last)?.endsWith('\\') && !isContinuation(below)) break;
    last += 1;
  }
  return last;
}

/**
 * Joins statements written over several lines as the engine does: the first line's record becomes that of the joined
 * statement, the others become placeholders. The number of records is unchanged. Modifies `records`; linear in their
 * text.
 */
export function foldRecords(records: LineRecord[], engine: Engine): void {
  for (let first = 0; first < records.length; first += 1) {
    let { text } = records[first] as LineRecord;
    const below = records[first + 1];
    if (below === undefined) return;
    if (!text.endsWith('\\') && !isContinuation(below.text)) continue;
    let joined: string | null = null;
    const isBlank = text.trim() === '';
    const folds: Fold[] = [{ at: 0, line: 0, column: 0 }];
    const parts: string[] = [];
    let length = 0;
    let last = first;
    for (let next = records[last + 1]; next !== undefined; next = records[last + 1]) {
      const isForced = text.endsWith('\\');
      if (!isForced && !isContinuation(next.text)) break;
      if (joined === null) {
        joined = isForced ? text.slice(0, -1) : text;
        parts.push(joined);
        length = joined.length;
      }
      last += 1;
      text = next.text;
      const isLast = records[last + 1] === undefined || !text.endsWith('\\');
      const own = isLast ? text : text.slice(0, -1);
      const part = own.trim();
      const blank = part.startsWith('-') ? 1 : 0;
      const indent = own.length - own.trimStart().length;
      folds.push({ at: length, line: last - first, column: Math.max(0, indent - blank) });
      parts.push(blank === 1 ? ` ${part}` : part);
      length += part.length + blank;
      records[last] = toPlaceholder(next.text, last === first + 1 && !isBlank);
    }
    if (last === first) continue;
    if (!isBlank) {
      const whole = analyzeLine(parts.join(''), engine);
      // Records of equal text are shared; this one needs its own line mapping.
      const record = { ...whole, flags: whole.flags | LINE.folded };
      FOLDS.set(record, folds);
      records[first] = record;
    }
    first = last;
  }
}

function toPlaceholder(text: string, isFirst: boolean): LineRecord {
  const start = Math.max(0, text.length - text.trimStart().length);
  const note: Finding = {
    code: 'continuation-line',
    start,
    end: Math.max(start + 1, text.trimEnd().length),
    severity: 'info',
    values: { effect: JOINED },
  };
  return {
    text,
    command: null,
    flags: LINE.continued,
    speaker: null,
    figure: null,
    references: null,
    findings: isFirst ? [note] : null,
    depends: 0,
    resolved: null,
  };
}

const JOINED = say('notes.joined');

/**
 * The column in the joined statement for a column in the line that is `line` lines below its first; null if the
 * statement has no such line.
 */
export function fold(record: LineRecord, line: number, column: number): number | null {
  const found = FOLDS.get(record)?.find((one) => one.line === line);
  return found === undefined ? null : found.at + Math.max(0, column - found.column);
}

/**
 * Position of a column of a record, with lines counted from the record's own. At a line boundary an end belongs to the
 * upper line and a start to the lower.
 */
export function unfold(record: LineRecord, column: number, side: 'start' | 'end'): { line: number; column: number } {
  const folds = (record.flags & LINE.folded) === 0 ? undefined : FOLDS.get(record);
  if (folds === undefined) return { line: 0, column };
  const bound = side === 'start' ? column : column - 1;
  const fold = folds.findLast(({ at }) => at <= bound) ?? (folds[0] as Fold);
  return { line: fold.line, column: fold.column + column - fold.at };
}
