import { BYTE_ORDER_MARK } from './line-endings.ts';
import { toSpelled } from './spelled-text.ts';

/** Empty lines in a row that are shown as they are; of more, only their number is. */
const MOST_EMPTY_LINES = 8;
/** Spaces in a row that are shown as they are. */
const MOST_SPACES = 80;
const SPACES = new RegExp(`[ \\t\\u3000]{${MOST_SPACES + 1},}`, 'g');

/** How a number of empty lines, or of spaces, is worded. */
export interface RunWords {
  emptyLines(count: number): string;
  spaces(count: number): string;
}

/** A text to look at, in fewer lines than it has. */
export interface ShownLines {
  text: string;
  /** Of each shown line, the line of the text it begins with; 1-based. */
  lines: number[];
}

/**
 * A text as a comparison shows it: spelt out, and with long runs of empty lines and of spaces told by their number, so that
 * nothing stands out of sight. The byte order mark, which every file may begin with, is left out.
 */
export function toShownLines(text: string, words: RunWords): ShownLines {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const all = toSpelled(body).split('\n');
  const shown: string[] = [];
  const lines: number[] = [];
  for (let at = 0; at < all.length; ) {
    let end = at;
    while (end < all.length && (all[end] ?? '').trim() === '') end += 1;
    // What follows the last line feed is no line to the eye.
    const count = (end === all.length ? end - 1 : end) - at;
    if (count > MOST_EMPTY_LINES) {
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

/** The shown line that a line of the text stands in; both 1-based. */
export function toShownLine({ lines }: ShownLines, line: number): number {
  const after = lines.findIndex((first) => first > line);
  return after < 0 ? lines.length : Math.max(1, after);
}

/** True when two texts differ in nothing but how their lines end, and in a byte order mark. */
export function isLineEndingsOnly(before: string | null, after: string | null): boolean {
  if (before === null || after === null || before === after) return false;
  return toPlain(before) === toPlain(after);
}

function toPlain(text: string): string {
  return (text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text).replace(/\r\n?/g, '\n');
}
