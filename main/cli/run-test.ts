import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { playtestTexts } from '../../shared/i18n/playtest.ts';
import { DEFAULT_BUDGET, type PlaytestProgress } from '../../shared/model/playtest/report.ts';
import { wordProgress } from '../../shared/model/playtest/word-report.ts';
import { composePlaytest, formatPlaytest, type PlayedGame } from '../compose-playtest.ts';
import type { CommandLineText } from './command-line-text.ts';
import { createProgressLine, type ProgressOutput } from './progress-line.ts';
import type { TestCommand } from './read-test.ts';

/**
 * Output and exit code of a test: 0 no errors, 1 errors or too many warnings, 2 nothing could be played, or the user stopped it.
 */
export interface TestOutcome {
  output: string;
  problem: string;
  exitCode: 0 | 1 | 2;
}

/** The folder `out/`; this module is built into `out/main/`. */
const OUT = join(import.meta.dirname, '..');

export interface TestRun {
  resources?: string;
  environment?: Readonly<Record<string, string | undefined>>;
  /** Receives the progress; default: standard error. */
  progress?: ProgressOutput;
  onProgress?: (progress: PlaytestProgress) => void;
  program?: { executablePath: string; args?: string[]; env?: Record<string, string> };
}

/** Plays a game. Does not throw for problems of the game, the folder or the browser. */
export async function runTest(command: TestCommand, text: CommandLineText, run: TestRun = {}): Promise<TestOutcome> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  const translate = playtestTexts.createTranslator(text.locale);
  const line = createProgressLine(run.progress ?? process.stderr);
  const began = performance.now();
  if (!command.isQuiet) line.show(translate('starting'));
  process.once('SIGINT', onSignal);
  let played: PlayedGame;
  try {
    played = await play(command, text, {
      ...run,
      signal: stop.signal,
      onProgress(progress) {
        if (!command.isQuiet) line.show(wordProgress(translate, progress, performance.now() - began));
        run.onProgress?.(progress);
      },
    });
  } catch (error) {
    if (stop.signal.aborted) return { output: '', problem: `${translate('stopped')}\n`, exitCode: 2 };
    if (!(error instanceof AppError)) throw error;
    return { output: '', problem: `${wordRefusal(command, text, error)}\n`, exitCode: 2 };
  } finally {
    process.off('SIGINT', onSignal);
    line.clear();
  }
  return toOutcome(played, {
    ...{ command, text, isStopped: stop.signal.aborted },
    output: formatPlaytest(played.report, command.format, translate),
  });
}

function play(
  { folder, engine, onlyTests, resumes, maxRoutes, maxMinutes }: TestCommand,
  { locale }: CommandLineText,
  run: TestRun & { signal: AbortSignal },
): Promise<PlayedGame> {
  return composePlaytest({
    ...{ folder, engine, locale, onlyTests, resumes, signal: run.signal },
    budget: {
      maxRoutes: maxRoutes ?? DEFAULT_BUDGET.maxRoutes,
      maxMs: maxMinutes === null ? DEFAULT_BUDGET.maxMs : maxMinutes * 60_000,
    },
    resources: run.resources ?? OUT,
    environment: run.environment ?? process.env,
    ...(run.program && { program: run.program }),
    ...(run.onProgress && { onProgress: run.onProgress }),
  });
}

/** Returns why nothing was played. */
function wordRefusal({ folder }: TestCommand, text: CommandLineText, error: AppError): string {
  if (error.reason === 'playtest.noneKept') return text.noneKept(folder);
  if (error.reason === 'playtest.noOwnEngine') return text.noOwnEngine(folder);
  if (error.reason === 'playtest.keptDamaged') return text.keptDamaged(folder);
  if (error.reason === 'playtest.gameChanged') return text.gameChanged(folder);
  const games = error.details?.games;
  return Array.isArray(games) ? text.severalGames(folder, games) : text.cannotOpenProject(folder, error);
}

function toOutcome(
  { report, canResume }: PlayedGame,
  {
    command,
    text,
    output,
    isStopped,
  }: { command: TestCommand; text: CommandLineText; output: string; isStopped: boolean },
): TestOutcome {
  const { maxWarnings } = command;
  const errors = report.findings.filter(({ severity }) => severity === 'error').length;
  const warnings = report.findings.length - errors;
  const hasFailed = report.tests.some(({ failure }) => failure !== null);
  const isTooMany = maxWarnings !== null && warnings > maxWarnings;
  const problems = [
    ...(isTooMany ? [text.tooManyWarnings(warnings, maxWarnings ?? 0)] : []),
    ...(canResume ? [text.canResume] : []),
  ];
  return {
    output,
    problem: problems.map((problem) => `${problem}\n`).join(''),
    exitCode: isStopped && report.status === 'stopped' ? 2 : errors > 0 || hasFailed || isTooMany ? 1 : 0,
  };
}
