import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Locale } from '../../model/local-text.ts';
import { escapePattern } from '../../text/escape-pattern.ts';
import { diagnoseProject } from '../diagnostics/diagnose.ts';
import { type ProjectIndex, SCENE_FOLDER } from '../project-index/project-facts.ts';

/** Returns the problems of the game that are reasons to reject a change; `info` is none. */
export function findSerious(index: ProjectIndex, locale: Locale): Diagnostic[] {
  return diagnoseProject(index, { locale }).filter((problem) => problem.severity !== 'info');
}

/** What a problem is recognised by. */
type Known = Pick<Diagnostic, 'path' | 'code' | 'message'>;

/** A file that is renamed: its path in the game without the change, and with it. */
export interface FileMove {
  from: string;
  to: string;
}

/**
 * Returns the problems of `found` that are not among `others`. They are matched by path, code and message, so that one which only
 * moved to another line is in both; those of the whole game by code alone. `moves`: renames by which the files of `others` get the paths
 * of `found`; their names in messages change with them.
 */
export function problemsBeyond(
  found: readonly Diagnostic[],
  others: readonly Diagnostic[],
  moves: readonly FileMove[] = [],
): Diagnostic[] {
  const counts = new Map<string, number>();
  const move = createMove(moves);
  for (const problem of others) {
    const key = toKey(move(problem));
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return found.filter((problem) => {
    const key = toKey(problem);
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return count <= 0;
  });
}

/** Puts a text of a change into the index. Null: no file; undefined: a file that is not readable as text. */
export function layText(index: ProjectIndex, path: string, text: string | null | undefined): void {
  if (typeof text === 'string') index.setText(path, text);
  else index.removeText(path);
  if (text !== null) index.addFile(path);
}

/** All moves at once, because names can be exchanged. */
function createMove(moves: readonly FileMove[]): (problem: Known) => Known {
  if (moves.length === 0) return (problem) => problem;
  const paths = new Map(moves.map(({ from, to }) => [from, to]));
  const names = new Map(moves.map(({ from, to }) => [toName(from), toName(to)]));
  const pattern = new RegExp(
    `(?<![^${AROUND_NAMES}])(?:${[...names.keys()].map(escapePattern).join('|')})(?![^${AROUND_NAMES}])`,
    'g',
  );
  return ({ path, code, message }) => ({
    path: paths.get(path) ?? path,
    code,
    message: message.replace(pattern, (name) => names.get(name) ?? name),
  });
}

/** What messages have on both sides of a name; a name that is part of another has something else. */
const AROUND_NAMES = '\\s“”「」"\'()（）,，、。.;:：；';

/** The name of a scene as messages have it. */
const toName = (path: string): string => (path.startsWith(SCENE_FOLDER) ? path.slice(SCENE_FOLDER.length) : path);

/** Found once in a game, at the first of their lines, with the number of all: other lines do not make them new. */
const OF_GAME: ReadonlySet<string> = new Set(['engine-commands', 'old-commands']);

function toKey({ path, code, message }: Known): string {
  return OF_GAME.has(code) ? code : JSON.stringify([path, code, message]);
}
