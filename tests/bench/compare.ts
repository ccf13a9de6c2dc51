/** Milliseconds of one side of a comparison. */
export type Measure = () => Promise<number>;

export interface Comparison {
  name: string;
  /** What ours is measured against. */
  against: string;
  /** Median of ours over median of the other's. */
  ratio: number;
  ours: number;
  theirs: number;
  rounds: number;
}

/**
 * Measures two things in turns, so that whatever else the machine does slows both alike, and compares their medians.
 * The first rounds warm up and do not count.
 */
export async function compare(options: {
  name: string;
  against: string;
  ours: Measure;
  theirs: Measure;
  rounds: number;
}): Promise<Comparison> {
  const { name, against, rounds } = options;
  const [ours, theirs]: [number[], number[]] = [[], []];
  const warmUp = Math.ceil(rounds / 10);
  for (let round = -warmUp; round < rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? [options.ours, options.theirs] : [options.theirs, options.ours];
    const [a, b] = [await first(), await second()];
    if (round < 0) continue;
    ours.push(round % 2 === 0 ? a : b);
    theirs.push(round % 2 === 0 ? b : a);
  }
  const [mine, other] = [toMedian(ours), toMedian(theirs)];
  return { name, against, ratio: mine / other, ours: mine, theirs: other, rounds };
}

/** One line of the report. */
export function toLine({ name, against, ratio, ours, theirs, rounds }: Comparison): string {
  const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
  return `${name}: ${ratio.toFixed(2)} × ${against} (${milliseconds(ours)} against ${milliseconds(theirs)}, medians of ${rounds})`;
}

/** Runs something and says how long it took, in milliseconds. */
export async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function toMedian(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle - 0.5)] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}
