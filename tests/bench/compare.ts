/** Measures one side of a comparison, in milliseconds. */
export type Measure = () => Promise<number>;

/** State of the caches when a measurement begins. `cold`: empty, as after the start of the program. */
export type BenchState = 'cold' | 'warm';

/** The limit of ours: `ratio` times the other, plus a number of milliseconds. */
export interface Goal {
  ratio: number;
  plusMs?: number;
}

export interface Comparison {
  name: string;
  state: BenchState;
  goal: Goal | null;
  /** Name of the other side. */
  against: string;
  /** Median of ours divided by the median of the other. */
  ratio: number;
  ours: number;
  theirs: number;
  rounds: number;
}

/**
 * Measures two functions alternately, so that other load of the machine slows both equally, and compares their medians.
 * The first rounds are a warm-up and are not counted.
 */
export async function compare(options: {
  name: string;
  /** Default `warm`: the first rounds are not counted. */
  state?: BenchState;
  /** Null or undefined: no goal. */
  goal?: Goal | null;
  against: string;
  ours: Measure;
  theirs: Measure;
  rounds: number;
}): Promise<Comparison> {
  const { name, against, rounds, state = 'warm', goal = null } = options;
  const [ours, theirs]: [number[], number[]] = [[], []];
  const warmUp = state === 'cold' ? 0 : Math.ceil(rounds / 10);
  for (let round = -warmUp; round < rounds; round += 1) {
    const [first, second] = round % 2 === 0 ? [options.ours, options.theirs] : [options.theirs, options.ours];
    const [a, b] = [await first(), await second()];
    if (round < 0) continue;
    ours.push(round % 2 === 0 ? a : b);
    theirs.push(round % 2 === 0 ? b : a);
  }
  const [mine, other] = [toMedian(ours), toMedian(theirs)];
  return { name, state, goal, against, ratio: mine / other, ours: mine, theirs: other, rounds };
}

/** Formats a line of the report. */
export function toLine({ name, state, goal, against, ratio, ours, theirs, rounds }: Comparison): string {
  const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
  const what = `${name} (${state}): ${ratio.toFixed(2)} × ${against}`;
  return `${what} (${milliseconds(ours)} against ${milliseconds(theirs)}, medians of ${rounds}); ${toVerdict(goal, { ours, theirs })}`;
}

/** Formats a row's goal and whether it was met. */
export function toVerdict(goal: Goal | null, { ours, theirs }: { ours: number; theirs: number }): string {
  if (goal === null) return 'no goal set';
  const { ratio, plusMs = 0 } = goal;
  const wanted = `goal ≤ ${ratio} ×${plusMs > 0 ? ` + ${plusMs} ms` : ''}`;
  return `${wanted}: ${ours <= theirs * ratio + plusMs ? 'met' : 'MISSED'}`;
}

/** Runs a function and returns its duration in milliseconds. */
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
