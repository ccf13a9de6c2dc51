import { analyzeLine, type LineRecord } from './analyze-line.ts';
import { withoutReturns } from './scan.ts';

/** More changed lines than this and the scene is read anew, so that old texts are not kept alive by a few lines. */
const MOST_PATCHED_LINES = 400;

/** One scene, line by line. A change re-reads the changed lines only. */
export class SceneLines {
  readonly path: string;
  records: LineRecord[] = [];
  /** Grows with every change of the text. */
  revision = 0;
  /** Grows with every change that can matter to other lines of the scene. */
  shape = 0;
  #text = '';
  #starts = new Int32Array(0);
  readonly #version: string;

  constructor(path: string, version: string) {
    this.path = path;
    this.#version = version;
  }

  get text(): string {
    return this.#text;
  }

  /** Takes the new text; calls back with the lines that went and those that came. */
  update(text: string, changed: (removed: readonly LineRecord[], added: readonly LineRecord[]) => void): void {
    if (text === this.#text && this.records.length > 0) return;
    this.revision += 1;
    // Carriage returns and byte order marks move columns: such texts are simply read anew.
    if (
      this.records.length === 0 ||
      text.indexOf('\r') >= 0 ||
      this.#text.indexOf('\r') >= 0 ||
      !this.#patch(text, changed)
    ) {
      this.#readAll(text, changed);
    }
    this.#text = text;
  }

  #readAll(text: string, changed: (removed: readonly LineRecord[], added: readonly LineRecord[]) => void): void {
    const before = this.records;
    const records: LineRecord[] = [];
    const starts: number[] = [];
    const version = this.#version;
    const hasReturns = text.indexOf('\r') >= 0;
    let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
    for (;;) {
      const feed = text.indexOf('\n', start);
      const line = text.slice(start, feed < 0 ? text.length : feed);
      records.push(analyzeLine(hasReturns ? withoutReturns(line) : line, version));
      starts.push(start);
      if (feed < 0) break;
      start = feed + 1;
    }
    this.records = records;
    this.#starts = new Int32Array(starts);
    this.shape += 1;
    changed(before, records);
  }

  #patch(text: string, changed: (removed: readonly LineRecord[], added: readonly LineRecord[]) => void): boolean {
    const old = this.#text;
    const prefix = commonPrefix(old, text);
    const suffix = commonSuffix(old, text, prefix);
    const first = this.#lineAt(prefix);
    const last = this.#lineAt(old.length - suffix);
    const from = this.#starts[first] ?? 0;
    if (first === 0 && (text.charCodeAt(0) === 0xfeff || old.charCodeAt(0) === 0xfeff)) return false;
    const delta = text.length - old.length;
    const oldStop = last + 1 < this.#starts.length ? (this.#starts[last + 1] as number) - 1 : old.length;
    const middle = text.slice(from, oldStop + delta);
    const lines = middle.split('\n');
    if (lines.length > MOST_PATCHED_LINES || last - first > MOST_PATCHED_LINES) return false;
    const added = lines.map((line) => analyzeLine(detach(line), this.#version));
    const removed = this.records.slice(first, last + 1);
    if (removed.length === added.length) {
      for (const [index, record] of added.entries()) this.records[first + index] = record;
    } else {
      this.records.splice(first, removed.length, ...added);
    }
    this.#moveStarts({ first, removed: removed.length, lines, delta });
    if (removed.length !== added.length || added.some((record, index) => !looksAlike(record, removed[index])))
      this.shape += 1;
    changed(removed, added);
    return true;
  }

  #moveStarts(change: { first: number; removed: number; lines: readonly string[]; delta: number }): void {
    const { first, removed, lines, delta } = change;
    const before = this.#starts;
    const starts = new Int32Array(before.length - removed + lines.length);
    starts.set(before.subarray(0, first));
    let at = before[first] ?? 0;
    for (const [index, line] of lines.entries()) {
      starts[first + index] = at;
      at += line.length + 1;
    }
    for (let index = first + removed, to = first + lines.length; index < before.length; index += 1, to += 1) {
      starts[to] = (before[index] as number) + delta;
    }
    this.#starts = starts;
  }

  #lineAt(position: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] as number) <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Whether swapping one line for the other leaves every rule about the whole scene as it was. */
function looksAlike(one: LineRecord, other: LineRecord | undefined): boolean {
  return (
    other !== undefined &&
    one.flags === other.flags &&
    one.command === other.command &&
    (one.flags & ~2) === 0 &&
    (one.speaker === null) === (other.speaker === null)
  );
}

/** A copy that does not keep the text alive it was cut from. */
function detach(line: string): string {
  return line.length < 13 ? line : (JSON.parse(JSON.stringify(line)) as string);
}

/** Length of the common start. Compares halves, which the runtime does a block at a time. */
function commonPrefix(left: string, right: string): number {
  let low = 0;
  let high = Math.min(left.length, right.length);
  while (high - low > 32) {
    const middle = (low + high) >> 1;
    if (left.slice(low, middle) === right.slice(low, middle)) low = middle;
    else high = middle;
  }
  while (low < high && left.charCodeAt(low) === right.charCodeAt(low)) low += 1;
  return low;
}

function commonSuffix(left: string, right: string, prefix: number): number {
  let low = 0;
  let high = Math.min(left.length, right.length) - prefix;
  while (high - low > 32) {
    const middle = (low + high) >> 1;
    if (left.slice(left.length - middle, left.length - low) === right.slice(right.length - middle, right.length - low))
      low = middle;
    else high = middle;
  }
  while (low < high && left.charCodeAt(left.length - 1 - low) === right.charCodeAt(right.length - 1 - low)) low += 1;
  return low;
}
