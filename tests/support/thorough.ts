/**
 * True with `THOROUGH=1`, as in CI: random cases and races then run in full numbers. Other runs try a part of them, each run
 * others, because these numbers are arbitrary and most of the time of all unit tests.
 */
const IS_THOROUGH = process.env.THOROUGH === '1';

/** Returns the number of random cases of this run for one of a thorough run. */
export const toRuns = (full: number): number => (IS_THOROUGH ? full : Math.ceil(full / 4));
