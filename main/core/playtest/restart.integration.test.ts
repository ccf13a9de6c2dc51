import { afterAll, expect, it } from 'vitest';
import { START_PATH } from '../../../shared/script/project-index/project-facts.ts';
import { CONFIG, playFolder } from '../../../tests/support/games/play-game.ts';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import type { KeptRun } from './kept-run.ts';

const TIMEOUT_MS = 120_000;
const STORY = 'A:hi;\nchoose:Yes:a|No:b;\nlabel:a;\nend;\nlabel:b;\nend;';
const games: ProjectFolder[] = [];

afterAll(async () => {
  for (const game of games) await game.dispose();
});

/** Returns a game, and what takes its first scene away before the story begins for the nth time. */
async function createGame(nth: number) {
  const game = await createProjectFolder({ 'game/config.txt': CONFIG, [START_PATH]: STORY });
  games.push(game);
  let begun = 0;
  const pause = async (): Promise<void> => {
    begun += 1;
    if (begun === nth) await game.remove(START_PATH);
  };
  return { game, pause };
}

it('reports the routes that were played where the story does not begin anew', { timeout: TIMEOUT_MS }, async () => {
  const { game, pause } = await createGame(2);
  const rest: (KeptRun | null)[] = [];
  const report = await playFolder(game, { pause, onRest: (one) => rest.push(one) });
  expect([report.status, report.routes.map(({ end }) => end), report.options.taken]).toEqual(['stopped', ['end'], 1]);
  const found = report.findings.find(({ code }) => code === 'no-restart');
  expect([found?.place, found?.route?.map(({ text }) => text)]).toEqual([{ path: START_PATH, line: 4 }, ['Yes']]);
  expect(rest.map((one) => one?.routes.length)).toEqual([1]);
});

it('reports the routes where a test of the story does not begin', { timeout: TIMEOUT_MS }, async () => {
  // Two routes and a test.
  const { game, pause } = await createGame(4);
  const tests = ['one', 'two', 'three'].map((name) => ({ name, choose: ['Yes'], expect: {} }));
  const report = await playFolder(game, { pause, tests });
  expect([report.status, report.routes.length]).toEqual(['complete', 2]);
  expect(report.tests.map(({ name, failure }) => [name, failure?.expected])).toEqual([
    ['one', undefined],
    ['two', 'no-restart'],
  ]);
});

it('throws where the story never begins', { timeout: TIMEOUT_MS }, async () => {
  const { game, pause } = await createGame(1);
  await expect(playFolder(game, { pause })).rejects.toMatchObject({ code: 'E_PREVIEW_FAIL' });
});

it('reports the way to where a page that hangs had come', { timeout: TIMEOUT_MS }, async () => {
  const { game } = await createGame(0);
  let begun = 0;
  const rest: (KeptRun | null)[] = [];
  const pause = async (crash: () => Promise<void>) => void (++begun === 2 && (await crash()));
  const report = await playFolder(game, { pause, onRest: (one) => rest.push(one) });
  const toFound = ({ findings }: typeof report) =>
    findings.map(({ code, place, route }) => [code, place.line, route?.map(({ text }) => text)]);
  expect([report.status, report.routes.map(({ end }) => end)]).toEqual(['stopped', ['end']]);
  expect(toFound(report)).toEqual([['no-restart', 4, ['Yes']]]);
  // A run that goes on has played nothing in its own page.
  const gone = await playFolder(game, { pause: (crash) => crash(), ...(rest[0] && { from: rest[0] }) });
  expect(toFound(gone)).toEqual([['no-restart', 1, []]]);
});

it('counts no route that was stopped before it began', { timeout: TIMEOUT_MS }, async () => {
  const { game } = await createGame(0);
  let begun = 0;
  const stop = new AbortController();
  const pause = async () => void (++begun === 2 && stop.abort());
  const report = await playFolder(game, { pause, signal: stop.signal });
  expect([report.status, report.routes.map(({ end }) => end), report.findings]).toEqual(['stopped', ['end'], []]);
});
