import { diffArrays } from 'diff';
import { commonPrefix, commonSuffix } from '../../../shared/text/common-ends.ts';
import type { OffsetEdit } from '../../../shared/text/text-edit.ts';

/** The search for what is equal within a change ends after this time; the change is one edit then. */
const TIMEOUT_MS = 40;

/**
 * Returns what turns one text into the other: an edit for each run of changed lines, the last one first, each as small as it can be.
 * Lines between two changes are in no edit, so that a cursor in them moves with them.
 */
export function toTextEdits(before: string, after: string): OffsetEdit[] {
  const [whole] = toSmallest(before, after, 0);
  if (!whole) return [];
  const from = before.slice(0, whole.at).lastIndexOf('\n') + 1;
  const tail = before.length - whole.at - whole.removed;
  const [old, now] = [before, after].map((text) => toLines(text.slice(from, text.length - tail))) as [
    string[],
    string[],
  ];
  const changes = diffArrays(old, now, { timeout: TIMEOUT_MS });
  if (changes === undefined) return [whole];
  const runs: { at: number; old: string; now: string }[] = [];
  let at = from;
  let isOpen = false;
  for (const { value, added, removed } of changes) {
    const text = value.join('');
    const isChange = added || removed;
    if (isChange && !isOpen) runs.unshift({ at, old: '', now: '' });
    isOpen = isChange;
    const [run] = runs;
    if (run && added) run.now += text;
    if (run && removed) run.old += text;
    if (!added) at += text.length;
  }
  return runs.flatMap((run) => toSmallest(run.old, run.now, run.at));
}

/** Returns the one edit between two texts at `offset`, without the characters at both ends that are the same; none if all are. */
function toSmallest(before: string, after: string, offset: number): OffsetEdit[] {
  if (before === after) return [];
  const start = commonPrefix(before, after);
  const tail = commonSuffix(before, after, start);
  return [{ at: offset + start, removed: before.length - start - tail, text: after.slice(start, after.length - tail) }];
}

/** The lines with their line breaks. */
function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
