import { afterAll, expect, it } from 'vitest';
import { createPlayer } from '../../../tests/support/games/play-game.ts';
import type { KeptRun } from './kept-run.ts';

/** Less than a page may take for one part of a route. */
const TIMEOUT_MS = 100_000;
const { play, dispose } = createPlayer();

afterAll(dispose);

it('ends a long part of a route at the limit of time, and plays it again when it goes on', {
  timeout: TIMEOUT_MS,
}, async () => {
  const game = {
    'game/scene/start.txt': 'A:hi;\nchoose:Long:long.txt|Short:short.txt;',
    'game/scene/long.txt': `${'A:long;\n'.repeat(20_000)}end;`,
    'game/scene/short.txt': 'A:short;\nend;',
  };
  const rest: (KeptRun | null)[] = [];
  const report = await play(game, { budget: { maxRoutes: 10, maxMs: 3_000 }, onRest: (one) => rest.push(one) });
  expect([report.status, report.findings]).toEqual(['budget', []]);
  expect(report.routes.map(({ end, picks }) => [end, picks.map(({ text }) => text)])).toEqual([['limit', ['Long']]]);
  expect(rest.map((one) => [one?.routes, one?.map.taken])).toEqual([[[], []]]);
});

it('reports a page that hangs soon after the limit of time', { timeout: TIMEOUT_MS }, async () => {
  const hang = `addEventListener('click', () => { for (;;); }, true);`;
  const report = await play(
    { 'game/scene/start.txt': 'A:hi;\nA:there;\nend;', 'lib/live2d.min.js': hang },
    { budget: { maxRoutes: 10, maxMs: 1_000 } },
  );
  expect([report.status, report.findings.map(({ code, place }) => [code, place.line])]).toEqual([
    'stopped',
    [['no-answer', 1]],
  ]);
});
