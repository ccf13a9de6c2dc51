import type { Hunk } from '../../../shared/model/diff.ts';
import { MAX_STEP_MARKS, type StepMark } from '../../../shared/model/plan/step-mark.ts';
import type { Draft } from '../services.ts';
import { toLineDiff } from '../text/line-diff.ts';

type Span = Pick<StepMark, 'start' | 'length'>;
type MarkedDraft = Pick<Draft, 'before' | 'text' | 'steps' | 'marks'>;

/**
 * Returns the marks of a draft for a later text. Lines that stay keep their marks. Where marked lines were replaced, the mark stays
 * without length, so that both steps count.
 */
function carryMarks(marks: readonly StepMark[], hunks: readonly Hunk[]): StepMark[] {
  const grown = toGrowths(hunks);
  return joinMarks(
    marks.flatMap((mark) => carrySpan(mark, hunks, grown).map((span) => ({ step: mark.step, ...span }))),
  );
}

/** Returns the marks of the text `after`, which `step` made of a draft with `marks`; null: there are too many. */
export function addMarks(
  { text, marks }: Pick<Draft, 'text' | 'marks'>,
  { step, after }: { step: string; after: string },
): StepMark[] | null {
  const { hunks } = toLineDiff(text, after);
  const own = hunks.map(({ startNew, lenNew }) => ({ step, start: startNew, length: lenNew }));
  const all = joinMarks([...carryMarks(marks ?? [], hunks), ...own]);
  return all.length > MAX_STEP_MARKS ? null : all;
}

/** Returns a draft with another text, which no step made, and its marks at their new places. */
export function withText(draft: Draft, text: string | null): Draft {
  const { marks, ...rest } = draft;
  if (!marks || text === null || draft.text === null) return { ...rest, text };
  return { ...rest, text, marks: carryMarks(marks, toLineDiff(draft.text, text).hunks) };
}

/**
 * Returns for each hunk of a draft the steps that made it, in the order of the draft's steps; all of them where it is not known. A
 * hunk that no step made, because the user wrote it, has none.
 */
export function toPieceSteps({ before, text, steps = [], marks }: MarkedDraft, hunks: readonly Hunk[]): string[][] {
  if (before === null || text === null || !marks)
    return Array.from({ length: Math.max(1, hunks.length) }, () => [...steps]);
  const { touched, loose } = toTouches(marks, hunks);
  // Of equal lines a comparison may pick others than the step did; its mark then touches no hunk.
  const left = new Set(loose.map(({ step }) => step));
  return touched.map((found) => steps.filter((step) => (found.size > 0 ? found : left).has(step)));
}

/** Returns the draft without the marks of what is written already: those on lines that `before` has, too. */
export function withoutWritten<T extends MarkedDraft>(draft: T): T {
  const { before, text, marks } = draft;
  if (!marks) return draft;
  const loose = new Set(toTouches(marks, toLineDiff(before, text).hunks).loose);
  return { ...draft, marks: marks.filter((mark) => !loose.has(mark)) };
}

/** Returns the steps whose marks touch each hunk, and the marks that touch none. */
function toTouches(marks: readonly StepMark[], hunks: readonly Hunk[]): { touched: Set<string>[]; loose: StepMark[] } {
  const sorted = [...marks].sort(byStart);
  const loose = new Set(sorted);
  let first = 0;
  const touched = hunks.map(({ startNew, lenNew }) => {
    const end = startNew + lenNew;
    const found = new Set<string>();
    // Unchanged lines lie between two hunks, so a mark touches only one.
    while (first < sorted.length && endOf(sorted[first]) < startNew) first += 1;
    for (let at = first; at < sorted.length; at += 1) {
      const mark = sorted[at];
      if (!mark || mark.start > end) break;
      if (!isOn(mark, startNew, end)) continue;
      found.add(mark.step);
      loose.delete(mark);
    }
    return found;
  });
  return { touched, loose: [...loose] };
}

function isOn({ start, length }: Span, from: number, to: number): boolean {
  if (length === 0 || from === to) return start <= to && start + length >= from;
  return start < to && start + length > from;
}

const endOf = (mark: Span | undefined): number => (mark ? mark.start + mark.length : 0);

const byStart = (a: StepMark, b: StepMark): number => a.start - b.start || endOf(a) - endOf(b);

/** Returns for each hunk by how many lines those before it lengthen the text. */
function toGrowths(hunks: readonly Hunk[]): number[] {
  let growth = 0;
  return hunks.map(({ lenOld, lenNew }) => {
    const before = growth;
    growth += lenNew - lenOld;
    return before;
  });
}

function carrySpan({ start, length }: Span, hunks: readonly Hunk[], grown: readonly number[]): Span[] {
  const end = start + length;
  const spans: Span[] = [];
  let at = findHunk(hunks, start);
  let reached = start;
  let growth = growthBefore(hunks, grown, at);
  for (let hunk = hunks[at]; hunk && hunk.startOld < Math.max(end, start + 1); hunk = hunks[at]) {
    if (hunk.startOld > reached) spans.push({ start: reached + growth, length: hunk.startOld - reached });
    if (hunk.lenOld > 0) spans.push({ start: hunk.startNew, length: 0 });
    reached = Math.max(reached, hunk.startOld + hunk.lenOld);
    at += 1;
    growth = growthBefore(hunks, grown, at);
  }
  if (reached < end || spans.length === 0) spans.push({ start: reached + growth, length: Math.max(0, end - reached) });
  return spans;
}

function growthBefore(hunks: readonly Hunk[], grown: readonly number[], at: number): number {
  const last = hunks[at - 1];
  return last ? (grown[at - 1] ?? 0) + last.lenNew - last.lenOld : 0;
}

/** Returns the index of the first hunk that ends after a line. */
function findHunk(hunks: readonly Hunk[], line: number): number {
  let low = 0;
  let high = hunks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const hunk = hunks[middle];
    if (hunk && hunk.startOld + hunk.lenOld <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Joins marks of a step that touch each other. */
function joinMarks(marks: readonly StepMark[]): StepMark[] {
  const joined: StepMark[] = [];
  const last = new Map<string, StepMark>();
  for (const mark of [...marks].sort(byStart)) {
    const before = last.get(mark.step);
    if (before && mark.start <= endOf(before)) {
      before.length = Math.max(endOf(before), endOf(mark)) - before.start;
      continue;
    }
    const own = { ...mark };
    last.set(mark.step, own);
    joined.push(own);
  }
  return joined;
}
