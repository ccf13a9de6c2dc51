import type { MergePart } from '../../../shared/model/merge.ts';
import { BYTE_ORDER_MARK } from '../../../shared/text/line-endings.ts';
import { toLineDiff } from './line-diff.ts';

/** Input of a three-way merge. `base` null: unknown; every difference is then a conflict. */
export interface MergeInput {
  base: string | null;
  mine: string;
  theirs: string;
}

/** A range of line indexes, `end` exclusive. */
interface Span {
  start: number;
  end: number;
}

/** A range of lines in both texts, and the side whose lines are taken. */
interface Run {
  from: 'mine' | 'theirs' | 'conflict';
  mine: Span;
  theirs: Span;
}

/** A range of base lines that one side replaced by `length` lines. */
interface Edit extends Span {
  side: 'mine' | 'theirs';
  length: number;
}

interface Line {
  text: string;
  ending: string;
}

/**
 * Merges line by line (diff3). Changes conflict if they replace the same base line, or add lines at the same position, where
 * their order is undefined. Identical changes of both sides are taken once. Deterministic except for the timeout of
 * `toLineDiff`, after which more lines conflict. (`node-diff3` took 53 s for 4,000 lines of which half were empty.)
 */
export function mergeTexts(input: MergeInput): MergePart[] {
  const mine = toTexts(input.mine);
  const theirs = toTexts(input.theirs);
  return toRuns(input).map((run): MergePart => {
    const own = mine.slice(run.mine.start, run.mine.end);
    const other = theirs.slice(run.theirs.start, run.theirs.end);
    if (run.from === 'conflict') return { kind: 'conflict', mine: own, theirs: other };
    return { kind: 'merged', lines: run.from === 'mine' ? own : other };
  });
}

/**
 * Returns the merged text of the file that contains `theirs`, with its byte order mark and line endings; added lines get the
 * most frequent line ending. Returns null if there is a conflict.
 */
export function mergeIntoFile(input: MergeInput): string | null {
  const runs = toRuns(input);
  if (runs.some(({ from }) => from === 'conflict')) return null;
  const mine = toLines(input.mine);
  const theirs = toLines(input.theirs);
  const usual = toUsualEnding(theirs) ?? toUsualEnding(mine) ?? '\n';
  const lines = runs.flatMap((run) =>
    run.from === 'mine'
      ? mine.slice(run.mine.start, run.mine.end).map(({ text }) => ({ text, ending: usual }))
      : theirs.slice(run.theirs.start, run.theirs.end),
  );
  const body = lines.map(({ text, ending }, at) => (at === lines.length - 1 ? text : text + (ending || usual)));
  return (input.theirs.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '') + body.join('');
}

/** Splits a text into lines. The part after the last line feed is a line, so that a final newline is merged too. */
function toLines(text: string): Line[] {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const parts = body.split('\n');
  return parts.map((part, at) => {
    if (at === parts.length - 1) return { text: part, ending: '' };
    return part.endsWith('\r') ? { text: part.slice(0, -1), ending: '\r\n' } : { text: part, ending: '\n' };
  });
}

function toTexts(text: string): string[] {
  return toLines(text).map((line) => line.text);
}

function toUsualEnding(lines: readonly Line[]): string | null {
  const pairs = lines.filter(({ ending }) => ending === '\r\n').length;
  const feeds = lines.filter(({ ending }) => ending === '\n').length;
  if (pairs + feeds === 0) return null;
  return pairs >= feeds ? '\r\n' : '\n';
}

function toEdits(side: Edit['side'], base: readonly string[], text: readonly string[]): Edit[] {
  return toLineDiff(base.join('\n'), text.join('\n')).hunks.map(({ startOld, lenOld, lenNew }) => ({
    side,
    start: startOld - 1,
    end: startOld - 1 + lenOld,
    length: lenNew,
  }));
}

/** Compares edits by position; an addition before a line precedes a replacement of it. */
function byPlace(a: Edit, b: Edit): number {
  return a.start - b.start || a.end - b.end;
}

const isAddition = ({ start, end }: Edit): boolean => start === end;
const grows = ({ start, end, length }: Edit): boolean => length > end - start;

/** Returns true if edits of two sides replace the same line, or add lines whose order is undefined. */
function areConflicting(a: Edit, b: Edit): boolean {
  if (a.side === b.side) return false;
  if (a.start < b.end && b.start < a.end) return true;
  const doTouch = a.start === b.end || b.start === a.end;
  return doTouch && (isAddition(a) || isAddition(b)) && grows(a) && grows(b);
}

function toRuns({ base, mine, theirs }: MergeInput): Run[] {
  const texts = { mine: toTexts(mine), theirs: toTexts(theirs) };
  const baseTexts = base === null ? texts.theirs : toTexts(base);
  const edits = [...toEdits('mine', baseTexts, texts.mine), ...toEdits('theirs', baseTexts, texts.theirs)].sort(
    byPlace,
  );
  const runs: Run[] = [];
  const reached = { base: 0, mine: 0, theirs: 0 };

  /** Adds the run up to `end` in the base, and up to the corresponding line in each text. */
  const take = (from: Run['from'], end: number, group: readonly Edit[]): void => {
    const spanOf = (side: Edit['side']): Span => {
      const own = group.filter((edit) => edit.side === side);
      const change = own.reduce((sum, edit) => sum + edit.length - (edit.end - edit.start), 0);
      return { start: reached[side], end: reached[side] + end - reached.base + change };
    };
    const run = { from, mine: spanOf('mine'), theirs: spanOf('theirs') };
    Object.assign(reached, { base: end, mine: run.mine.end, theirs: run.theirs.end });
    if (run.mine.end > run.mine.start || run.theirs.end > run.theirs.start) runs.push(run);
  };

  for (let at = 0; at < edits.length; ) {
    const group: Edit[] = [];
    for (let edit = edits[at]; edit; edit = edits[at]) {
      const next = edit;
      if (group.length > 0 && !group.some((other) => areConflicting(other, next))) break;
      group.push(edit);
      at += 1;
    }
    take('theirs', group[0]?.start ?? reached.base, []);
    const end = Math.max(...group.map((edit) => edit.end));
    const [first] = group;
    const isOneSided = group.every(({ side }) => side === first?.side);
    take(isOneSided && first && base !== null ? first.side : 'conflict', end, group);
    const run = runs.at(-1);
    if (run?.from === 'conflict' && isSame(texts, run)) run.from = 'theirs';
  }
  take('theirs', baseTexts.length, []);
  return runs;
}

function isSame(texts: { mine: readonly string[]; theirs: readonly string[] }, { mine, theirs }: Run): boolean {
  const own = texts.mine.slice(mine.start, mine.end);
  const other = texts.theirs.slice(theirs.start, theirs.end);
  return own.length === other.length && own.every((line, at) => line === other[at]);
}
