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

/** Returns what a run left, as it is read from a file. */
function toRead(rest: readonly (KeptRun | null)[]): KeptRun | undefined {
  const [one] = rest;
  return one ? KeptRun.parse(JSON.parse(JSON.stringify(one))) : undefined;
}

it('says the same after several runs that go on with each other as after one', { timeout: 240_000 }, async () => {
  const { files } = toFaultyGame(3);
  const whole = await play(files);
  let from: KeptRun | undefined;
  const routes: number[] = [];
  // More would be a run that does not go on.
  while (routes.length < 10) {
    const rest: (KeptRun | null)[] = [];
    const budget = { ...DEFAULT_BUDGET, maxRoutes: ROUTES };
    const report = await play(files, { from, budget, onRest: (one) => rest.push(one) });
    routes.push(report.routes.length);
    from = toRead(rest);
    if (from) continue;
    expect(toFacts(report)).toEqual(toFacts(whole));
    break;
  }
  expect([from, routes.length]).toEqual([undefined, expect.toSatisfy((count: number) => count > 1)]);
  // Nothing is played twice: a run that was ended on its way to a menu begins that way again.
  expect(routes.at(-1)).toBeLessThanOrEqual(whole.routes.length + routes.length);
});

it('goes on from the last part that was whole where the browser crashed', { timeout: 120_000 }, async () => {
  const files = { 'game/scene/start.txt': 'A:hi;\nchoose:Yes:a|No:b;\nlabel:a;\nend;\nlabel:b;\nend;' };
  const rest: (KeptRun | null)[] = [];
  let parts = 0;
  // In the second route.
  const onProgress = (crash: () => Promise<void>) => void (++parts === 3 && crash());
  const crashed = await play(files, { onProgress, onRest: (one) => rest.push(one) });
  expect([crashed.status, crashed.findings.map(({ code }) => code)]).toEqual(['stopped', ['no-answer']]);
  const gone = await play(files, { from: toRead(rest), onRest: (one) => rest.push(one) });
  // The silence is not repeated, and not reported again.
  expect([gone.status, gone.findings, gone.options]).toEqual(['complete', [], { total: 2, taken: 2 }]);
  expect([rest[0]?.routes.length, rest[1]]).toEqual([1, null]);
});

it('leaves nothing where the browser crashed before a part was whole', { timeout: 120_000 }, async () => {
  const rest: (KeptRun | null)[] = [];
  const files = { 'game/scene/start.txt': 'end;' };
  const { status } = await play(files, { pause: (crash) => crash(), onRest: (one) => rest.push(one) });
  expect([status, rest]).toEqual(['stopped', []]);
});

it('does not play a story without a choice again, which was played whole', { timeout: 120_000 }, async () => {
  const files = { 'game/scene/start.txt': 'A:hi;\nend;' };
  const rest: (KeptRun | null)[] = [];
  const stop = new AbortController();
  await play(files, { signal: stop.signal, onProgress: () => stop.abort(), onRest: (one) => rest.push(one) });
  const budget = { ...DEFAULT_BUDGET, maxRoutes: 1 };
  const { status, routes } = await play(files, { from: toRead(rest), budget, onRest: (one) => rest.push(one) });
  expect([status, routes.length, rest.at(-1)]).toEqual(['complete', 1, null]);
});

it('is complete where its last route is the last one that is allowed', { timeout: 120_000 }, async () => {
  const budget = { ...DEFAULT_BUDGET, maxRoutes: 1 };
  const { status, routes } = await play({ 'game/scene/start.txt': 'A:hi;\nend;' }, { budget });
  expect([status, routes.length]).toEqual(['complete', 1]);
});
