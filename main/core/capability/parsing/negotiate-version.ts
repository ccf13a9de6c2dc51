import { major, satisfies, valid, validRange } from 'semver';

/**
 * Returns the major version that a caller means: `current`, or one of `earlier`, or null if it means none of them. An exact
 * version stands for its major version, because minor ones differ in optional fields only; a range has to hold. `undefined`
 * for what is neither.
 */
export function negotiateMajor(
  asked: string,
  { current, earlier }: { current: string; earlier: readonly number[] },
): number | null | undefined {
  const today = major(current);
  const exact = valid(asked.trim());
  if (exact !== null) {
    const wanted = major(exact);
    return wanted === today || earlier.includes(wanted) ? wanted : null;
  }
  const range = asked.trim() === '' || asked.length > MAX_RANGE_LENGTH ? null : validRange(asked);
  if (range === null) return undefined;
  if (satisfies(current, range)) return today;
  // The last version of an earlier major one is not known; every range that begins in it includes its first one.
  return earlier.toSorted((a, b) => b - a).find((one) => satisfies(`${one}.0.0`, range)) ?? null;
}

const MAX_RANGE_LENGTH = 40;
