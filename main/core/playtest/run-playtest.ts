import { AppError } from '../../../shared/errors.ts';
import type { PlaytestBudget, PlaytestProgress, PlaytestReport } from '../../../shared/model/playtest/report.ts';
import type { StoryTest } from '../../../shared/model/playtest/story-test.ts';
import type { TriedRoute } from '../../../shared/model/playtest/tried-route.ts';
import { type ProjectIndex, START_PATH } from '../../../shared/script/project-index/project-facts.ts';
import type { EnginePage, PlaytestPorts } from '../ports/engine-pages.ts';
import { createEngineDriver } from './engine-driver.ts';
import { explore } from './explore.ts';
import type { KeptRun } from './kept-run.ts';
import { playStoryTest, playStoryTests } from './play-story-tests.ts';
import { readStaticRoutes } from './static-routes.ts';
import { toReport, withoutRoutes } from './to-report.ts';

/** The first part of the first route only. */
const NO_ROUTES: PlaytestBudget = { maxRoutes: 0, maxMs: 0 };

type Texts = ReadonlyMap<string, string>;

export interface PlaytestOptions {
  index: ProjectIndex;
  /** Texts that are played instead of those on the disk, by project path. */
  texts?: Texts;
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
  /** An earlier run of the same texts to go on with. */
  from?: KeptRun;
  /** Receives what a later run needs to go on; null where nothing is left to play. Not called where not even one part was played. */
  onRest?: (rest: KeptRun | null) => void;
}

/**
 * Plays the routes of a game on the engine and reports what it found. Throws `E_UNSUPPORTED` (`browser.none`) without a browser,
 * `E_PREVIEW_FAIL` or `E_NOT_FOUND` (`playtest.noStart`) where the story cannot start. A stopped run reports what it has.
 */
export async function runPlaytest(ports: PlaytestPorts, options: PlaytestOptions): Promise<PlaytestReport> {
  const { index, texts = new Map(), tests = [], budget, now, signal, onProgress, pause, from } = options;
  const began = now();
  requireStart(index);
  const routes = readStaticRoutes(index);
  return withEngine(ports, { texts, signal }, async (page, stage) => {
    let begun = now();
    const left = () => budget.maxMs - (now() - begun);
    const driver = await createEngineDriver({ page, isRandom: routes.isRandom, measures: true, left });
    begun = now();
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
      ...(from && { from }),
    });
    // The limits are those of the routes; a test has that time for itself.
    const beforeTest = async (): Promise<void> => {
      await pause?.();
      begun = now();
    };
    const results = run.status === 'stopped' ? [] : await playStoryTests(tests, { driver, signal, pause: beforeTest });
    const missing = [...new Set([...(from?.missing ?? []), ...stage.takeMissing()])];
    const ms = (from?.ms ?? 0) + now() - began;
    const seen = { missing, tests: results, ms };
    const rest = options.onlyTests ? undefined : run.rest();
    if (rest !== undefined) options.onRest?.(rest && { ...rest, missing, ms });
    const whole = toReport({ index, routes, run, ...seen });
    const isStopped = signal.aborted && results.length < tests.length;
    const report = isStopped ? { ...whole, status: 'stopped' as const } : whole;
    return options.onlyTests ? withoutRoutes(report) : report;
  });
}

/** Plays one story test alone, and returns what its route reached. Throws as `runPlaytest`. */
export async function playRoute(
  ports: PlaytestPorts,
  { index, texts, test, signal }: Pick<PlaytestOptions, 'index' | 'signal'> & { texts: Texts; test: StoryTest },
): Promise<TriedRoute> {
  requireStart(index);
  const { isRandom } = readStaticRoutes(index);
  return withEngine(ports, { texts, signal }, async (page) =>
    playStoryTest(test, await createEngineDriver({ page, isRandom, measures: false })),
  );
}

function requireStart(index: ProjectIndex): void {
  if (index.scene(START_PATH) !== undefined) return;
  throw new AppError('E_NOT_FOUND', `The game has no first scene (${START_PATH}).`, { reason: 'playtest.noStart' });
}

/** Opens a page of the engine, and closes it after its use. */
async function withEngine<T>(
  ports: PlaytestPorts,
  { texts, signal }: { texts: Texts; signal: AbortSignal },
  use: (page: EnginePage, stage: Awaited<ReturnType<PlaytestPorts['openStage']>>) => Promise<T>,
): Promise<T> {
  const stage = await ports.openStage(texts);
  try {
    const page = await ports.pages.open(stage.url, signal);
    try {
      return await use(page, stage);
    } finally {
      await page.close();
    }
  } finally {
    stage.close();
  }
}
