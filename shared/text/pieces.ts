import { groupBy } from '../group-by.ts';
import type { Hunk } from '../model/diff.ts';
import type { ProposedFile } from '../model/proposal.ts';
import { BYTE_ORDER_MARK } from './line-endings.ts';

/**
 * The pieces of a proposed file are its hunks, by their 0-based index. A file that is created, deleted or renamed is one piece.
 */
export interface PieceChoice {
  taken: ReadonlySet<number>;
  /** Lines of the user in place of the proposed lines of a hunk. */
  edited?: ReadonlyMap<number, readonly string[]>;
}

/** The part of a proposed file that its pieces depend on. */
export type PiecedFile = Pick<ProposedFile, 'before' | 'after' | 'hunks'>;

type Edits = ReadonlyMap<number, readonly string[]>;
const NO_EDITS: Edits = new Map();

/** Returns the number of pieces, at least one. */
export function countPieces({ hunks }: Pick<ProposedFile, 'hunks'>): number {
  return Math.max(1, hunks.length);
}

/**
 * Returns the text that a file has when only some pieces of its proposal are applied; null: no file. Every other byte stays as it
 * is: without any piece it is `before`, with all of them and no edits `after`.
 */
export function composePieces(file: PiecedFile, { taken, edited = NO_EDITS }: PieceChoice): string | null {
  const { before, after, hunks } = file;
  if (before === null || after === null) {
    if (!taken.has(0)) return before;
    const own = edited.get(0);
    return own === undefined || after === null ? after : joinNew(own, after);
  }
  const old = before.split('\n');
  const lines: string[] = [];
  let reached = 0;
  const copy = (from: number, to: number, source: readonly string[]): void => {
    for (let at = from; at < to; at += 1) lines.push(source[at] ?? '');
  };
  hunks.forEach((hunk, index) => {
    copy(reached, hunk.startOld - 1, old);
    const chosen = taken.has(index) ? (edited.get(index) ?? hunk.linesNew) : hunk.linesOld;
    copy(0, chosen.length, chosen);
    reached = hunk.startOld - 1 + hunk.lenOld;
  });
  copy(reached, old.length, old);
  return lines.join('\n');
}

/** Returns the text of a new file whose lines the user edited; it ends as the proposed one. */
function joinNew(lines: readonly string[], after: string): string {
  return lines.length > 0 && after.endsWith('\n') ? `${lines.join('\n')}\n` : lines.join('\n');
}

/** Returns the file with the edits of the user in place of the proposed lines. The number of hunks stays the same. */
export function withEdits<F extends ProposedFile>(file: F, edits: Edits | undefined): F {
  if (edits === undefined || edits.size === 0) return file;
  let shift = 0;
  let added = 0;
  const hunks = file.hunks.map((hunk, index): Hunk => {
    const linesNew = [...(edits.get(index) ?? hunk.linesNew)];
    const shown = { ...hunk, startNew: hunk.startNew + shift, lenNew: linesNew.length, linesNew };
    shift += linesNew.length - hunk.lenNew;
    added += linesNew.length;
    return shown;
  });
  const all = new Set(file.hunks.keys());
  return { ...file, after: composePieces(file, { taken: all, edited: edits }), hunks, added };
}

/** Returns the 1-based line of the composed text at which a hunk begins, or would begin if it is not taken. */
export function toComposedLine({ hunks }: Pick<ProposedFile, 'hunks'>, choice: PieceChoice, hunk: number): number {
  let shift = 0;
  for (let index = 0; index < hunk; index += 1) shift += growthOf(hunks[index], index, choice);
  return Math.max(1, (hunks[hunk]?.startOld ?? 1) + shift);
}

/**
 * Returns the 1-based line of the text with all pieces that stands for a line of the composed text. A line that a piece which is not
 * taken would replace is shown at that piece.
 */
export function toShownPieceLine({ hunks }: Pick<ProposedFile, 'hunks'>, choice: PieceChoice, line: number): number {
  /** Lines by which the composed text and the text with all pieces are longer than the old one, so far. */
  let composed = 0;
  let shown = 0;
  for (const [index, hunk] of hunks.entries()) {
    const start = hunk.startOld + composed;
    if (line < start) break;
    const growth = growthOf(hunk, index, choice);
    const all = toLines(hunk, index, choice).length;
    const length = hunk.lenOld + growth;
    if (line < start + length) {
      const within = choice.taken.has(index) ? line - start : 0;
      return hunk.startOld + shown + within;
    }
    composed += growth;
    shown += all - hunk.lenOld;
  }
  return Math.max(1, line - composed + shown);
}

function growthOf(hunk: Hunk | undefined, index: number, choice: PieceChoice): number {
  return hunk && choice.taken.has(index) ? toLines(hunk, index, choice).length - hunk.lenOld : 0;
}

function toLines(hunk: Hunk, index: number, { edited = NO_EDITS }: PieceChoice): readonly string[] {
  return edited.get(index) ?? hunk.linesNew;
}

/** Returns the proposed lines of a hunk for a text field, without carriage returns and byte order mark. */
export function toEditableText(lines: readonly string[]): string {
  const text = lines.map(withoutReturn).join('\n');
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** Returns the lines that a text from a text field gives, with the line endings and byte order mark of the hunk. */
export function toEditedLines(file: PiecedFile, hunk: Hunk, text: string): string[] {
  if (text === '') return [];
  const model = hunk.linesNew.length > 0 ? hunk.linesNew : hunk.linesOld;
  const hasReturns = (file.before ?? file.after ?? '').includes('\r\n');
  const lines = text.split(/\r\n|\r|\n/);
  const ended = lines.map((line, at) => {
    // The last line of a file may have no line ending.
    const isEnded = at < lines.length - 1 ? hasReturns : (model.at(-1)?.endsWith('\r') ?? hasReturns);
    return isEnded ? `${line}\r` : line;
  });
  const hasMark = model[0]?.startsWith(BYTE_ORDER_MARK) === true;
  return hasMark ? ended.with(0, BYTE_ORDER_MARK + (ended[0] ?? '')) : ended;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/**
 * Returns for each hunk of an earlier version of a proposal its index among the hunks of a later one; undefined if it is not there any
 * more. A hunk is the same if its lines are. When fewer of several equal ones are left, those for which `mayBeGone` holds are gone first.
 */
export function matchHunks(
  before: readonly Hunk[],
  after: readonly Hunk[],
  mayBeGone: (index: number) => boolean,
): (number | undefined)[] {
  const places = groupBy(after.keys(), (index) => toKey(after[index]));
  const matched: (number | undefined)[] = before.map(() => undefined);
  for (const [key, equal] of groupBy(before.keys(), (index) => toKey(before[index]))) {
    const found = places.get(key) ?? [];
    let gone = equal.length - found.length;
    const kept = equal.filter((index) => {
      const isGone = gone > 0 && mayBeGone(index);
      if (isGone) gone -= 1;
      return !isGone;
    });
    for (const [at, index] of kept.entries()) matched[index] = found[at];
  }
  return matched;
}

function toKey(hunk: Hunk | undefined): string {
  return JSON.stringify([hunk?.linesOld, hunk?.linesNew]);
}
