import { diffArrays } from 'diff';
import type { Diff, Hunk } from '../../../shared/model/diff.ts';

/** Timeout of the search for the smallest difference; after it the changed middle part is one hunk. */
const DIFF_TIMEOUT_MS = 250;
/** Characters of both texts together; longer texts are not cached, to bound memory. */
const MAX_CACHED_LENGTH = 256 * 1024;
/** The last result: the write after a dry run requests the same diff again. */
let last: { before: string | null; after: string | null; hunks: Hunk[] } | undefined;

/**
 * Returns the lines in which `after` differs from `before` as hunks without context; null stands for no file. The
 * difference is minimal (Myers) unless the search exceeds `DIFF_TIMEOUT_MS`.
 */
export function toLineDiff(before: string | null, after: string | null): Diff {
  if (last?.before !== before || last.after !== after) {
    const hunks = toHunks(toLines(before), toLines(after));
    const isLong = (before?.length ?? 0) + (after?.length ?? 0) > MAX_CACHED_LENGTH;
    if (isLong) return { type: 'line', hunks };
    last = { before, after, hunks };
  }
  return { type: 'line', hunks: structuredClone(last.hunks) };
}

/** Counts the lines that the hunks add and remove. */
export function countLines(hunks: readonly Hunk[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const hunk of hunks) {
    added += hunk.lenNew;
    removed += hunk.lenOld;
  }
  return { added, removed };
}

function toLines(text: string | null): string[] | null {
  return text === null ? null : text.split('\n');
}

/**
 * Drops the empty line after the last line feed. Used when the other side is no file: that side has zero lines, so that a
 * new file is a pure insertion, and the empty line has no counterpart.
 */
function withoutEnd(lines: string[]): string[] {
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function toHunks(before: string[] | null, after: string[] | null): Hunk[] {
  const old = before ?? [];
  const now = after ?? [];
  if (before === null) return toHunk(1, [], 1, withoutEnd(now));
  if (after === null) return toHunk(1, withoutEnd(old), 1, []);

  let start = 0;
  const shortest = Math.min(old.length, now.length);
  while (start < shortest && old[start] === now[start]) start++;
  let end = 0;
  while (end < shortest - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const oldMiddle = old.slice(start, old.length - end);
  const newMiddle = now.slice(start, now.length - end);

  const changes = diffArrays(oldMiddle, newMiddle, { timeout: DIFF_TIMEOUT_MS });
  if (changes === undefined) return toHunk(start + 1, oldMiddle, start + 1, newMiddle);

  const hunks: Hunk[] = [];
  let oldLine = start + 1;
  let newLine = start + 1;
  let removed: string[] = [];
  let added: string[] = [];
  const close = () => {
    hunks.push(...toHunk(oldLine - removed.length, removed, newLine - added.length, added));
    removed = [];
    added = [];
  };
  for (const change of changes) {
    if (change.removed) {
      removed = removed.concat(change.value);
      oldLine += change.count;
    } else if (change.added) {
      added = added.concat(change.value);
      newLine += change.count;
    } else {
      close();
      oldLine += change.count;
      newLine += change.count;
    }
  }
  close();
  return hunks;
}

function toHunk(startOld: number, linesOld: string[], startNew: number, linesNew: string[]): Hunk[] {
  if (linesOld.length === 0 && linesNew.length === 0) return [];
  return [{ startOld, lenOld: linesOld.length, startNew, lenNew: linesNew.length, linesOld, linesNew }];
}
