/** Turns full-width forms into the plain ones they imitate: `ｃｈａｎｇｅＢｇ：` becomes `changeBg:`. */
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

/** Names longer than this are never compared: the cost of a comparison stays bounded. */
const LONGEST = 80;
/** More candidates than this are not looked at one by one. */
const MOST_CANDIDATES = 5000;

/**
 * Edit distance in UTF-16 units, where swapping two neighbours counts as one edit. Stops early and returns
 * `limit + 1` when the distance is larger than `limit`.
 */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  if (left.length > LONGEST || right.length > LONGEST) return left === right ? 0 : limit + 1;
  if (lettersMissing(left, right) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= right.length; column += 1) {
      const same = left.charCodeAt(row - 1) === right.charCodeAt(column - 1);
      let value = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (
        row > 1 &&
        column > 1 &&
        left.charCodeAt(row - 1) === right.charCodeAt(column - 2) &&
        left.charCodeAt(row - 2) === right.charCodeAt(column - 1)
      ) {
        value = Math.min(value, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(value);
      best = Math.min(best, value);
    }
    if (best > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? limit + 1;
}

/** How many kinds of letters of `left` are not in `right`, at least: each of them takes an edit. */
function lettersMissing(left: string, right: string): number {
  return bitsIn(lettersOf(left) & ~lettersOf(right));
}

/** A bit for each kind of letter; kinds that share one are not told apart. */
function lettersOf(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index += 1) bits |= 1 << (text.charCodeAt(index) & 31);
  return bits;
}

/** How many edits two names of that length may lie apart and still be taken for the same name mistyped. */
export function tolerance(length: number): number {
  if (length <= 2) return 0;
  return length <= 5 ? 1 : 2;
}

/**
 * The candidates nearest to `name`, best first, at most `most`: those that differ only in case or width, then those
 * a few edits away. Compares a bounded number of candidates.
 */
export function findNearNames(name: string, candidates: Iterable<string>, most = 3): string[] {
  const folded = fold(name);
  const limit = Math.max(tolerance(folded.length), folded.length >= 4 ? 1 : 0);
  const found: { candidate: string; distance: number }[] = [];
  let seen = 0;
  for (const candidate of candidates) {
    if (candidate === name) continue;
    seen += 1;
    if (seen > MOST_CANDIDATES) break;
    const distance = editDistance(folded, fold(candidate), limit);
    if (distance <= limit) found.push({ candidate, distance });
  }
  found.sort((one, other) => one.distance - other.distance || (one.candidate < other.candidate ? -1 : 1));
  return found.slice(0, most).map((entry) => entry.candidate);
}

function fold(name: string): string {
  // Most names are plain already, and there may be thousands of them.
  return /[\uff01-\uff5e\u3000]/.test(name) ? toHalfWidth(name).toLowerCase() : name.toLowerCase();
}

/** A name made ready to be compared often. */
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

/** `findNearNames` over candidates that were prepared; those that cannot be near are told by their length and letters. */
export function findNearAmong(name: string, candidates: readonly NearCandidate[], most = 3): string[] {
  const folded = fold(name);
  const limit = Math.max(tolerance(folded.length), folded.length >= 4 ? 1 : 0);
  const letters = lettersOf(folded);
  const possible: string[] = [];
  const count = Math.min(candidates.length, MOST_CANDIDATES);
  for (let at = 0; at < count; at += 1) {
    const candidate = candidates[at] as NearCandidate;
    if (Math.abs(candidate.folded.length - folded.length) > limit) continue;
    if (bitsIn(letters & ~candidate.letters) <= limit) possible.push(candidate.name);
  }
  return findNearNames(name, possible, most);
}

function bitsIn(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}
