import { stripVTControlCharacters } from 'node:util';

/** The last lines of a process's output; earlier ones are dropped. */
export interface OutputTail {
  /** Adds decoded text without split characters: two interleaved streams each decode their own. */
  add(piece: string): void;
  /** Returns plain lines: no colours, no control characters; a first line says when earlier ones were dropped. */
  lines(): string[];
}

const CONTROL = /[\p{Cc}\p{Cf}]/gu;
const MAX_LINE_CHARACTERS = 2000;

/** Creates a tail of at most `limit` characters. */
export function createOutputTail(limit: number): OutputTail {
  let text = '';
  let isTruncated = false;
  return {
    add(piece) {
      text += piece;
      // Truncated only occasionally: truncating at every piece would copy all of it each time.
      if (text.length > 2 * limit) text = cut();
    },
    lines() {
      text = cut();
      const lines = toPlainText(text).split('\n');
      if (lines.at(-1) === '') lines.pop();
      const shown = lines.map((line) =>
        line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line,
      );
      return isTruncated ? ['[earlier lines are left out]', ...shown] : shown;
    },
  };

  function cut(): string {
    if (text.length <= limit) return text;
    isTruncated = true;
    const tail = text.slice(-limit);
    const end = tail.indexOf('\n');
    return end === -1 ? tail : tail.slice(end + 1);
  }
}

/** Returns the text as a log may show it. A line that was overwritten (as progress bars do) counts in its final state. */
function toPlainText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) =>
      line
        .slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1)
        .replaceAll('\t', '  ')
        .replace(CONTROL, ''),
    )
    .join('\n');
}
