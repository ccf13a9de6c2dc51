import type { TextEdit } from '../../model/diagnostic.ts';

/**
 * Applies edits to a text. Columns start after a byte order mark; line endings are kept. Edits must not overlap;
 * positions past the end of a line or of the text are clamped to it.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = lineStarts(text);
  const toOffset = (line: number, column: number): number => {
    const start = starts[line - 1];
    if (start === undefined) return text.length;
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed > start && text[feed - 1] === '\r' ? feed - 1 : feed;
    return Math.min(start + column - 1, end);
  };
  const ordered = edits
    .map((edit) => ({
      start: toOffset(edit.line, edit.column),
      end: toOffset(edit.endLine, edit.endColumn),
      text: edit.newText,
    }))
    .sort((one, other) => one.start - other.start || one.end - other.end);
  const parts: string[] = [];
  let at = 0;
  for (const edit of ordered) {
    parts.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

function lineStarts(text: string): number[] {
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (let feed = text.indexOf('\n'); feed >= 0; feed = text.indexOf('\n', feed + 1)) starts.push(feed + 1);
  return starts;
}
