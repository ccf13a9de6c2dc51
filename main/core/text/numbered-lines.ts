/** The lines of a text without their endings. The empty line after a final line feed does not count. */
export function toTextLines(text: string): string[] {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/** Numbers lines as the model is shown them: `12| text`. `first` is the number of the first line. */
export function numberLines(lines: readonly string[], first: number): string {
  return lines.map((line, index) => `${first + index}| ${line}`).join('\n');
}

const NUMBERED = /^[ \t]*(\d{1,9})\|(?: (.*)|)$/;

/**
 * Removes the line numbers of `numberLines` from a text. Returns null unless every line has one and they are consecutive: a
 * bar is part of the language of scripts, so one line alone proves nothing.
 */
export function withoutLineNumbers(text: string): string | null {
  const body = text.replace(/\r?\n$/, '');
  const end = text.slice(body.length);
  const lines = body.split(/\r?\n/);
  if (lines.length < 2) return null;
  const bare: string[] = [];
  let first = 0;
  for (const [index, line] of lines.entries()) {
    const found = NUMBERED.exec(line);
    if (found === null) return null;
    if (index === 0) first = Number(found[1]);
    else if (Number(found[1]) !== first + index) return null;
    bare.push(found[2] ?? '');
  }
  return bare.join('\n') + end;
}

/** Consecutive lines as a model is shown them. */
export interface NumberedPage {
  content: string;
  /** Number of shown lines. */
  count: number;
  /** True when the first line is longer than a page, so that only its beginning is shown. */
  isTruncated: boolean;
}

/**
 * Numbers as many lines as fit into `room` characters. A single longer line is cut, because it could never be read otherwise.
 * `toSize`: the characters of a numbered line with its end.
 */
export function toNumberedPage(
  lines: readonly string[],
  {
    first,
    room,
    toSize = (line) => line.length + 1,
  }: { first: number; room: number; toSize?: (line: string) => number },
): NumberedPage {
  const shown: string[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    const numbered = `${first + index}| ${line}`;
    length += toSize(numbered);
    if (length > room && shown.length > 0) break;
    if (length > room)
      return { content: `${numbered.slice(0, room / 2).toWellFormed()}…`, count: 1, isTruncated: true };
    shown.push(numbered);
  }
  return { content: shown.join('\n'), count: shown.length, isTruncated: false };
}
