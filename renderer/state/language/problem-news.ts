import type { Diagnostic } from '../../../shared/model/diagnostic.ts';

/** A batch of files whose problems changed, with all problems of each; `isLast` is false while more batches follow. */
export interface ProblemNews {
  files: { path: string; found: Diagnostic[] }[];
  isLast: boolean;
}

/** Problems per batch; receiving a larger one would block the page. */
const BATCH_SIZE = 500;

/** Creates a record of the problems sent to the page, so that only changes are sent. */
export function createProblemNews() {
  /** The problems sent last, by path, as JSON. */
  const sent = new Map<string, string>();
  let left: ProblemNews['files'] = [];

  const next = (): ProblemNews => {
    let count = 0;
    let end = 0;
    while (end < left.length && count < BATCH_SIZE) {
      count += (left[end]?.found.length ?? 0) + 1;
      end += 1;
    }
    return { files: left.splice(0, end), isLast: left.length === 0 };
  };

  return {
    clear(): void {
      sent.clear();
      left = [];
    },
    /** Records the problems of a file that were sent separately. */
    note(path: string, found: readonly Diagnostic[]): void {
      sent.set(path, JSON.stringify(found));
    },
    /** Takes all problems and returns the first batch of changes. */
    take(found: readonly Diagnostic[]): ProblemNews {
      const files = Map.groupBy(found, ({ path }) => path);
      const news = [...files].filter(([path, own]) => sent.get(path) !== JSON.stringify(own));
      const gone = [...sent.keys()].filter((path) => sent.get(path) !== '[]' && !files.has(path));
      // Include the files of the previous check that were not sent yet.
      const waiting = left.filter(({ path }) => files.has(path));
      for (const { path } of waiting) sent.delete(path);
      left = [...news.map(([path, own]) => ({ path, found: own })), ...gone.map((path) => ({ path, found: [] }))];
      const named = new Set(left.map(({ path }) => path));
      for (const { path } of waiting) if (!named.has(path)) left.push({ path, found: files.get(path) ?? [] });
      for (const file of left) sent.set(file.path, JSON.stringify(file.found));
      return next();
    },
    next,
  };
}
