import { AppError } from '../../../shared/errors.ts';
import type { PlaytestBudget, PlaytestProgress, PlaytestReport } from '../../../shared/model/playtest/report.ts';
import type { StoryTest } from '../../../shared/model/playtest/story-test.ts';
import { type ProjectIndex, START_PATH } from '../../../shared/script/project-index/project-facts.ts';
import type { PlaytestPorts } from '../ports/engine-pages.ts';
import { createEngineDriver } from './engine-driver.ts';
import { explore } from './explore.ts';
import { playStoryTests } from './play-story-tests.ts';
import { readStaticRoutes } from './static-routes.ts';
import { toReport } from './to-report.ts';

/** The first part of the first route only. */
const NO_ROUTES: PlaytestBudget = { maxRoutes: 0, maxMs: 0 };

export interface PlaytestOptions {
  index: ProjectIndex;
  /** Texts that are played instead of those on the disk, by project path. */
  texts?: ReadonlyMap<string, string>;
  /** Tests of the story, played after the routes. */
  tests?: readonly StoryTest[];
  /** True to play the tests alone. */
  onlyTests?: boolean;
  budget: PlaytestBudget;
  now: () => number;
  signal: AbortSignal;
  onProgress?: (progress: PlaytestProgress) => void;
  /** Awaited before each route and each test. */
  pause?: () => Promise<void>;
}

/**
 * Plays the routes of a game on the engine and reports what it found. Throws `E_UNSUPPORTED` (`browser.none`) without a browser,
 * `E_PREVIEW_FAIL` or `E_NOT_FOUND` (`playtest.noStart`) where the story cannot start. A stopped run reports what it has.
 */
export async function runPlaytest(ports: PlaytestPorts, options: PlaytestOptions): Promise<PlaytestReport> {
  const { index, texts = new Map(), tests = [], budget, now, signal, onProgress, pause } = options;
  const began = now();
  if (index.scene(START_PATH) === undefined) {
    throw new AppError('E_NOT_FOUND', `The game has no first scene (${START_PATH}).`, { reason: 'playtest.noStart' });
  }
  const routes = readStaticRoutes(index);
  const stage = await ports.openStage(texts);
  try {
    const page = await ports.pages.open(stage.url, signal);
    try {
      const driver = await createEngineDriver({ page, isRandom: routes.isRandom, measures: true });
      const run = await explore({
        ...{
          driver,
          routes,
          budget: options.onlyTests ? NO_ROUTES : budget,
          now,
          signal,
          isIdleTalk: ports.isIdleTalk,
        },
        ...(onProgress && { onProgress }),
        ...(pause && { pause }),
      });
      const results =
        run.status === 'stopped' ? [] : await playStoryTests(tests, { driver, signal, ...(pause && { pause }) });
      const seen = { missing: stage.takeMissing(), tests: results, ms: now() - began };
      return toReport({ index, routes, run, ...seen });
    } finally {
      await page.close();
    }
  } finally {
    stage.close();
  }
}
