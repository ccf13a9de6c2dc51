const BYTE_ORDER_MARK = '\uFEFF';
const LINE = /([^\r\n]*)(\r\n|\n|\r|$)/g;

/** Converts a file's text for the editor: no byte order mark, `\n` between lines. */
export function toEditorText(text: string): string {
  return withoutMark(text).replace(/\r\n?/g, '\n');
}

/**
 * Converts the editor's text to the style of the original file: its byte order mark, and the original line ending of each
 * unchanged line before or after the edit. New lines get the most frequent line ending of the file.
 */
export function toFileText(edited: string, original: string): string {
  const before = splitLines(withoutMark(original));
  const after = toEditorText(edited).split('\n');
  const usual = usualEnding(before);
  const last = after.length - 1;
  const same = (from: number, to: number) => before[from]?.text === after[to];

  let head = 0;
  while (head < after.length && head < before.length && same(head, head)) head += 1;
  let tail = 0;
  const limit = Math.min(after.length, before.length) - head;
  while (tail < limit && same(before.length - 1 - tail, last - tail)) tail += 1;

  const endingOf = (index: number): string => {
    if (index === last) return '';
    const from = index < head ? index : index > last - tail ? before.length - 1 - (last - index) : -1;
    return before[from]?.ending || usual;
  };
  let text = '';
  for (const [index, line] of after.entries()) {
    const ending = endingOf(index);
    // A lone carriage return before this line feed would form one line ending with it and lose the empty line.
    const isSwallowed = line === '' && ending === '\n' && text.endsWith('\r');
    text += line + (isSwallowed ? '\r' : ending);
  }
  return original.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK + text : text;
}

interface Line {
  text: string;
  ending: string;
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  for (const match of text.matchAll(LINE)) {
    lines.push({ text: match[1] ?? '', ending: match[2] ?? '' });
    if (match[2] === '') break;
  }
  return lines;
}

function usualEnding(lines: readonly Line[]): string {
  const counts = new Map<string, number>();
  for (const { ending } of lines) if (ending !== '') counts.set(ending, (counts.get(ending) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '\n';
}
