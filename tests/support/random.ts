/** `SEED` of the environment, or another one in each run. Print it where a test fails that uses random numbers. */
export const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);

/** Returns a generator (mulberry32) of the random numbers of a seed, from 0 to less than 1. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
