/**
 * Returns for each line of a text its index in another version of the text, both from 0; -1 for a line that is not there any more. Takes
 * the common ends, then lines that both versions have once, then what is equal beside those. Linear but for a sort.
 */
export function toKeptLines(before: readonly string[], after: readonly string[]): Int32Array {
  const kept = new Int32Array(before.length).fill(-1);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) {
    kept[start] = start;
    start += 1;
  }
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > start && endAfter > start && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore -= 1;
    endAfter -= 1;
    kept[endBefore] = endAfter;
  }
  let floor = start - 1;
  let from = start;
  for (const [at, to] of findAnchors(before.slice(start, endBefore), after.slice(start, endAfter))) {
    kept[at + start] = to + start;
    // Up to the anchor before.
    for (let up = 1; at + start - up >= from && to + start - up > floor; up += 1) {
      if (before[at + start - up] !== after[to + start - up]) break;
      kept[at + start - up] = to + start - up;
    }
    from = at + start + 1;
    floor = to + start;
    while (from < endBefore && floor + 1 < endAfter && before[from] === after[floor + 1]) {
      floor += 1;
      kept[from] = floor;
      from += 1;
    }
  }
  return kept;
}

/** Returns pairs of lines that both texts have once, in an order that both share. */
function findAnchors(before: readonly string[], after: readonly string[]): [number, number][] {
  const places = toSinglePlaces(after);
  const pairs: [number, number][] = [];
  for (const [line, at] of toSinglePlaces(before)) {
    const to = at < 0 ? undefined : places.get(line);
    if (to !== undefined && to >= 0) pairs.push([at, to]);
  }
  pairs.sort(([one], [other]) => one - other);
  return toRising(pairs);
}

/** The place of each line that occurs once; -1 for one that occurs again. */
function toSinglePlaces(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  lines.forEach((line, at) => {
    places.set(line, places.has(line) ? -1 : at);
  });
  return places;
}

/** The longest selection whose second numbers rise, by patience sorting. */
function toRising(pairs: readonly [number, number][]): [number, number][] {
  /** Index of the pair that ends the shortest-ending selection of each length. */
  const ends: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([, to], index) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < to) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = index;
  });
  const rising: [number, number][] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair) rising.push(pair);
  }
  return rising.reverse();
}
