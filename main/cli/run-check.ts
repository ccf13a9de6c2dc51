import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { foldRepeats } from '../../shared/script/diagnostics/fold-repeats.ts';
import { type CheckedProject, composeCheck } from '../compose-check.ts';
import type { CommandLineText } from './command-line-text.ts';
import type { CheckCommand } from './read-command.ts';
import { toSarif } from './to-sarif.ts';

/** Output and exit code of a check: 0 no errors, 1 errors or too many warnings, 2 no game to check. */
export interface CheckOutcome {
  output: string;
  problem: string;
  exitCode: 0 | 1 | 2;
}

/** Checks a game. Does not throw for problems of the game or the folder. */
export async function runCheck(command: CheckCommand, text: CommandLineText): Promise<CheckOutcome> {
  const { folder, engineVersion, fixes, format } = command;
  let game: CheckedProject;
  try {
    game = await composeCheck({ folder, engineVersion, locale: text.locale, fixTitle: fixes ? text.fixTitle : null });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { games, path } = error.details ?? {};
    // Names the file if a single one caused the failure.
    const place = fixes && typeof path === 'string' ? join(folder, path) : folder;
    const problem = Array.isArray(games) ? text.severalGames(folder, games) : text.cannotOpenProject(place, error);
    return { output: '', problem: `${problem}\n`, exitCode: 2 };
  }
  const { errors, warnings } = game.summary;
  const isTooMany = command.maxWarnings !== null && warnings > command.maxWarnings;
  const write = { text: (one: CheckedProject) => toText(one, text), json: toJson, sarif: toSarif }[format];
  return {
    output: write(game),
    problem: isTooMany ? `${text.tooManyWarnings(warnings, command.maxWarnings ?? 0)}\n` : '',
    exitCode: errors > 0 || isTooMany ? 1 : 0,
  };
}

function toJson({ projectRoot, engineVersion, diagnostics, summary }: CheckedProject): string {
  const whole = { projectRoot, engineVersion, diagnostics, summary };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** Number of further places that a folded row lists. */
const MAX_PLACES = 8;

/** Returns the line number within the same file, else the file name. */
const toPlace = (path: string) => (other: { path: string; line: number }) =>
  other.path === path ? String(other.line) : other.path.slice(other.path.lastIndexOf('/') + 1);

/** Formats one line per finding like compilers, so that editors and terminals can link to it; repeats are folded. */
function toText({ diagnostics, summary }: CheckedProject, text: CommandLineText): string {
  const lines = foldRepeats(diagnostics).map(({ first, others }) => {
    const { path, line, column, severity, message, code } = first;
    const more =
      others.length === 0
        ? ''
        : ` ${text.repeats(others.length + 1, others.slice(0, MAX_PLACES).map(toPlace(path)), others.length > MAX_PLACES)}`;
    return `${path}:${line}:${column}: ${text.severities[severity]}: ${message} [${code}]${more}`;
  });
  return `${[...lines, text.checked(summary)].join('\n')}\n`;
}
