import { expect, it } from 'vitest';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import { createProblemNews } from './problem-news.ts';

const problem = (path: string, line = 1): Diagnostic => ({
  ...{ path, line, column: 1, endLine: line, endColumn: 2, severity: 'error', kind: 'syntax', code: 'a', message: 'm' },
});

it('reports a file once, again when its problems change, and when it has none left', () => {
  const news = createProblemNews();
  const paths = (found: Diagnostic[]) => news.take(found).files.map(({ path, found: own }) => [path, own.length]);
  expect(paths([problem('a'), problem('a', 2), problem('b')])).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  expect(paths([problem('a'), problem('a', 2), problem('b')])).toEqual([]);
  expect(paths([problem('a'), problem('b')])).toEqual([['a', 1]]);
  expect(paths([problem('b')])).toEqual([['a', 0]]);
  expect(paths([problem('b')])).toEqual([]);
  news.note('b', []);
  expect(paths([problem('b')])).toEqual([['b', 1]]);
});

it('reports in batches, and loses nothing when a new check starts in between', () => {
  const news = createProblemNews();
  const found = Array.from({ length: 2000 }, (_, index) => problem(`file-${index}`));
  const reported = new Set<string>();
  const receive = ({ files, isLast }: ReturnType<typeof news.next>) => {
    for (const { path } of files) reported.add(path);
    return isLast;
  };
  expect(receive(news.take(found))).toBe(false);
  expect(reported.size).toBeLessThan(600);
  let isLast = receive(news.take(found));
  while (!isLast) isLast = receive(news.next());
  expect(reported.size).toBe(2000);
});
