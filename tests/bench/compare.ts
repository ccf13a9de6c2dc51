/** Milliseconds of one side of a comparison. */
export type Measure = () => Promise<number>;

/** What was kept from earlier when a measurement began. `cold`: nothing, as for a user who has just started the program. */
export type BenchState = 'cold' | 'warm';

/** The most that ours may be: so many times the other, and so many milliseconds more. */
export interface Goal {
  ratio: number;
  plusMs?: number;
}

export interface Comparison {
  name: string;
  state: BenchState;
  goal: Goal | null;
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
  /** `warm` when left out: the first rounds do not count. */
  state?: BenchState;
  /** Null, or left out: none was set. */
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

/** One line of the report. */
export function toLine({ name, state, goal, against, ratio, ours, theirs, rounds }: Comparison): string {
  const milliseconds = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
  const what = `${name} (${state}): ${ratio.toFixed(2)} × ${against}`;
  return `${what} (${milliseconds(ours)} against ${milliseconds(theirs)}, medians of ${rounds}); ${toVerdict(goal, { ours, theirs })}`;
}

/** What was wanted of a row, and whether it came about. */
export function toVerdict(goal: Goal | null, { ours, theirs }: { ours: number; theirs: number }): string {
  if (goal === null) return 'no goal set';
  const { ratio, plusMs = 0 } = goal;
  const wanted = `goal ≤ ${ratio} ×${plusMs > 0 ? ` + ${plusMs} ms` : ''}`;
  return `${wanted}: ${ours <= theirs * ratio + plusMs ? 'met' : 'MISSED'}`;
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
