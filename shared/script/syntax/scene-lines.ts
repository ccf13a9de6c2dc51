import { type MemoOwner, NO_MEMOS } from '../../memo.ts';
import { commonPrefix, commonSuffix } from '../../text/common-ends.ts';
import type { Engine } from '../engine/engine.ts';
import { analyzeLine, LINE, type LineRecord } from './analyze-line.ts';
import { fold, foldRecords, joinsLines, unfold } from './fold-lines.ts';
import type { LineCache } from './line-cache.ts';
import type { Reference } from './line-report.ts';
import { withoutReturns } from './scan.ts';

/**
 * Above this number of changed lines the scene is read again as a whole, so that few lines do not keep old texts in
 * memory.
 */
const MAX_PATCHED_LINES = 400;

/** Above this number of changed lines the next check covers all lines. */
const MAX_TRACKED_CHANGES = 400;

/** One scene, line by line. A change re-analyses the changed lines only. */
export class SceneLines implements MemoOwner {
  readonly path: string;
  records: LineRecord[] = [];
  memos = NO_MEMOS;
  /** Grows with every change of the text. */
  revision = 0;
  /** Grows with every change that can affect other lines of the scene. */
  shape = 0;
  #text = '';
  /** Start offset of each line; null until a change of the text needs it. */
  #starts: Int32Array | null = null;
  readonly #engine: Engine;
  readonly #joins: boolean;
  readonly #cache: LineCache;
  /**
   * For lines with carriage returns before the line's end: the columns of the record before which they were removed.
   */
  #returns: Map<number, readonly number[]> | null = null;
  /** Changes in place since the last change of the shape, oldest first. */
  readonly #changesInPlace: { revision: number; line: number }[] = [];
  #changesSince = 0;

  constructor(path: string, engine: Engine, cache: LineCache) {
    this.path = path;
    this.#engine = engine;
    this.#joins = joinsLines(engine.version);
    this.#cache = cache;
  }

  get text(): string {
    return this.#text;
  }

  /** Sets the text; calls back with the removed and the added lines. */
  update(text: string, changed: (removed: readonly LineRecord[], added: readonly LineRecord[]) => void): void {
    if (text === this.#text && this.records.length > 0) return;
    this.revision += 1;
    if (this.records.length === 0 || this.#returns !== null || !this.#patch(text, changed))
      this.#readAll(text, changed);
    this.#text = text;
  }

  #readAll(text: string, changed: (removed: readonly LineRecord[], added: readonly LineRecord[]) => void): void {
    const before = this.records;
    const records: LineRecord[] = [];
    const engine = this.#engine;
    // A text that replaces another shares no records with other scenes, which would keep old texts in memory.
    const cache = before.length === 0 ? this.#cache : null;
    const hasReturns = text.indexOf('\r') >= 0;
    this.#returns = null;
    let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    for (;;) {
      const feed = text.indexOf('\n', start);
      const cut = text.slice(start, feed < 0 ? text.length : feed);
      const line = hasReturns ? withoutReturns(cut) : cut;
      if (hasReturns && hasReturnWithin(cut, line)) {
        this.#returns ??= new Map();
        this.#returns.set(records.length, returnsIn(cut));
      }
      records.push(cache === null ? analyzeLine(line, engine) : cache.read(line));
      if (feed < 0) break;
      start = feed + 1;
    }
    if (this.#joins) foldRecords(records, engine);
    this.records = records.slice(); // The runtime reserves space in a list that grows.
    this.#starts = null;
    this.#invalidateShape();
    changed(before, this.records);
  }

  /**
   * The column in the text for a column in a record, both 0-based: the engine removes carriage returns anywhere in a
   * line, and so do records.
   */
  columnOf(line: number, column: number): number {
    const returns = this.#returns?.get(line);
    if (returns === undefined) return column;
    // Binary search: few lines have carriage returns, but those may have very many.
    let low = 0;
    let high = returns.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((returns[middle] as number) < column) low = middle + 1;
      else high = middle;
    }
    return column + low;
  }

  /** True for a line whose columns are those of its record. */
  isPlain(line: number): boolean {
    const record = this.records[line];
    return this.#returns === null && record !== undefined && (record.flags & LINE.folded) === 0;
  }

  /**
   * The position in the text of a column of a record, both 0-based: a statement can span several lines. At a line
   * boundary an end belongs to the upper line and a start to the lower.
   */
  placeOf(line: number, column: number, side: 'start' | 'end'): { line: number; column: number } {
    const record = this.records[line];
    if (record === undefined || (record.flags & LINE.folded) === 0)
      return { line, column: this.columnOf(line, column) };
    const place = unfold(record, column, side);
    return { line: line + place.line, column: this.columnOf(line + place.line, place.column) };
  }

  /** The inverse: the record that a position of the text belongs to, and the column in it; both 0-based. */
  toStatementPlace(line: number, column: number): { line: number; column: number } {
    let first = line;
    while (first > 0 && ((this.records[first]?.flags ?? 0) & LINE.continued) !== 0) first -= 1;
    const record = this.records[first];
    const within = first === line || record === undefined ? null : fold(record, line - first, column);
    return within === null ? { line, column } : { line: first, column: within };
  }

  /** Marks every line to be checked again. */
  #invalidateShape(): void {
    this.shape += 1;
    this.#changesInPlace.length = 0;
    this.#changesSince = this.revision;
  }

