import { expect, it } from 'vitest';
import type { Diagnostic } from '../../shared/model/diagnostic.ts';
import { createProblemNews } from './problem-news.ts';

const problem = (path: string, line = 1): Diagnostic => ({
  ...{ path, line, column: 1, endLine: line, endColumn: 2, severity: 'error', kind: 'syntax', code: 'a', message: 'm' },
});

it('tells of a file once, again when it is another, and when nothing is left in it', () => {
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

it('tells in portions, and loses nothing when it looks again in between', () => {
  const news = createProblemNews();
  const found = Array.from({ length: 2000 }, (_, index) => problem(`file-${index}`));
  const told = new Set<string>();
  const hear = ({ files, isLast }: ReturnType<typeof news.next>) => {
    for (const { path } of files) told.add(path);
    return isLast;
  };
  expect(hear(news.take(found))).toBe(false);
  expect(told.size).toBeLessThan(600);
  let isLast = hear(news.take(found));
  while (!isLast) isLast = hear(news.next());
  expect(told.size).toBe(2000);
});
