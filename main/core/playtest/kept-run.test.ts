import { afterAll, expect, it } from 'vitest';
import { DEFAULT_BUDGET, type PlaytestReport } from '../../../shared/model/playtest/report.ts';
import { toFaultyGame } from '../../../tests/support/games/faulty-game.ts';
import { createPlayer } from '../../../tests/support/games/play-game.ts';
import { KeptRun } from './kept-run.ts';

const { play, dispose } = createPlayer();
/** Routes that one run plays. */
const ROUTES = 5;

afterAll(dispose);

/** What a report says of the game, without how often things were played. */
function toFacts({ status, findings, endings, scenes, coverage, options }: PlaytestReport) {
  const known = findings.map(({ code, place, subject }) => [code, place, subject]);
  const lengths = [...endings, ...scenes].map(({ place, route }) => [place, route?.length]);
  return { status, findings: known, lengths, coverage, options };
}

it('says the same after several runs that go on with each other as after one', { timeout: 240_000 }, async () => {
  const { files } = toFaultyGame(3);
  const whole = await play(files);
  let from: KeptRun | undefined;
  const routes: number[] = [];
  // More would be a run that does not go on.
  while (routes.length < 10) {
    const kept: KeptRun[] = [];
    const budget = { ...DEFAULT_BUDGET, maxRoutes: ROUTES };
    const report = await play(files, { from, budget, onUnfinished: (run) => kept.push(run) });
    routes.push(report.routes.length);
    // As it is read from a file.
    from = kept[0] && KeptRun.parse(JSON.parse(JSON.stringify(kept[0])));
    if (from) continue;
    expect(toFacts(report)).toEqual(toFacts(whole));
    break;
  }
  expect([from, routes.length]).toEqual([undefined, expect.toSatisfy((count: number) => count > 1)]);
  // Nothing is played twice: a run that was ended on its way to a menu begins that way again.
  expect(routes.at(-1)).toBeLessThanOrEqual(whole.routes.length + routes.length);
});
