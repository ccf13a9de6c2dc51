/** Pure matching of one text; runs in the search thread. */

const MAX_PREVIEW_CHARACTERS = 300;

export interface LineMatch {
  line: number;
  preview: string;
  before?: string[];
  after?: string[];
}

export interface TextPattern {
  regex: string;
  flags: string;
  /** Lets a match span lines: `.` matches line breaks too. */
  multiline: boolean;
  /** A text that every match contains; null when none is known. */
  literal: string | null;
  /** Number of context lines around a match. */
  before: number;
  after: number;
}

/** Receives a match; returns false to stop. */
type Report = (match: LineMatch) => boolean;

function toPreview(line: string, at: number): string {
  const start =
    line.length <= MAX_PREVIEW_CHARACTERS ? 0 : Math.max(0, Math.min(at - 60, line.length - MAX_PREVIEW_CHARACTERS));
  const cut = line
    .slice(start, start + MAX_PREVIEW_CHARACTERS)
    .trim()
    .toWellFormed();
  return (start > 0 ? '…' : '') + cut + (start + MAX_PREVIEW_CHARACTERS < line.length ? '…' : '');
}

function toShown(line: string): string {
  return line.length <= MAX_PREVIEW_CHARACTERS ? line : `${line.slice(0, MAX_PREVIEW_CHARACTERS).toWellFormed()}…`;
}

/** Returns the line from `start`, without its line break. */
function toLine(text: string, start: number): { line: string; end: number } {
  const feed = text.indexOf('\n', start);
  const end = feed === -1 ? text.length : feed;
  return { line: text.slice(start, end > start && text[end - 1] === '\r' ? end - 1 : end), end };
}

function linesBefore(text: string, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let at = start; lines.length < count && at > 0; ) {
    const previous = at < 2 ? 0 : text.lastIndexOf('\n', at - 2) + 1;
    lines.unshift(toShown(toLine(text, previous).line));
    at = previous;
  }
  return lines;
}

function linesAfter(text: string, end: number, count: number): string[] {
  const lines: string[] = [];
  for (let at = end; lines.length < count && at + 1 < text.length; ) {
    const next = toLine(text, at + 1);
    lines.push(toShown(next.line));
    at = next.end;
  }
  return lines;
}

/**
 * Compiles a pattern. Lines are those of an editor; a pattern that names a line break itself is run over whole texts.
 * Throws the errors of `RegExp`.
 */
export function createTextMatcher(pattern: TextPattern): (text: string, report: Report) => void {
  const { regex, literal, before, after } = pattern;
  const bare = pattern.flags.replace(/[gy]/g, '');
  const around = (text: string, start: number, end: number) => ({
    ...((before > 0 || after > 0) && { before: linesBefore(text, start, before), after: linesAfter(text, end, after) }),
  });

  if (pattern.multiline || /\\[nr]|\n/.test(regex)) {
    const flags = new Set(`${bare}gm${pattern.multiline ? 's' : ''}`);
    const expression = new RegExp(regex, [...flags].join(''));
    return (text, report) => {
      let number = 1;
      let counted = 0;
      for (const match of text.matchAll(expression)) {
        for (let feed = text.indexOf('\n', counted); feed !== -1 && feed < match.index; ) {
          number += 1;
          counted = feed + 1;
          feed = text.indexOf('\n', counted);
        }
        const start = match.index === 0 ? 0 : text.lastIndexOf('\n', match.index - 1) + 1;
        const { line, end } = toLine(text, start);
        const preview = toPreview(line, match.index - start);
        if (!report({ line: number, preview, ...around(text, start, end) })) return;
      }
    };
  }

  const expression = new RegExp(regex, bare);
  return (text, report) => {
    let number = 1;
    let start = 0;
    while (start <= text.length) {
      if (literal !== null) {
        // Skip to the next line that can match at all.
        const hit = text.indexOf(literal, start);
        if (hit === -1) return;
        for (let feed = text.indexOf('\n', start); feed !== -1 && feed < hit; feed = text.indexOf('\n', start)) {
          number += 1;
          start = feed + 1;
        }
      }
      const { line, end } = toLine(text, start);
      const isPastTheEnd = start === text.length && start > 0;
      const at = isPastTheEnd ? -1 : line.search(expression);
      if (at !== -1 && !report({ line: number, preview: toPreview(line, at), ...around(text, start, end) })) return;
      number += 1;
      start = end + 1;
    }
  };
}
