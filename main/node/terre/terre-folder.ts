import { access, constants, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { TerreFolderProblem, TerreState } from '../../../shared/model/stage/terre.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The program's name. Nothing else is ever started. */
export const PROGRAM_NAME = process.platform === 'win32' ? 'WebGAL_Terre.exe' : 'WebGAL_Terre';

/** Folders of every release beside the program: the editor's page, and the engine with the templates. */
const LAYOUT = ['public', 'assets'];

/** Where Terre is installed, and how that is known. */
export type TerrePlace =
  | { folder: string; source: NonNullable<TerreState['source']>; problem: null }
  | { folder: string; source: 'chosen'; problem: TerreFolderProblem };

const MESSAGES: Record<TerreFolderProblem, string> = {
  notAbsolute: 'The whole path of the folder is needed.',
  elsewhere: 'The folder is on another computer.',
  gone: 'The folder of WebGAL Terre does not exist.',
  notTerre: `The folder holds no ${PROGRAM_NAME} with its folders ${LAYOUT.join(' and ')}.`,
  notAllowed: 'The program may not be started on this system.',
  inGame: 'The folder lies inside the open game.',
};

export function toFolderError(problem: TerreFolderProblem): AppError {
  return new AppError('E_BAD_ARGS', MESSAGES[problem], {
    reason: `terre.${problem}`,
    hint: 'Choose the folder that WebGAL Terre was installed or unpacked to.',
  });
}

/** Paths that begin like this name another computer, which Windows would contact as soon as the path is looked up. */
const OTHER_COMPUTER = /^[\\/]{2}/;

/**
 * Returns the real folder of the Terre that a path names: of its folder, or of the program in it. Quotes as copied from a file manager
 * and `~` are understood. `roots`: real folders of open games, in which no program may lie: their files are not the user's alone.
 */
export async function checkTerreFolder(
  typed: string,
  { home, roots }: { home: string; roots: Iterable<string> },
): Promise<{ folder: string } | { problem: TerreFolderProblem }> {
  const text = typed.trim().replace(/^(["'])(.*)\1$/, '$2');
  const named = /^~(?=[\\/]|$)/.test(text) ? path.join(home, text.slice(1)) : text;
  if (OTHER_COMPUTER.test(named)) return { problem: 'elsewhere' };
  if (!path.isAbsolute(named) || named.includes('\0')) return { problem: 'notAbsolute' };
  // The folder often has the program's name.
  const isProgram = path.basename(named) === PROGRAM_NAME && !(await isFolder(named));
  const folder = isProgram ? path.dirname(named) : named;
  if (!(await isFolder(folder))) return { problem: 'gone' };
  // The program decides: a link in a folder of programs leads to it.
  const program = await realpath(path.join(folder, PROGRAM_NAME)).catch(() => null);
  if (program === null || path.basename(program) !== PROGRAM_NAME || !(await stat(program)).isFile())
    return { problem: 'notTerre' };
  const real = path.dirname(program);
  for (const name of LAYOUT) if (!(await isFolder(path.join(real, name)))) return { problem: 'notTerre' };
  const mayRun = await access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!mayRun) return { problem: 'notAllowed' };
  for (const root of roots) if (isInside(root, real)) return { problem: 'inGame' };
  return { folder: real };
}

/** Finds the program: the folder that the user chose and no other, else the variable, else the first usual place that holds one. */
export async function findTerre(options: {
  chosen: string | null;
  environment: Environment;
  home: string;
  roots: Iterable<string>;
}): Promise<TerrePlace | null> {
  const { chosen, environment, home } = options;
  const roots = [...options.roots];
  if (chosen !== null) {
    const found = await checkTerreFolder(chosen, { home, roots });
    if ('problem' in found) return { folder: chosen, source: 'chosen', problem: found.problem };
    return { folder: found.folder, source: 'chosen', problem: null };
  }
  const named = environment.WEBGAL_TERRE;
  const places = [
    ...(named ? [{ folder: named, source: 'variable' as const }] : []),
    ...listUsualFolders(environment, home).map((folder) => ({ folder, source: 'usual' as const })),
  ];
  for (const { folder, source } of places) {
    const found = await checkTerreFolder(folder, { home, roots });
    if ('folder' in found) return { folder: found.folder, source, problem: null };
  }
  return null;
}

/** The folders of Terre's installers and archives. */
function listUsualFolders({ LOCALAPPDATA: local, ProgramFiles: programs }: Environment, home: string): string[] {
  return [
    ...[local, programs].flatMap((folder) => (folder ? [path.join(folder, 'WebGal_Terre')] : [])),
    ...['WebGAL_Terre', 'WebGal_Terre', 'Applications/WebGAL_Terre'].map((each) => path.join(home, each)),
    '/opt/WebGAL_Terre',
    '/Applications/WebGAL_Terre',
  ];
}

/** Returns the path with the home folder as `~`, as it is shown. */
export function toShownFolder(folder: string, home: string): string {
  return isInside(home, folder) ? path.join('~', path.relative(home, folder)) : folder;
}

function isInside(root: string, folder: string): boolean {
  const way = path.relative(root, folder);
  return way === '' || !(way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way));
}

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
