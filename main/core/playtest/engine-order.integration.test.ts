import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { copyEngine } from '../../../scripts/copy-engine.ts';
import { DEFAULT_BUDGET, type PlaytestEngine } from '../../../shared/model/playtest/report.ts';
import { CONFIG, playFolder } from '../../../tests/support/games/play-game.ts';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import type { EnginePage, PlaytestPorts } from '../ports/engine-pages.ts';
import { readProjectIndex } from '../project/read-project-index.ts';
import { runPlaytest } from './run-playtest.ts';
import { withStageChoice } from './service/stage-choice.ts';

/** Which engine a playtest plays: with the real engine as that of a game, and with pages that tell what was asked of them. */

const games: ProjectFolder[] = [];
afterAll(async () => {
  for (const game of games) await game.dispose();
});

const START = 'A:one;\nend;\n';

async function createGame(): Promise<ProjectFolder> {
  const game = await createProjectFolder({ 'game/config.txt': CONFIG, 'game/scene/start.txt': START });
  games.push(game);
  return game;
}

/** Puts the real engine into a game, under another version. */
async function bringEngine({ root }: ProjectFolder, version: string): Promise<void> {
  const { directory } = await copyEngine();
  for (const name of ['index.html', 'assets', 'lib'])
    await cp(path.join(directory, name), path.join(root, name), { recursive: true }).catch(() => undefined);
  await writeFile(path.join(root, 'webgal-engine.json'), JSON.stringify({ webgalVersion: version }));
}

it('plays the engine that came with the game where it is another version', async () => {
  const game = await createGame();
  await bringEngine(game, '4.5.17');
  const page = path.join(game.root, 'index.html');
  // Only this engine's page asks for it.
  const script = '<script>fetch("./game/own.txt").catch(() => {})</script></head>';
  await writeFile(page, (await readFile(page, 'utf8')).replace('</head>', script));
  const missing = { code: 'missing-file', subject: 'game/own.txt' };
  const report = await playFolder(game);
  expect(report).toMatchObject({ status: 'complete', playedEngineVersion: '4.5.17', coverage: { played: 2 } });
  expect(report.findings).toMatchObject([missing]);
  expect(await playFolder(game, { engine: 'bundled' })).toMatchObject({ playedEngineVersion: '4.5.18', findings: [] });
}, 120_000);

interface FakeEngines {
  own?: string | null;
  order?: PlaytestEngine[] | null;
  /** Engines that do not start. */
  dead?: PlaytestEngine[];
  /** Engines in which the story cannot be started. */
  deaf?: PlaytestEngine[];
}

async function play(
  { own = null, order = null, dead = [], deaf = [] }: FakeEngines,
  choice?: 'own' | 'bundled' | null,
) {
  const game = await createGame();
  const opened: string[] = [];
  let open = 0;
  const close = () => {
    open -= 1;
  };
  const end = {
    ...{ stop: 'end', scene: 'game/scene/start.txt', line: 1, stack: [], skipped: [], problems: [], steps: 2 },
    ...{ variables: {}, played: [['game/scene/start.txt', [[0, 1]]]] },
  };
  const ports: PlaytestPorts = {
    isIdleTalk: () => false,
    engines: { own: async () => own, order: async () => order },
    async openStage(_texts, engine) {
      opened.push(engine);
      open += 1;
      return {
        url: `http://127.0.0.1:1/${engine}`,
        takeMissing: () => [],
        media: () => ({ empty: [], damaged: [], isAnyWhole: false }),
        close,
      };
    },
    pages: {
      async open(url) {
        const engine = url.endsWith('own') ? 'own' : 'bundled';
        open += 1;
        const page: EnginePage = {
          async call(name) {
            if (name === 'ready') return !dead.includes(engine);
            if (name === 'restart') return !deaf.includes(engine);
            return end;
          },
          close: async () => close(),
        };
        return page;
      },
    },
  };
  const chosen = choice === undefined ? ports : withStageChoice(ports, async () => choice);
  const report = await runPlaytest(chosen, {
    ...{ index: await readProjectIndex(game.reader), budget: DEFAULT_BUDGET, signal: new AbortController().signal },
    now: () => performance.now(),
  }).finally(() => expect(open).toBe(0));
  return [report.playedEngineVersion, opened];
}

it.each<[string, FakeEngines, 'own' | 'bundled' | null | undefined, [string, string[]]]>([
  ['the app’s without another', {}, undefined, ['4.5.18', ['bundled']]],
  ['the app’s where the game has the same version', { own: '4.5.18' }, undefined, ['4.5.18', ['bundled']]],
  ['the app’s where the game’s is too old', { own: '4.4.9' }, undefined, ['4.5.18', ['bundled']]],
  ['the game’s where it is newer', { own: '4.6.1' }, undefined, ['4.6.1', ['own']]],
  ['the app’s where the game’s does not start', { own: '4.6.1', dead: ['own'] }, null, ['4.5.18', ['own', 'bundled']]],
  ['the app’s where the story does not start', { own: '4.6.1', deaf: ['own'] }, null, ['4.5.18', ['own', 'bundled']]],
  ['the one chosen for the stage', { own: '4.6.1' }, 'bundled', ['4.5.18', ['bundled']]],
  ['the game’s where the user chose it', { own: '4.4.9' }, 'own', ['4.4.9', ['own']]],
  ['the app’s where the chosen one is gone', {}, 'own', ['4.5.18', ['bundled']]],
])('plays %s', async (_, engines, choice, expected) => {
  expect(await play(engines, choice)).toEqual(expected);
});

it('plays no other engine than the one that was asked for', async () => {
  expect(await play({ own: '4.6.1', order: ['own'] })).toEqual(['4.6.1', ['own']]);
  await expect(play({ own: '4.6.1', order: ['own'], dead: ['own'] })).rejects.toMatchObject({
    reason: 'playtest.noStart',
  });
});
