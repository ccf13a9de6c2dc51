import type { TextEdit } from '../../model/diagnostic.ts';
import { SAY } from '../syntax/commands.ts';
import { Statement } from '../syntax/scan.ts';

/** Where a text is divided best, best first. Language data: the ends of sentences and of their parts. */
const BREAKS = [/[。！？!?…][」』”’"')）]*|\.(?=\s)/g, /[，、：；,]|——/g, /\s+/g];
/** What a line must not be divided in: names in braces, styled text, escapes. */
const WHOLE = /\{[^}]*\}|\[[^\]]*\]\([^)]*\)|\\.|[\ud800-\udbff][\udc00-\udfff]|[A-Za-z0-9'’-]+/g;
/** A shorter first line looks like a mistake. */
const LEAST_SHARE = 0.25;
/** Of the first line only: the voice, and what ends a line. */
const OF_FIRST: ReadonlySet<string> = new Set(['vocal', 'volume']);
const OF_SECOND: ReadonlySet<string> = new Set(['next', 'notend']);

/**
 * Returns the edit that divides a line of dialogue in two, so that the part of it that players do not see is in the second. Both keep
 * the speaker and the arguments; the voice stays with the first. `hidden`: that part as the engine shows it, or its beginning if it has
 * `length` characters as `toPlainSpeech` returns them; `line` is 1-based. Null for
 * other lines, for one that continues the text before it (`-concat`), and where the hidden part is not in the line.
 */
export function splitDialogue(
  text: string,
  { line, ...hidden }: { line: number; hidden: string; length?: number | undefined },
): TextEdit | null {
  const statement = new Statement(text, line - 1, 0);
  if (statement.command !== SAY || statement.argument('concat')) return null;
  const { contentStart, contentEnd } = statement;
  const content = text.slice(contentStart, contentEnd);
  const at = findBreak(content, hidden);
  if (at === null) return null;
  const toLine = (part: string, left: ReadonlySet<string>) =>
    `${text.slice(0, contentStart)}${part}${keepArguments(statement, left)}`;
  const first = `${toLine(content.slice(0, at).replace(/[\s|]+$/, ''), OF_SECOND)};`;
  const second = toLine(content.slice(at).replace(/^[\s|]+/, ''), OF_FIRST) + text.slice(statement.end);
  if (!isSameSpeech(statement, first) || !isSameSpeech(statement, second)) return null;
  return { line, column: 1, endLine: line, endColumn: text.length + 1, newText: `${first}\n${second}` };
}

/** Returns the position in the content at which the second line begins; null for none. */
function findBreak(content: string, hidden: { hidden: string; length?: number | undefined }): number | null {
  const limit = findHidden(content, hidden);
  if (limit === null) return null;
  const whole = [...content.matchAll(WHOLE)].map(({ index, 0: { length } }) => [index, index + length] as const);
  const isFree = (at: number) => !whole.some(([from, to]) => from < at && at < to);
  // Rows that the text has already; the engine drops those that are too many.
  const rows = [...content.matchAll(/(?<!\\)\|/g)].map(({ index }) => index + 1);
  const row = rows.findLast((at) => at <= limit);
  if (row !== undefined && row >= limit * LEAST_SHARE) return row;
  for (const pattern of BREAKS) {
    const ends = [...content.matchAll(pattern)].map(({ index, 0: { length } }) => index + length);
    const found = ends.findLast((at) => at <= limit && at >= limit * LEAST_SHARE && at < content.length && isFree(at));
    if (found !== undefined) return found;
  }
  for (let at = limit; at > 0; at -= 1) if (isFree(at)) return at;
  return null;
}

/** Returns where the hidden part begins, counted without what the engine does not show; null if it is not the end of the content. */
function findHidden(
  content: string,
  { hidden, length = 0 }: { hidden: string; length?: number | undefined },
): number | null {
  const beginning = toPlainSpeech(hidden);
  let left = Math.max(length, beginning.length);
  if (left === 0) return null;
  // Names stand for other texts, so that only what has none can be compared.
  const hasNames = /[{[]/.test(content);
  if (!hasNames && !toPlainSpeech(content).slice(-left).startsWith(beginning)) return null;
  for (let at = content.length; at > 0; at -= 1) {
    if (left === 0) return at;
    if (toPlainSpeech(content[at - 1] ?? '') !== '') left -= 1;
  }
  // All of it: the engine measures a longer text than is written.
  return hasNames ? Math.floor(content.length / 2) : null;
}

/** Returns a text without what the engine does not show in the same way: blanks, escapes and the ends of rows. */
export const toPlainSpeech = (text: string): string => text.replace(/[\s\\|]/g, '');

/** Returns the arguments as written, without those of some names. */
function keepArguments({ text, arguments: all, end, argsStart }: Statement, left: ReadonlySet<string>): string {
  const starts = all.map(({ nameStart }) => text.lastIndexOf(' -', nameStart));
  return all
    .map(({ name }, index) => (left.has(name) ? '' : text.slice(starts[index] ?? argsStart, starts[index + 1] ?? end)))
    .join('')
    .trimEnd();
}

function isSameSpeech(statement: Statement, line: string): boolean {
  const other = new Statement(line, 0, 0);
  return other.command === SAY && other.speaker === statement.speaker && other.content.trim() !== '';
}
