import { AppError } from '../shared/errors.ts';
import type { TranslatePlaytest } from '../shared/i18n/playtest.ts';
import type { Locale } from '../shared/model/local-text.ts';
import type { PlaytestBudget, PlaytestProgress, PlaytestReport } from '../shared/model/playtest/report.ts';
import { toPlaytestJson, toPlaytestJunit, toPlaytestText } from './core/playtest/format-report.ts';
import { readStoryTests } from './core/playtest/read-story-tests.ts';
import { runPlaytest } from './core/playtest/run-playtest.ts';
import type { PlaytestPorts } from './core/ports/engine-pages.ts';
import { readProjectIndex } from './core/project/read-project-index.ts';
import { findUserFolders } from './node/app-data/user-data.ts';
import type { BrowserProgram } from './node/browser/browser-session.ts';
import { createPlaytestPorts } from './node/playtest/playtest-ports.ts';
import { findLocation, locateProject } from './node/project-fs/locate-project.ts';
import { createReader } from './node/project-fs/project-files.ts';
import { readGameEngine } from './node/stage/game-engine.ts';

export interface PlaytestRequest {
  /** The game's folder, or a folder that contains exactly one game. */
  folder: string;
  budget: PlaytestBudget;
  /** True to play only the tests of the story. */
  onlyTests: boolean;
  locale: Locale;
  /** The build output folder, which contains `engine/`. */
  resources: string;
  environment: Readonly<Record<string, string | undefined>>;
  /** A browser other than the detected one. */
  program?: BrowserProgram;
  signal: AbortSignal;
  onProgress?: (progress: PlaytestProgress) => void;
}

/**
 * Composes the real ports for a playtest of a game's folder, without an app. Writes nothing to the game. Throws `E_NOT_FOUND` if
 * there is no game, `E_BAD_ARGS` with `details.games` if there are several, `E_UNSUPPORTED` without a browser.
 */
export async function composePlaytest(request: PlaytestRequest): Promise<PlaytestReport> {
  const { folder, budget, locale, resources, environment, program, signal, onProgress } = request;
  const { home } = findUserFolders(environment);
  const located = await locateProject(folder, home);
  if (located.status === 'choose') {
    const games = located.games.map(({ name }) => name);
    throw new AppError('E_BAD_ARGS', 'There are several games in the folder.', { details: { games } });
  }
  const location = await findLocation(located.folder, home);
  const reader = createReader(location.root, location.visible ? { visible: location.visible } : {});
  const index = await readProjectIndex(reader, await readGameEngine(location));
  const ports: PlaytestPorts = createPlaytestPorts({
    root: location.root,
    engineDirectory: `${resources}/engine`,
    environment,
    locale: () => locale,
    ...(program && { program }),
  });
  return runPlaytest(ports, {
    index,
    tests: await readStoryTests(reader),
    onlyTests: request.onlyTests,
    budget,
    now: () => performance.now(),
    signal,
    ...(onProgress && { onProgress }),
  });
}

/** Formats a report for the command line, which must not import the core. */
export function formatPlaytest(
  report: PlaytestReport,
  format: 'text' | 'json' | 'junit',
  translate: TranslatePlaytest,
): string {
  return { text: toPlaytestText, json: toPlaytestJson, junit: toPlaytestJunit }[format](report, translate);
}
