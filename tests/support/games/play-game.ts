import type { KeptRun } from '../../../main/core/playtest/kept-run.ts';
import { runPlaytest } from '../../../main/core/playtest/run-playtest.ts';
import type { EnginePages } from '../../../main/core/ports/engine-pages.ts';
import { readProjectIndex } from '../../../main/core/project/read-project-index.ts';
import { createPlaytestPorts } from '../../../main/node/playtest/playtest-ports.ts';
import { findOwnEngine } from '../../../main/node/stage/game-engine.ts';
import { copyEngine } from '../../../scripts/copy-engine.ts';
import {
  DEFAULT_BUDGET,
  type PlaytestBudget,
  type PlaytestEngine,
  type PlaytestReport,
} from '../../../shared/model/playtest/report.ts';
import type { StoryTest } from '../../../shared/model/playtest/story-test.ts';
import { findBrowser } from '../window/browser.ts';
import { createProjectFolder, type ProjectFolder } from './project-folder.ts';

/** As of a playtest, each with a default. */
interface PlayOptions {
  engine?: PlaytestEngine;
  budget?: PlaytestBudget;
  signal?: AbortSignal;
  /** `crash` ends the browser that plays. */
  onProgress?: (crash: () => Promise<void>) => void;
  pause?: (crash: () => Promise<void>) => Promise<void>;
  tests?: StoryTest[];
  onlyTests?: boolean;
  from?: KeptRun | undefined;
  onRest?: (rest: KeptRun | null) => void;
}

export const CONFIG = 'Game_name:Test;\nGame_key:test;\nDefault_Language:en;\n';

/** Creates what plays games of these files on the real engine in a real browser. `dispose` removes their folders. */
export function createPlayer() {
  const games: ProjectFolder[] = [];
  return {
    async play(files: Record<string, string | Uint8Array>, options: PlayOptions = {}): Promise<PlaytestReport> {
      const game = await createProjectFolder({ 'game/config.txt': CONFIG, ...files });
      games.push(game);
      return playFolder(game, options);
    },
    async dispose() {
      for (const game of games) await game.dispose();
    },
  };
}

/** Plays the game of a folder on the real engine in a real browser. */
export async function playFolder(
  { root, reader }: Pick<ProjectFolder, 'root' | 'reader'>,
  options: PlayOptions = {},
): Promise<PlaytestReport> {
  const { directory } = await copyEngine();
  const ports = createPlaytestPorts({
    root,
    findOwn: () => findOwnEngine({ root, shape: 'export' }),
    ...(options.engine && { order: [options.engine] }),
    engineDirectory: directory,
    environment: process.env,
    locale: () => 'en',
    program: await findBrowser(),
  });
  const { from, onRest, onProgress = () => {}, pause = async () => {}, tests = [], onlyTests = false } = options;
  const { budget = DEFAULT_BUDGET, signal = new AbortController().signal } = options;
  let crash = async () => {};
  const pages: EnginePages = {
    async open(...which) {
      const page = await ports.pages.open(...which);
      crash = () => page.close();
      return page;
    },
  };
  return runPlaytest(
    { ...ports, pages },
    {
      ...{ index: await readProjectIndex(reader), budget, tests, onlyTests, signal },
      onProgress: () => onProgress(crash),
      pause: () => pause(crash),
      now: () => performance.now(),
      ...(from && { from }),
      ...(onRest && { onRest }),
    },
  );
}
