import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { playtestTexts } from '../../shared/i18n/playtest.ts';
import { DEFAULT_BUDGET, type PlaytestProgress, type PlaytestReport } from '../../shared/model/playtest/report.ts';
import { composePlaytest, formatPlaytest } from '../compose-playtest.ts';
import type { CommandLineText } from './command-line-text.ts';
import type { TestCommand } from './read-command.ts';

/** Output and exit code of a test: 0 no errors, 1 errors or too many warnings, 2 nothing could be played, or not all of it because it was stopped. */
export interface TestOutcome {
  output: string;
  problem: string;
  exitCode: 0 | 1 | 2;
}

/** The folder `out/`; this module is built into `out/main/`. */
const OUT = join(import.meta.dirname, '..');

export interface TestRun {
  resources?: string;
  onProgress?: (progress: PlaytestProgress) => void;
  program?: { executablePath: string; args?: string[]; env?: Record<string, string> };
}

/** Plays a game. Does not throw for problems of the game, the folder or the browser. */
export async function runTest(command: TestCommand, text: CommandLineText, run: TestRun = {}): Promise<TestOutcome> {
  const { folder, format, maxRoutes, maxMinutes, maxWarnings } = command;
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  const translate = playtestTexts.createTranslator(text.locale);
  process.once('SIGINT', onSignal);
  let report: PlaytestReport;
  try {
    report = await composePlaytest({
      folder,
      locale: text.locale,
      onlyTests: command.onlyTests,
      budget: {
        maxRoutes: maxRoutes ?? DEFAULT_BUDGET.maxRoutes,
        maxMs: maxMinutes === null ? DEFAULT_BUDGET.maxMs : maxMinutes * 60_000,
      },
      resources: run.resources ?? OUT,
      environment: process.env,
      ...(run.program && { program: run.program }),
      signal: stop.signal,
      ...(run.onProgress && { onProgress: run.onProgress }),
    });
  } catch (error) {
    if (stop.signal.aborted) return { output: '', problem: `${translate('stopped')}\n`, exitCode: 2 };
    if (!(error instanceof AppError)) throw error;
    const games = error.details?.games;
    const problem = Array.isArray(games)
      ? text.severalGames(folder, games)
      : text.cannotOpenProject(folder, [error.message, error.hint].filter(Boolean).join(' '));
    return { output: '', problem: `${problem}\n`, exitCode: 2 };
  } finally {
    process.off('SIGINT', onSignal);
  }
  const errors = report.findings.filter(({ severity }) => severity === 'error').length;
  const warnings = report.findings.length - errors;
  const hasFailed = report.tests.some(({ failure }) => failure !== null);
  const isTooMany = maxWarnings !== null && warnings > maxWarnings;
  return {
    output: formatPlaytest(report, format, translate),
    problem: isTooMany ? `${text.tooManyWarnings(warnings, maxWarnings ?? 0)}\n` : '',
    exitCode: errors > 0 || hasFailed || isTooMany ? 1 : report.status === 'stopped' ? 2 : 0,
  };
}
