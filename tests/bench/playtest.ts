import { runPlaytest } from '../../main/core/playtest/run-playtest.ts';
import type { PlaytestPorts } from '../../main/core/ports/engine-pages.ts';
import { readProjectIndex } from '../../main/core/project/read-project-index.ts';
import { createPlaytestPorts } from '../../main/node/playtest/playtest-ports.ts';
import { copyEngine } from '../../scripts/copy-engine.ts';
import { DEFAULT_BUDGET } from '../../shared/model/playtest/report.ts';
import { createProjectFolder, type ProjectFolder } from '../support/games/project-folder.ts';
import { findBrowser, launchBrowser } from '../support/window/browser.ts';
import { openStage } from '../support/window/open-stage.ts';
import { type Comparison, compare, time } from './compare.ts';
import { STORY_FILES, toScene } from './story-text.ts';

const SCENES = 60;
const LINES = 14;
const ROUNDS = 3;
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360"/></svg>';

/** A story of one route, so that both sides play the same statements. It has no sounds, for which the engine alone would wait. */
function toGame(): Record<string, string> {
  const nameOf = (scene: number) => (scene === 0 ? 'start.txt' : `scene-${scene}.txt`);
  const scenes = Array.from({ length: SCENES }, (_, scene) => {
    const next = scene + 1 < SCENES ? `changeScene:${nameOf(scene + 1)};` : 'Last:words;\nend;';
    const text = toScene(scene, LINES, next)
      .replaceAll('.webp', '.svg')
      .replaceAll(/ -v\d+\.ogg/g, '');
    return [`game/scene/${nameOf(scene)}`, text.replaceAll(/^bgm:.*$/gm, ':silence;')];
  });
  const pictures = STORY_FILES.filter((path) => path.endsWith('.webp')).map((path) => path.replace('.webp', '.svg'));
  return {
    'game/config.txt': 'Game_name:Bench;\nGame_key:bench;\n',
    ...Object.fromEntries(scenes),
    ...Object.fromEntries(pictures.map((path) => [path, PICTURE])),
  };
}

/** Returns the ports with the time that passes from the start of the story to the last answer of the page, in milliseconds. */
function watchPlaying(ports: PlaytestPorts): { ports: PlaytestPorts; played: () => number } {
  let [began, ended] = [0, 0];
  const pages: PlaytestPorts['pages'] = {
    async open(url, signal) {
      const page = await ports.pages.open(url, signal);
      return {
        close: page.close,
        async call(name, input) {
          if (name === 'restart' && began === 0) began = performance.now();
          const answer = await page.call(name, input);
          ended = performance.now();
          return answer;
        },
      };
    },
  };
  return { ports: { ...ports, pages }, played: () => ended - began };
}

/** Runs in the engine's page: clicks as soon as the page has done what the last click began, without waiting for a frame. */
async function clickThrough(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  const takeTurn = () =>
    new Promise<unknown>((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(0);
    });
  for (;;) {
    if (document.querySelector('#textBoxMain [class*="showName"]')?.textContent?.includes('Last')) return;
    document.getElementById('FullScreenClick')?.click();
    await takeTurn();
  }
}

/** The engine in a page without the app's script of playtests. */
async function playAlone(files: Record<string, string>): Promise<number> {
  const browser = await launchBrowser();
  const opened = await openStage(browser, files);
  try {
    opened.stage.show({ path: 'game/scene/start.txt', line: 1, source: 'saved' });
    await opened.engine().locator('#FullScreenClick').waitFor({ state: 'attached' });
    const body = opened.engine().locator('body');
    return await time(() => body.evaluate(clickThrough));
  } finally {
    await opened.close();
    await browser.close();
  }
}

async function playtest(game: ProjectFolder): Promise<number> {
  const { directory } = await copyEngine();
  const { ports, played } = watchPlaying(
    createPlaytestPorts({
      ...{ root: game.root, engineDirectory: directory, environment: process.env, locale: () => 'en' },
      program: await findBrowser(),
    }),
  );
  const index = await readProjectIndex(game.reader);
  const report = await runPlaytest(ports, {
    ...{ index, budget: DEFAULT_BUDGET, signal: new AbortController().signal, now: () => performance.now() },
  });
  if (report.status !== 'complete') throw new Error(`The playtest ended as ${report.status}.`);
  return played();
}

/** Measures the playing of a playtest, without the start of browser and engine, against the engine clicked through. */
export async function benchPlaytest(): Promise<Comparison> {
  const files = toGame();
  const game = await createProjectFolder(files);
  try {
    return await compare({
      name: `playtest of ${SCENES} scenes`,
      against: 'the engine alone, clicked through as fast as it goes on',
      goal: { ratio: 3 },
      rounds: ROUNDS,
      ours: () => playtest(game),
      theirs: () => playAlone(files),
    });
  } finally {
    await game.dispose();
  }
}
