import { AppError } from '../../shared/errors.ts';
import { composeReplay, type ReplayedProject } from '../compose-replay.ts';
import type { CommandLineText } from './command-line-text.ts';
import type { ReplayCommand } from './read-command.ts';

/** Output and exit code of a replay: 0 done, 1 refused and nothing written, 2 no game. */
export interface ReplayOutcome {
  output: string;
  problem: string;
  exitCode: 0 | 1 | 2;
}

/** Number of names in one sentence. */
const MAX_NAMES = 8;

/** Replays the log of a game. Does not throw for problems of the game, the log or the folders. */
export async function runReplay(
  { folder, until, target }: ReplayCommand,
  text: CommandLineText,
): Promise<ReplayOutcome> {
  try {
    return { output: toOutput(await composeReplay({ folder, until, target }), text), problem: '', exitCode: 0 };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { games, texts = [], files = [] } = error.details ?? {};
    const refused = {
      'replay.notEmpty': () => text.replay.notEmpty(target),
      'replay.notWritten': () => text.replay.notWritten(target, String(error.details?.system ?? '')),
      'replay.insideGame': () => text.replay.insideGame(target),
      'replay.foreign': () => text.replay.foreign(toNames(files)),
      'replay.unknown': () => text.replay.unknown(until),
      'replay.missing': () => text.replay.missing(toNames(texts)),
    }[error.reason ?? ''];
    if (refused) return { output: '', problem: `${refused()}\n`, exitCode: 1 };
    const problem = Array.isArray(games) ? text.severalGames(folder, games) : text.cannotOpenProject(folder, error);
    return { output: '', problem: `${problem}\n`, exitCode: 2 };
  }
}

/** Lists the files as `sha256sum` does, so that its `--check` can be run in the target. */
function toOutput({ written, absent, untouched, outside }: ReplayedProject, text: CommandLineText): string {
  const lines = [
    ...written.map(({ path, hash }) => `${hash}  ${path}`),
    ...outside.map(({ path, transaction }) => `# ${text.replay.outside(path, transaction)}`),
    ...absent.map((path) => `# ${text.replay.absent(path)}`),
    ...untouched.map((path) => `# ${text.replay.untouched(path)}`),
    `# ${text.replay.done(written.length)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function toNames(names: unknown): string[] {
  const all = Array.isArray(names) ? names.map(String) : [];
  return all.length > MAX_NAMES ? [...all.slice(0, MAX_NAMES), '…'] : all;
}
