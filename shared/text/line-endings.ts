/** The byte order mark, as decoded. */
export const BYTE_ORDER_MARK = '\uFEFF';

type Ending = '\n' | '\r\n' | '';

interface Line {
  text: string;
  ending: Ending;
}

function toLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < text.length) {
    const feed = text.indexOf('\n', start);
    if (feed === -1) {
      lines.push({ text: text.slice(start), ending: '' });
      break;
    }
    const isPair = feed > start && text[feed - 1] === '\r';
    lines.push({ text: text.slice(start, isPair ? feed - 1 : feed), ending: isPair ? '\r\n' : '\n' });
    start = feed + 1;
  }
  return lines;
}

/** Limits the time of the comparison; files with mixed endings that differ this much are rare. */
const MAX_CELLS = 4_000_000;

/** Index of the old line that each new line continues (-1: none), by longest common subsequence between equal ends. */
function matchLines(before: readonly Line[], after: readonly Line[]): Int32Array {
  const matches = new Int32Array(after.length).fill(-1);
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start]?.text === after[start]?.text) {
    matches[start] = start;
    start += 1;
  }
  let oldEnd = before.length;
  let newEnd = after.length;
  while (oldEnd > start && newEnd > start && before[oldEnd - 1]?.text === after[newEnd - 1]?.text) {
    oldEnd -= 1;
    newEnd -= 1;
    matches[newEnd] = oldEnd;
  }
  const rows = oldEnd - start;
  const columns = newEnd - start;
  if (rows === 0 || columns === 0 || rows * columns > MAX_CELLS) return matches;
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[start + row]?.text === after[start + column]?.text
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  let row = 0;
  let column = 0;
  while (row < rows && column < columns) {
    if (before[start + row]?.text === after[start + column]?.text) {
      matches[start + column] = start + row;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return matches;
}

/**
 * Gives a new text the byte order mark and the line endings of the text it replaces, so that a diff contains only the
 * lines that were edited. Lines with unchanged text keep their own ending; new ones get the file's dominant one. A new
 * text that contains `\r\n` is kept as it is, and so is the presence or absence of a line break at its end.
 */
export function keepLineEndings(before: string, after: string): string {
  const hadMark = before.startsWith(BYTE_ORDER_MARK);
  const hasMark = after.startsWith(BYTE_ORDER_MARK);
  const mark = hadMark || hasMark ? BYTE_ORDER_MARK : '';
  const oldBody = hadMark ? before.slice(1) : before;
  const newBody = hasMark ? after.slice(1) : after;
  if (!oldBody.includes('\r\n') || newBody.includes('\r\n')) return mark + newBody;

  const oldLines = toLines(oldBody);
  const pairs = oldLines.filter((line) => line.ending === '\r\n').length;
  const feeds = oldLines.filter((line) => line.ending === '\n').length;
  const dominant: Ending = pairs >= feeds ? '\r\n' : '\n';
  if (feeds === 0) return mark + newBody.replaceAll('\n', dominant);

  const newLines = toLines(newBody);
  const matches = matchLines(oldLines, newLines);
  return newLines.reduce((text, line, index) => {
    if (line.ending === '') return text + line.text;
    const old = oldLines[matches[index] ?? -1];
    return text + line.text + (old?.ending || dominant);
  }, mark);
}

/** Gives the added lines of an edited text CRLF endings where the text before had only those. */
export function keepUniformEndings(before: string, after: string): string {
  const isUniform = before.includes('\r\n') && !/(?<!\r)\n/.test(before);
  return isUniform ? after.replace(/(?<!\r)\n/g, '\r\n') : after;
}
