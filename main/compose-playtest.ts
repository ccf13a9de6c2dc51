import { AppError } from '../shared/errors.ts';
import type { TranslatePlaytest } from '../shared/i18n/playtest.ts';
import type { Locale } from '../shared/model/local-text.ts';
import type {
  PlaytestBudget,
  PlaytestEngine,
  PlaytestProgress,
  PlaytestReport,
} from '../shared/model/playtest/report.ts';
import { APP_VERSION } from './app-version.ts';
import { toPlaytestJson, toPlaytestJunit, toPlaytestText } from './core/playtest/format-report.ts';
import { type KeptRun, readPlayedParts, toGameChanged, toKeptRun, toNoneKept } from './core/playtest/kept-run.ts';
import { readStoryTests } from './core/playtest/read-story-tests.ts';
import { runPlaytest } from './core/playtest/run-playtest.ts';
import type { PlaytestPorts } from './core/ports/engine-pages.ts';
import { readProjectIndex } from './core/project/read-project-index.ts';
import { findUserFolders } from './node/app-data/user-data.ts';
import type { BrowserProgram } from './node/browser/browser-session.ts';
import { createKeptRunFile, type KeptRunFile } from './node/playtest/kept-run-file.ts';
import { createPlaytestPorts } from './node/playtest/playtest-ports.ts';
import { createFolderNames } from './node/project-fs/folder-names.ts';
import { findLocation, locateProject } from './node/project-fs/locate-project.ts';
import { createReader } from './node/project-fs/project-files.ts';
import { findOwnEngine, readGameEngine } from './node/stage/game-engine.ts';

export interface PlaytestRequest {
  /** The game's folder, or a folder that contains exactly one game. */
  folder: string;
  budget: PlaytestBudget;
  /** The engine to play on; null for the game's own where it can play, else the app's. */
  engine: PlaytestEngine | null;
  /** True to play only the tests of the story. */
  onlyTests: boolean;
  /** True to go on where the last run of this game ended early. */
  resumes: boolean;
  locale: Locale;
  /** The build output folder, which contains `engine/`. */
  resources: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** A browser other than the detected one. */
  program?: BrowserProgram;
  signal: AbortSignal;
  onProgress?: (progress: PlaytestProgress) => void;
}

export interface PlayedGame {
  report: PlaytestReport;
  /** True if the run ended early and a later one can go on. */
  canResume: boolean;
}

/**
 * Composes the real ports for a playtest of a game's folder, without an app. Writes nothing to the game; what a run that ended early
 * played is kept in the app's data. Throws `E_NOT_FOUND` if there is no game, or not the engine that was asked for (`playtest.noOwnEngine`), `E_BAD_ARGS` with `details.games` if there are several,
 * `E_UNSUPPORTED` without a browser; for a run to go on with, `E_NOT_FOUND` (`playtest.noneKept`) without one, `E_CONFLICT`
 * (`playtest.gameChanged`) if the game or the app has changed since, and `E_IO` (`playtest.keptDamaged`) if it cannot be read.
 */
export async function composePlaytest(request: PlaytestRequest): Promise<PlayedGame> {
  const { folder, budget, locale, resources, environment, program, signal, onProgress } = request;
  const { home, data } = findUserFolders(environment);
  const located = await locateProject(folder, home);
  if (located.status === 'choose') {
    const games = located.games.map(({ name }) => name);
    throw new AppError('E_BAD_ARGS', 'There are several games in the folder.', { details: { games } });
  }
  const location = await findLocation(located.folder, home);
  const reader = createReader(location.root, location.visible ? { visible: location.visible } : {});
  const found = await readGameEngine(location);
  const index = await readProjectIndex(reader, found);
  const own = await findOwnEngine(location, found);
  if (request.engine === 'own' && own === null) throw toNoOwnEngine();
  const file = createKeptRunFile(data, createFolderNames(data).toId(location.root));
  const parts = request.onlyTests
    ? []
    : [APP_VERSION, request.engine ?? '', own?.version ?? '', ...(await readPlayedParts(reader, index))];
  const from = request.resumes ? await readKept(file, parts) : null;
  const ports: PlaytestPorts = createPlaytestPorts({
    root: location.root,
    engineDirectory: `${resources}/engine`,
    environment,
    locale: () => locale,
    findOwn: async () => own,
    ...(request.engine && { order: [request.engine] }),
    ...(program && { program }),
  });
  /** Stays undefined where there is nothing to say of later runs. */
  let rest: KeptRun | null | undefined;
  const report = await runPlaytest(ports, {
    index,
    tests: await readStoryTests(reader),
    onlyTests: request.onlyTests,
    budget,
    now: () => performance.now(),
    signal,
    ...(onProgress && { onProgress }),
    ...(from && { from }),
    onRest: (one) => {
      rest = one;
    },
  });
  return { report, canResume: rest !== undefined && (await file.keep(parts, rest)) };
}

function toNoOwnEngine(): AppError {
  return new AppError('E_NOT_FOUND', 'The game has no engine of its own.', { reason: 'playtest.noOwnEngine' });
}

async function readKept(file: KeptRunFile, played: readonly string[]): Promise<KeptRun> {
  const toDamaged = (cause?: unknown) =>
    new AppError('E_IO', 'What was kept of a playtest cannot be read.', { reason: 'playtest.keptDamaged', cause });
  const kept = await file.read(played).catch((cause: unknown) => {
    throw toDamaged(cause);
  });
  if (kept === null) throw toNoneKept();
  if (!kept.isSame) throw toGameChanged();
  // Last, because another version of the app may have written another form.
  const run = toKeptRun(kept.run);
  if (run === null) throw toDamaged();
  return run;
}

/** Formats a report for the command line, which must not import the core. */
export function formatPlaytest(
  report: PlaytestReport,
  format: 'text' | 'json' | 'junit',
  translate: TranslatePlaytest,
): string {
  return { text: toPlaytestText, json: toPlaytestJson, junit: toPlaytestJunit }[format](report, translate);
}
