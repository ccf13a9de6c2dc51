import { diffArrays } from 'diff';
import type { Diff, Hunk } from '../../../shared/model/diff.ts';

/** Longest search for the smallest difference, in milliseconds; past it the changed middle is one hunk. */
const DEADLINE = 250;
/** Characters of both texts; longer ones are not kept alive for it. */
const MAX_REMEMBERED_LENGTH = 256 * 1024;
/** The write that follows a dry run asks for the same once more. */
let last: { before: string | null; after: string | null; hunks: Hunk[] } | undefined;

/**
 * The lines in which `after` differs from `before`, as runs without context; null for a file that is not there. Smallest
 * difference (Myers), except for texts so large and so different that finding it would hold the app up.
 */
export function toLineDiff(before: string | null, after: string | null): Diff {
  if (last?.before !== before || last.after !== after) {
    const hunks = toHunks(toLines(before), toLines(after));
    const isLong = (before?.length ?? 0) + (after?.length ?? 0) > MAX_REMEMBERED_LENGTH;
    if (isLong) return { type: 'line', hunks };
    last = { before, after, hunks };
  }
  return { type: 'line', hunks: structuredClone(last.hunks) };
}

/** How many lines the hunks bring and take. */
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
 * A file that is not there has no lines at all, so that a new file is pure insertion. The empty end after the last line
 * feed of its other side is then no line either, for there is nothing for it to be compared with.
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

  const changes = diffArrays(oldMiddle, newMiddle, { timeout: DEADLINE });
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
