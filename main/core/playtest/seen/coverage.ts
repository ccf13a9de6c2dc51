import type { SceneCoverage } from '../../../../shared/model/playtest/report.ts';
import type { RoutePart } from '../engine-driver.ts';
import type { KeptLines } from '../kept-run.ts';
import type { StaticRoutes } from '../static-routes.ts';

/** Runs of 0-based lines, the first and the last, by path of the scene. */
export type LineRanges = readonly (readonly [path: string, runs: readonly (readonly [number, number])[]])[];

/** The lines that routes played or passed without a true condition. */
export class Coverage {
  readonly #lines: StaticRoutes['lines'];
  readonly #played = new Map<string, Set<number>>();
  readonly #skipped = new Map<string, Set<number>>();
  /** Grows with each line that is played for the first time. */
  revision = 0;

  constructor({ lines }: StaticRoutes) {
    this.#lines = lines;
  }

  /** Adds lines of a part of a route, or of an earlier run. */
  add(part: Pick<RoutePart, 'played' | 'skipped'>): void {
    for (const [path, lines] of part.played) {
      const known = this.#played.get(path) ?? new Set();
      const before = known.size;
      for (const line of lines) known.add(line);
      this.revision += known.size - before;
      this.#played.set(path, known);
    }
    for (const [path, lines] of part.skipped) {
      const known = this.#skipped.get(path) ?? new Set();
      for (const line of lines) known.add(line);
      this.#skipped.set(path, known);
    }
  }

  kept(): { played: KeptLines; skipped: KeptLines } {
    return { played: toKept(this.#played), skipped: toKept(this.#skipped) };
  }

  isPlayed(path: string, line: number): boolean {
    return this.#played.get(path)?.has(line) ?? false;
  }

  /** True for a line that routes passed, always with a false condition. */
  isOnlySkipped(path: string, line: number): boolean {
    return (this.#skipped.get(path)?.has(line) ?? false) && !this.isPlayed(path, line);
  }

  hasScene(path: string): boolean {
    return this.#played.has(path);
  }

  count(): { lines: number; played: number } {
    let [all, played] = [0, 0];
    for (const [path, lines] of this.#lines) {
      all += lines.length;
      for (const line of lines) if (this.isPlayed(path, line)) played += 1;
    }
    return { lines: all, played };
  }

  scenes(): SceneCoverage[] {
    return [...this.#lines]
      .map(([path, lines]) => {
        const never: { first: number; last: number }[] = [];
        let wasPlayed = true;
        let played = 0;
        for (const line of lines) {
          const isPlayed = this.isPlayed(path, line);
          if (isPlayed) played += 1;
          else if (wasPlayed) never.push({ first: line + 1, last: line + 1 });
          else (never.at(-1) as { last: number }).last = line + 1;
          wasPlayed = isPlayed;
        }
        return { path, lines: lines.length, played, never };
      })
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  }
}

const toKept = (lines: ReadonlyMap<string, ReadonlySet<number>>): KeptLines =>
  [...lines].map(([path, known]) => [path, [...known]]);

/** Returns lines in few numbers: most of a scene is played line by line. */
export function toRanges(lines: KeptLines): LineRanges {
  return lines.map(([path, numbers]) => {
    const runs: [number, number][] = [];
    for (const line of [...new Set(numbers)].sort((one, other) => one - other)) {
      const last = runs.at(-1);
      if (last && last[1] === line - 1) last[1] = line;
      else runs.push([line, line]);
    }
    return [path, runs] as const;
  });
}

/** Returns the lines of both. */
export function joinRanges(one: LineRanges, other: LineRanges): LineRanges {
  const lines = new Map<string, number[]>();
  for (const [path, runs] of [...one, ...other]) {
    const known = lines.get(path) ?? [];
    for (const [first, last] of runs) for (let line = first; line <= last; line += 1) known.push(line);
    lines.set(path, known);
  }
  return toRanges([...lines]);
}
