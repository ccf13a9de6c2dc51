import { BYTE_ORDER_MARK } from './line-endings.ts';
import { toSpelled } from './spelled-text.ts';

/** Consecutive empty lines that are shown; longer runs are replaced by their count. */
const MAX_EMPTY_LINES = 8;
/** Consecutive spaces that are shown. */
const MAX_SPACES = 80;
const SPACES = new RegExp(`[ \\t\\u3000]{${MAX_SPACES + 1},}`, 'g');

/** Formats the count of empty lines or of spaces. */
export interface RunWords {
  emptyLines(count: number): string;
  spaces(count: number): string;
}

/** A text for display, with fewer lines than the original. */
export interface ShownLines {
  text: string;
  /** For each shown line, the first original line it stands for; 1-based. */
  lines: number[];
}

/**
 * Formats a text for a diff: special characters spelled out, and long runs of empty lines and of spaces replaced by
 * their count, so that no text is pushed out of view. The byte order mark, which any file may begin with, is left out.
 */
export function toShownLines(text: string, words: RunWords): ShownLines {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const all = toSpelled(body).split('\n');
  const shown: string[] = [];
  const lines: number[] = [];
  for (let at = 0; at < all.length; ) {
    let end = at;
    while (end < all.length && (all[end] ?? '').trim() === '') end += 1;
    // The text after the last line feed is not displayed as a line.
    const count = (end === all.length ? end - 1 : end) - at;
    if (count > MAX_EMPTY_LINES) {
      shown.push(`⟦${words.emptyLines(count)}⟧`);
      lines.push(at + 1);
      at += count;
      continue;
    }
    shown.push((all[at] ?? '').replace(SPACES, (run) => `⟦${words.spaces(run.length)}⟧`));
    lines.push(at + 1);
    at += 1;
  }
  return { text: shown.join('\n'), lines };
}

/** The shown line that contains a line of the text; both 1-based. */
export function toShownLine({ lines }: ShownLines, line: number): number {
  let from = 0;
  for (let to = lines.length; from < to; ) {
    const middle = (from + to) >> 1;
    if ((lines[middle] ?? 0) <= line) from = middle + 1;
    else to = middle;
  }
  return Math.max(1, from);
}

/** True when two texts differ only in line endings and a byte order mark. */
export function isLineEndingsOnly(before: string | null, after: string | null): boolean {
  if (before === null || after === null || before === after) return false;
  return toPlain(before) === toPlain(after);
}

function toPlain(text: string): string {
  return (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).replace(/\r\n?/g, '\n');
}