  /** Lines that changed after `revision`, all of them in place; null when there were other changes. */
  changedSince(revision: number): ReadonlySet<number> | null {
    if (revision < this.#changesSince) return null;
    return new Set(this.#changesInPlace.filter((change) => change.revision > revision).map((change) => change.line));
  }

  #patch(text: string, changed: (removed: readonly LineRecord[], added: readonly LineRecord[]) => void): boolean {
    const old = this.#text;
    const prefix = commonPrefix(old, text);
    const suffix = commonSuffix(old, text, prefix);
    const starts = this.#starts ?? startsOf(old, this.records.length);
    let first = lineAt(starts, prefix);
    let last = lineAt(starts, old.length - suffix);
    if (this.#joins) [first, last] = this.#withNeighbours(first, last);
    const from = starts[first] ?? 0;
    if (first === 0 && (text.charCodeAt(0) === 0xfeff || old.charCodeAt(0) === 0xfeff)) return false;
    const delta = text.length - old.length;
    const oldStop = last + 1 < starts.length ? (starts[last + 1] as number) - 1 : old.length;
    const middle = text.slice(from, oldStop + delta);
    const lines = middle.split('\n');
    if (lines.length > MAX_PATCHED_LINES || last - first > MAX_PATCHED_LINES) return false;
    const bare = lines.map(withoutReturns);
    if (lines.some((line, index) => hasReturnWithin(line, bare[index] as string))) return false;
    const added = bare.map((line) => analyzeLine(detach(line), this.#engine));
    if (this.#joins) foldRecords(added, this.#engine);
    const removed = this.records.slice(first, last + 1);
    if (removed.length === added.length) {
      for (const [index, record] of added.entries()) this.records[first + index] = record;
    } else {
      this.records.splice(first, removed.length, ...added);
    }
    this.#starts = moveStarts(starts, { first, removed: removed.length, lines, delta });
    if (removed.length !== added.length || added.some((record, index) => !hasSameEffect(record, removed[index])))
      this.#invalidateShape();
    else this.#trackChanges(first, added.length);
    changed(removed, added);
    return true;
  }

  /** Extends the changed lines by neighbours that are, or can become, part of the same statement. */
  #withNeighbours(first: number, last: number): [first: number, last: number] {
    const isContinued = (line: number) => ((this.records[line]?.flags ?? 0) & LINE.continued) !== 0;
    let from = Math.max(0, first - 1);
    while (from > 0 && isContinued(from)) from -= 1;
    let to = Math.min(this.records.length - 1, last + 1);
    while (isContinued(to + 1)) to += 1;
    return [from, to];
  }

  #trackChanges(first: number, count: number): void {
    if (this.#changesInPlace.length + count > MAX_TRACKED_CHANGES) {
      this.#changesInPlace.length = 0;
      this.#changesSince = this.revision;
      return;
    }
    for (let line = first; line < first + count; line += 1)
      this.#changesInPlace.push({ revision: this.revision, line });
  }
}

/** True when a carriage return stands before the line's end, where it shifts columns. */
function hasReturnWithin(line: string, without: string): boolean {
  const first = line.indexOf('\r');
  return first >= 0 && first < without.length;
}

function returnsIn(line: string): number[] {
  const found: number[] = [];
  for (let at = line.indexOf('\r'); at >= 0; at = line.indexOf('\r', at + 1)) found.push(at - found.length);
  return found;
}

function startsOf(text: string, count: number): Int32Array {
  const starts = new Int32Array(count);
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let line = 0; line < count; line += 1) {
    starts[line] = start;
    start = text.indexOf('\n', start) + 1;
  }
  return starts;
}

function moveStarts(
  before: Int32Array,
  change: { first: number; removed: number; lines: readonly string[]; delta: number },
): Int32Array {
  const { first, removed, lines, delta } = change;
  const starts = removed === lines.length ? before : new Int32Array(before.length - removed + lines.length);
  if (starts !== before) starts.set(before.subarray(0, first));
  let at = before[first] ?? 0;
  for (const [index, line] of lines.entries()) {
    starts[first + index] = at;
    at += line.length + 1;
  }
  const shift = lines.length - removed;
  for (let index = first + removed; index < before.length; index += 1) {
    starts[index + shift] = (before[index] as number) + delta;
  }
  return starts;
}

/** The line that contains an offset. */
function lineAt(starts: Int32Array, position: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** True when replacing one line by the other cannot affect any rule about the whole scene or the story. */
function hasSameEffect(one: LineRecord, other: LineRecord | undefined): boolean {
  return (
    other !== undefined &&
    one.flags === other.flags &&
    one.command === other.command &&
    (one.flags & ~LINE.pauses) === 0 &&
    (one.speaker === null) === (other.speaker === null) &&
    hasSameReferences(one.references, other.references)
  );
}

function hasSameReferences(these: readonly Reference[] | null, those: readonly Reference[] | null): boolean {
  if (these === null || those === null) return these === those;
  return (
    these.length === those.length &&
    these.every(({ role, name, note }, at) => {
      const other = those[at] as Reference;
      return role === other.role && name === other.name && note === other.note;
    })
  );
}

/** A copy that does not keep the source text in memory. */
function detach(line: string): string {
  return line.length < 13 ? line : (JSON.parse(JSON.stringify(line)) as string);
}
