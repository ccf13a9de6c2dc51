import type { Diagnostic } from '../../shared/model/diagnostic.ts';

/** Files whose problems are other ones now, with all of each; `isLast` is false while more is to come. */
export interface ProblemNews {
  files: { path: string; found: Diagnostic[] }[];
  isLast: boolean;
}

/** So many problems travel at a time: more would hold up the page that receives them. */
const PORTION = 500;

/** Keeps what a page was told of a game's problems, so that it is told only what is new. */
export function createProblemNews() {
  /** By path, as text. */
  const told = new Map<string, string>();
  let left: ProblemNews['files'] = [];

  const next = (): ProblemNews => {
    let count = 0;
    let end = 0;
    while (end < left.length && count < PORTION) {
      count += (left[end]?.found.length ?? 0) + 1;
      end += 1;
    }
    return { files: left.splice(0, end), isLast: left.length === 0 };
  };

  return {
    clear(): void {
      told.clear();
      left = [];
    },
    /** One file was told of apart. */
    note(path: string, found: readonly Diagnostic[]): void {
      told.set(path, JSON.stringify(found));
    },
    /** Takes everything that was found and returns the first portion of what is new. */
    take(found: readonly Diagnostic[]): ProblemNews {
      const files = Map.groupBy(found, ({ path }) => path);
      const news = [...files].filter(([path, own]) => told.get(path) !== JSON.stringify(own));
      const gone = [...told.keys()].filter((path) => told.get(path) !== '[]' && !files.has(path));
      // What was to come of the last look is told of by this one, too.
      const waiting = left.filter(({ path }) => files.has(path));
      for (const { path } of waiting) told.delete(path);
      left = [...news.map(([path, own]) => ({ path, found: own })), ...gone.map((path) => ({ path, found: [] }))];
      const named = new Set(left.map(({ path }) => path));
      for (const { path } of waiting) if (!named.has(path)) left.push({ path, found: files.get(path) ?? [] });
      for (const file of left) told.set(file.path, JSON.stringify(file.found));
      return next();
    },
    next,
  };
}
