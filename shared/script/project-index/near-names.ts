/** Converts full-width forms to ASCII: `ｃｈａｎｇｅＢｇ：` becomes `changeBg:`. */
export function toHalfWidth(text: string): string {
  let changed = '';
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 0xff01 && code <= 0xff5e) changed += String.fromCharCode(code - 0xfee0);
    else if (code === 0x3000) changed += ' ';
    else changed += text.charAt(index);
  }
  return changed;
}

/** Longer names are not compared, so that the cost of a comparison is bounded. */
const MAX_LENGTH = 80;
/** Limits the candidates of one search. */
const MAX_CANDIDATES = 5000;

/** Three rows of the distance table, reused by all comparisons. */
let beforeLast = new Int32Array(MAX_LENGTH + 1);
let last = new Int32Array(MAX_LENGTH + 1);
let current = new Int32Array(MAX_LENGTH + 1);

/**
 * Edit distance in UTF-16 units, where a swap of two neighbours counts as one edit. Stops early and returns `limit + 1`
 * when the distance is larger than `limit`.
 */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  if (left.length > MAX_LENGTH || right.length > MAX_LENGTH) return left === right ? 0 : limit + 1;
  if (limit <= MAX_FEW_EDITS) return countFewEdits(left, right, limit);
  if (countMissing(left, right) > limit) return limit + 1;
  // A common prefix or suffix needs no edit.
  const shorter = Math.min(left.length, right.length);
  let from = 0;
  while (from < shorter && left.charCodeAt(from) === right.charCodeAt(from)) from += 1;
  let rows = left.length - from;
  let columns = right.length - from;
  while (rows > 0 && columns > 0 && left.charCodeAt(from + rows - 1) === right.charCodeAt(from + columns - 1)) {
    rows -= 1;
    columns -= 1;
  }
  if (rows === 0 || columns === 0) return rows + columns;
  const beyond = limit + 1;
  for (let column = 0; column <= columns; column += 1) last[column] = column;
  for (let row = 1; row <= rows; row += 1) {
    const here = left.charCodeAt(from + row - 1);
    const before = row > 1 ? left.charCodeAt(from + row - 2) : -1;
    // Cells further from the diagonal cost more than the limit.
    const first = Math.max(1, row - limit);
    const stop = Math.min(columns, row + limit);
    current[first - 1] = first === 1 ? row : beyond;
    let best = first === 1 ? row : beyond;
    for (let column = first; column <= stop; column += 1) {
      const there = right.charCodeAt(from + column - 1);
      let value = (last[column - 1] as number) + (here === there ? 0 : 1);
      const inserted = (current[column - 1] as number) + 1;
      if (inserted < value) value = inserted;
      const removed = column === row + limit ? beyond : (last[column] as number) + 1;
      if (removed < value) value = removed;
      if (column > 1 && before === there && here === right.charCodeAt(from + column - 2)) {
        const swapped = (beforeLast[column - 2] as number) + 1;
        if (swapped < value) value = swapped;
      }
      current[column] = value;
      if (value < best) best = value;
    }
    if (best > limit) return beyond;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return Math.min(last[columns] as number, beyond);
}

/** Up to this limit, trying each edit where two texts differ is several times faster than the table. */
const MAX_FEW_EDITS = 2;

/** The edit distance for a small limit, of the texts from the given positions on; `limit + 1` when it is larger. */
function countFewEdits(left: string, right: string, limit: number, fromLeft = 0, fromRight = 0): number {
  let [one, other] = [fromLeft, fromRight];
  while (one < left.length && left.charCodeAt(one) === right.charCodeAt(other)) {
    one += 1;
    other += 1;
  }
  const rows = left.length - one;
  const columns = right.length - other;
  if (rows === 0 || columns === 0) return Math.min(rows + columns, limit + 1);
  if (limit === 0 || Math.abs(rows - columns) > limit) return limit + 1;
  const rest = limit - 1;
  let best = countFewEdits(left, right, rest, one + 1, other + 1);
  if (rows > columns - limit) best = Math.min(best, countFewEdits(left, right, rest, one + 1, other));
  if (columns > rows - limit) best = Math.min(best, countFewEdits(left, right, rest, one, other + 1));
  const here = left.charCodeAt(one);
  if (here === right.charCodeAt(other + 1) && left.charCodeAt(one + 1) === right.charCodeAt(other)) {
    best = Math.min(best, countFewEdits(left, right, rest, one + 2, other + 2));
  }
  return best + 1;
}

/** Lower bound for the number of distinct characters of `left` that are not in `right`: each needs an edit. */
function countMissing(left: string, right: string): number {
  return bitsIn(lettersOf(left) & ~lettersOf(right));
}

/** A bit for each distinct character; characters with the same lower five bits share one. */
function lettersOf(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index += 1) bits |= 1 << (text.charCodeAt(index) & 31);
  return bits;
}

/** Largest edit distance at which two names of that length count as a typing error. */
export function tolerance(length: number): number {
  if (length <= 2) return 0;
  return length <= 5 ? 1 : 2;
}

/**
 * The candidates nearest to `name`, best first, at most `most`: those that differ only in case or width, then those
 * within the edit distance. Compares at most `MAX_CANDIDATES` candidates.
 */
export function findNearNames(name: string, candidates: Iterable<string>, most = 3): string[] {
  const folded = fold(name);
  const limit = Math.max(tolerance(folded.length), folded.length >= 4 ? 1 : 0);
  const found: Near[] = [];
  let seen = 0;
  for (const candidate of candidates) {
    if (candidate === name) continue;
    seen += 1;
    if (seen > MAX_CANDIDATES) break;
    const distance = editDistance(folded, fold(candidate), limit);
    if (distance <= limit) found.push({ candidate, distance });
  }
  return nearest(found, most);
}

function fold(name: string): string {
  // Fast path: most names contain no full-width characters, and there may be thousands.
  return /[\uff01-\uff5e\u3000]/.test(name) ? toHalfWidth(name).toLowerCase() : name.toLowerCase();
}

/** A name prepared for repeated comparisons. */
export interface NearCandidate {
  readonly name: string;
  readonly folded: string;
  readonly letters: number;
}

/** Prepares a name for `findNearAmong`. */
export function toNearCandidate(name: string): NearCandidate {
  const folded = fold(name);
  return { name, folded, letters: lettersOf(folded) };
}

/** `findNearNames` over prepared candidates; length and characters exclude most candidates without a comparison. */
export function findNearAmong(name: string, candidates: readonly NearCandidate[], most = 3): string[] {
  const folded = fold(name);
  const limit = Math.max(tolerance(folded.length), folded.length >= 4 ? 1 : 0);
  const letters = lettersOf(folded);
  const found: Near[] = [];
  const count = Math.min(candidates.length, MAX_CANDIDATES);
  for (let at = 0; at < count; at += 1) {
    const candidate = candidates[at] as NearCandidate;
    if (Math.abs(candidate.folded.length - folded.length) > limit) continue;
    if (bitsIn(letters & ~candidate.letters) > limit || bitsIn(candidate.letters & ~letters) > limit) continue;
    if (candidate.name === name) continue;
    const distance = editDistance(folded, candidate.folded, limit);
    if (distance <= limit) found.push({ candidate: candidate.name, distance });
  }
  return nearest(found, most);
}

interface Near {
  candidate: string;
  distance: number;
}

function nearest(found: Near[], most: number): string[] {
  found.sort((one, other) => one.distance - other.distance || (one.candidate < other.candidate ? -1 : 1));
  return found.slice(0, most).map((entry) => entry.candidate);
}

function bitsIn(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}
