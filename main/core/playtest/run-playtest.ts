import { AppError } from '../../../shared/errors.ts';
import type {
  PlaytestBudget,
  PlaytestEngine,
  PlaytestProgress,
  PlaytestReport,
} from '../../../shared/model/playtest/report.ts';
import type { StoryTest } from '../../../shared/model/playtest/story-test.ts';
import type { TriedRoute } from '../../../shared/model/playtest/tried-route.ts';
import { DEFAULT_ENGINE_VERSION, isEngineAtLeast } from '../../../shared/script/engine/engine-version.ts';
import { type ProjectIndex, START_PATH } from '../../../shared/script/project-index/project-facts.ts';
import type { PlaytestPorts, PlaytestStage } from '../ports/engine-pages.ts';
import { createEngineDriver, type DrivingOptions, type EngineDriver, START_TIMEOUT_MS } from './engine-driver.ts';
import { explore } from './explore.ts';
import type { KeptRun } from './kept-run.ts';
import { playStoryTest, playStoryTests } from './play-story-tests.ts';
import { FilledNames } from './seen/filled-names.ts';
import { mergeMedia } from './seen/seen-media.ts';
import { readStaticRoutes } from './static-routes.ts';
import { toReport, withoutRoutes } from './to-report.ts';

/** The player finds the parts of an engine by names that engines have had since. */
const OLDEST_PLAYED = '4.5.0';
/** For an engine after which another is tried: it starts within two seconds, on a slow machine within ten. */
const OTHER_START_TIMEOUT_MS = 20_000;
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
 * `E_PREVIEW_FAIL` or `E_NOT_FOUND` (`playtest.noStart`) where the story cannot start, `E_TIMEOUT` (`playtest.memory`) where
 * it needs too much memory before it starts. A stopped run reports what it has.
 */
export async function runPlaytest(ports: PlaytestPorts, options: PlaytestOptions): Promise<PlaytestReport> {
  const { index, texts = new Map(), tests = [], budget, now, signal, onProgress, pause, from } = options;
  const began = now();
  requireStart(index);
  const routes = readStaticRoutes(index);
  const filled = new FilledNames(from?.filled);
  let begun = began;
  const left = () => budget.maxMs - (now() - begun);
  const driving = { isRandom: routes.isRandom, lines: routes.lines, measures: true, left, filled };
  return withEngine(ports, { texts, signal, driving }, async (driver, { stage, version }) => {
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
    const media = mergeMedia(stage.media(), from?.media);
    const ms = (from?.ms ?? 0) + now() - began;
    const seen = { missing, media, filled, tests: results, played: version, ms };
    const rest = options.onlyTests ? undefined : run.rest();
    if (rest !== undefined) options.onRest?.(rest && { ...rest, missing, media, filled: filled.all(), ms });
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
  const { isRandom, lines } = readStaticRoutes(index);
  const driving = { isRandom, lines, measures: false };
  return withEngine(ports, { texts, signal, driving }, (driver) => playStoryTest(test, driver));
}

function requireStart(index: ProjectIndex): void {
  if (index.scene(START_PATH) !== undefined) return;
  throw new AppError('E_NOT_FOUND', `The game has no first scene (${START_PATH}).`, { reason: 'playtest.noStart' });
}

interface EngineRun {
  texts: Texts;
  signal: AbortSignal;
  driving: Omit<DrivingOptions, 'page' | 'startMs'>;
}

type UseEngine<T> = (driver: EngineDriver, played: { stage: PlaytestStage; version: string }) => Promise<T>;

/** Starts the first engine that can play, and closes it after its use. */
async function withEngine<T>(ports: PlaytestPorts, run: EngineRun, use: UseEngine<T>): Promise<T> {
  const own = await ports.engines.own();
  const order = (await ports.engines.order()) ?? toUsualOrder(own);
  const engines = order.filter((engine) => engine === 'bundled' || own !== null);
  for (const [at, engine] of engines.entries()) {
    const version = engine === 'own' && own !== null ? own : DEFAULT_ENGINE_VERSION;
    const ended = await tryEngine(ports, { ...run, engine, isLast: at === engines.length - 1 }, (driver, stage) =>
      use(driver, { stage, version }),
    );
    if (ended !== null) return ended.value;
  }
  throw new AppError('E_PREVIEW_FAIL', 'No engine could start.', { reason: 'playtest.noStart' });
}

/** As on the stage: the game's own where it is another version, if the player knows engines of that age. */
function toUsualOrder(own: string | null): readonly PlaytestEngine[] {
  const isKnown = own !== null && own !== DEFAULT_ENGINE_VERSION && isEngineAtLeast(own, OLDEST_PLAYED);
  return isKnown ? ['own', 'bundled'] : ['bundled'];
}

/** Returns null if the engine does not start and is not the last one to try. */
async function tryEngine<T>(
  ports: PlaytestPorts,
  { texts, signal, driving, engine, isLast }: EngineRun & { engine: PlaytestEngine; isLast: boolean },
  use: (driver: EngineDriver, stage: PlaytestStage) => Promise<T>,
): Promise<{ value: T } | null> {
  const stage = await ports.openStage(texts, engine);
  try {
    const page = await ports.pages.open(stage.url, signal);
    try {
      let driver: EngineDriver;
      try {
        driver = await createEngineDriver({
          ...driving,
          page,
          startMs: isLast ? START_TIMEOUT_MS : OTHER_START_TIMEOUT_MS,
        });
        // An engine may start and not take the player's orders.
        if (!isLast) await driver.restart();
      } catch (error) {
        if (isLast || !(error instanceof AppError) || error.reason !== 'playtest.noStart') throw error;
        return null;
      }
      return { value: await use(driver, stage) };
    } finally {
      await page.close();
    }
  } finally {
    stage.close();
  }
}
