import { stripVTControlCharacters } from 'node:util';

/** The end of what a process wrote, in lines; the beginning is let go of. */
export interface OutputTail {
  /** Text whose letters are whole: two streams that take turns each decode their own. */
  add(piece: string): void;
  /** Plain lines: no colours, no control characters; a first line says when earlier ones are gone. */
  lines(): string[];
}

const CONTROL = /[\p{Cc}\p{Cf}]/gu;
const MAX_LINE = 2000;

/** Keeps at most `limit` characters. */
export function createOutputTail(limit: number): OutputTail {
  let text = '';
  let isCut = false;
  return {
    add(piece) {
      text += piece;
      // Cut now and then only: cutting at every piece would copy all of it each time.
      if (text.length > 2 * limit) text = cut();
    },
    lines() {
      text = cut();
      const lines = toPlainText(text).split('\n');
      if (lines.at(-1) === '') lines.pop();
      const shown = lines.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
      return isCut ? ['[earlier lines are left out]', ...shown] : shown;
    },
  };

  function cut(): string {
    if (text.length <= limit) return text;
    isCut = true;
    const tail = text.slice(-limit);
    const end = tail.indexOf('\n');
    return end === -1 ? tail : tail.slice(end + 1);
  }
}

/** Text as a log may show it. A line that was written over (as progress bars do) counts as it stood in the end. */
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
