import { expect, it } from 'vitest';
import type { StageNews } from '../../../shared/model/message/editor-context.ts';
import type { StageProblem } from '../../../shared/model/stage.ts';
import { createNewsOfStage, type NewsOfStage } from './stage-news.ts';

const problem = (id: string, line: number | null = 2): StageProblem => ({
  ...{ id, reason: 'script-error' as const, subject: `of ${id}` },
  place: line === null ? null : { path: 'game/scene/start.txt', line },
});

/** Returns the news after they were told. */
function take(of: NewsOfStage, session: string, problems: readonly StageProblem[]): StageNews[] {
  const { news, setTold } = of.find(session, problems);
  setTold();
  return news;
}

it('tells a conversation of each problem once, and again when it is back', () => {
  const news = createNewsOfStage();
  const [one, two] = [problem('one'), problem('two', null)];
  expect(take(news, 'a', [one])).toEqual([
    { problem: 'script-error', subject: 'of one', path: 'game/scene/start.txt', line: 2 },
  ]);
  expect(take(news, 'a', [one, two])).toEqual([{ problem: 'script-error', subject: 'of two' }]);
  expect(take(news, 'a', [one, two])).toEqual([]);
  expect(take(news, 'a', [two])).toEqual([]);
  expect(take(news, 'a', [one, two])).toHaveLength(1);
});

it('tells another conversation anew, and not more at once than a message holds', () => {
  const news = createNewsOfStage();
  const many = Array.from({ length: 30 }, (_, index) => problem(`${index}`));
  expect(take(news, 'a', many)).toHaveLength(20);
  expect(take(news, 'a', many)).toHaveLength(10);
  expect(take(news, 'b', many.slice(0, 1))).toHaveLength(1);
});

it('tells again what was not told, and counts nothing as told to a conversation that is not open any more', () => {
  const of = createNewsOfStage();
  const refused = of.find('a', [problem('one')]);
  expect(of.find('a', [problem('one')]).news).toEqual(refused.news);
  of.find('b', [problem('one')]);
  refused.setTold();
  expect(of.find('b', [problem('one')]).news).toHaveLength(1);
});
