import { expect, it } from 'vitest';
import type { StageProblem } from '../../../shared/model/stage.ts';
import { createNewsOfStage } from './stage-news.ts';

const problem = (id: string, line: number | null = 2): StageProblem => ({
  ...{ id, reason: 'script-error' as const, subject: `of ${id}` },
  place: line === null ? null : { path: 'game/scene/start.txt', line },
});

it('tells a conversation of each problem once, and again when it is back', () => {
  const news = createNewsOfStage();
  const [one, two] = [problem('one'), problem('two', null)];
  expect(news.take('a', [one])).toEqual([
    { problem: 'script-error', subject: 'of one', path: 'game/scene/start.txt', line: 2 },
  ]);
  expect(news.take('a', [one, two])).toEqual([{ problem: 'script-error', subject: 'of two' }]);
  expect(news.take('a', [one, two])).toEqual([]);
  expect(news.take('a', [two])).toEqual([]);
  expect(news.take('a', [one, two])).toHaveLength(1);
});

it('tells another conversation anew, and not more at once than a message holds', () => {
  const news = createNewsOfStage();
  const many = Array.from({ length: 30 }, (_, index) => problem(`${index}`));
  expect(news.take('a', many)).toHaveLength(20);
  expect(news.take('a', many)).toHaveLength(10);
  expect(news.take('b', many.slice(0, 1))).toHaveLength(1);
});
