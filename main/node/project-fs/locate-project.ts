import { access, constants, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { Project } from '../../../shared/model/project.ts';
import { NOTE_FILES, STORY_BIBLE_PATH } from '../../../shared/model/story-bible.ts';
import type { Located } from '../../core/ports/workspace.ts';
import { isMissing, toIoError } from '../files/io-error.ts';
import { createReader } from './project-files.ts';

const MAX_GAMES = 500;
/** Most games that an error names. */
const MAX_NAMED = 20;

/** The project of an opened folder: its root, and which part of that belongs to the game. */
export interface ProjectLocation {
  root: string;
  /** Set when only these names at the top of the root belong to the game. */
  visible?: readonly string[];
  shape: Project['shape'];
}

async function isFolder(place: string): Promise<boolean> {
  return stat(place).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function isFile(place: string): Promise<boolean> {
  return stat(place).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

/** Returns whether the folder is a `game` folder: it has a config or scenes. */
async function isGameFolder(folder: string): Promise<boolean> {
  return (await isFile(path.join(folder, 'config.txt'))) || (await isFolder(path.join(folder, 'scene')));
}

/** Returns whether the folder contains a `game` folder, or is one. */
export async function isGame(folder: string): Promise<boolean> {
  if (await isGameFolder(path.join(folder, 'game'))) return true;
  return path.basename(folder) === 'game' && (await isGameFolder(folder));
}

/** Files beside `game` in games, exports and the engine's repository, and unlikely elsewhere. */
const COMPANIONS = ['index.html', 'webgal-engine.json', 'manifest.json', 'icons', 'webgal-serviceworker.js'];

async function isProjectAround(root: string): Promise<boolean> {
  const names = await readdir(root).catch((): string[] => []);
  if (names.some((name) => COMPANIONS.includes(name))) return true;
  return names.filter((name) => !name.startsWith('.')).every((name) => name === 'game');
}

async function findShape(root: string): Promise<Project['shape']> {
  if (path.basename(root) === 'public' && (await isFile(path.join(path.dirname(root), 'package.json'))))
    return 'engine';
  if (path.basename(path.dirname(root)) === 'games') return 'terre';
  return (await isFile(path.join(root, 'index.html'))) ? 'export' : 'game';
}

/** Throws `E_NOT_FOUND` (`project.gone`) for a missing folder, and `E_IO` for one that cannot be reached. */
async function toRealFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (!isMissing(error)) throw toIoError(error, toFolderName(folder));
    throw new AppError('E_NOT_FOUND', 'The folder is gone.', { reason: 'project.gone', cause: error });
  }
}

/** Throws `E_IO` if the folder or its `game` may not be read: it would look like a folder without a game. */
async function requireReadable(folder: string): Promise<void> {
  for (const place of [folder, path.join(folder, 'game')]) {
    await access(place, constants.R_OK).catch((error: unknown) => {
      if (!isMissing(error)) throw toIoError(error, toFolderName(place));
    });
  }
}

/** Returns the project of a located folder. `folder` is the result of `locateProject`. */
export async function findLocation(folder: string, home: string): Promise<ProjectLocation> {
  const real = await toRealFolder(folder);
  if (await isGameFolder(path.join(real, 'game'))) return { root: real, shape: await findShape(real) };
  if (path.basename(real) === 'game' && (await isGameFolder(real))) {
    const root = path.dirname(real);
    const realHome = await realpath(home).catch(() => home);
    // The folder above is the project, unless it contains files that do not belong to the game.
    const whole = !isTooBroad(root, realHome) && (await isProjectAround(root));
    return {
      root,
      shape: await findShape(root),
      ...(!whole && { visible: ['game', STORY_BIBLE_PATH, ...NOTE_FILES.flat()] }),
    };
  }
  throw toNoGame(real);
}

const SEARCHED_PATHS = [
  'game/config.txt',
  'game/scene',
  'config.txt',
  'scene',
  'games/*/game',
  'public/game',
  'packages/webgal/public/game',
];

/** Returns the name for messages; the root of a disk has none but its path. */
function toFolderName(folder: string): string {
  return path.basename(folder) || folder;
}

function toNoGame(folder: string, games: readonly string[] = []): AppError {
  return new AppError('E_NOT_FOUND', `There is no WebGAL game in "${toFolderName(folder)}".`, {
    details: { folder: toFolderName(folder), looked: SEARCHED_PATHS, ...(games.length > 1 && { games }) },
    hint:
      games.length > 0
        ? `There are games in: ${games.join(', ')}. Choose one of these.`
        : 'Choose the folder that holds the folder "game", or "game" itself.',
    reason: 'project.noGame',
  });
}

/** Returns whether a folder holds what a folder `game` does, as in repositories of that folder alone. */
async function isContentOfGame(folder: string): Promise<boolean> {
  return (await isFile(path.join(folder, 'config.txt'))) && (await isFolder(path.join(folder, 'scene')));
}

/** The engine reads `game` only, and scripts name their files relative to it. */
function toRenamed(folder: string): AppError {
  const name = toFolderName(folder);
  return new AppError('E_NOT_FOUND', `The content of a game is in "${name}", which must be called "game".`, {
    details: { folder: name },
    hint: 'Rename it to "game", or put it under that name into a new folder.',
    reason: 'project.gameRenamed',
  });
}

/** Returns whether a folder holds the user's other files too: a game in it must not make all of it the project. */
function isTooBroad(folder: string, home: string): boolean {
  if (path.dirname(folder) === folder) return true;
  // Language data: names of folders on Chinese systems.
  const broad = ['', 'Desktop', 'Documents', 'Downloads', '桌面', '文档', '下载', 'OneDrive', 'OneDrive/Desktop'];
  return [path.dirname(home), ...broad.map((name) => path.join(home, name))].includes(folder);
}

/** Terre keeps its games in `games`; older versions in `public/games`, portable ones in `data/games`. */
async function findWorkspaceGames(folder: string): Promise<{ folder: string; name: string }[]> {
  const places = path.basename(folder) === 'games' ? ['.'] : ['games', 'data/games', 'public/games'];
  const found: { folder: string; name: string }[] = [];
  for (const place of places) {
    const games = path.join(folder, place);
    const names = await readdir(games).catch((): string[] => []);
    for (const name of names.sort().slice(0, MAX_GAMES)) {
      const game = path.join(games, name);
      if (await isGameFolder(path.join(game, 'game'))) found.push({ folder: game, name });
    }
  }
  return found;
}

/** Returns the names of games directly in a folder: listed in the error, never opened without a choice. */
async function findGamesBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const found: string[] = [];
  for (const name of names.sort().slice(0, MAX_GAMES)) {
    if (await isGameFolder(path.join(folder, name, 'game'))) found.push(name);
  }
  return found;
}

/**
 * Finds the game in a folder that the user chose: the folder that contains `game`, `game` itself, an exported game, a
 * Terre workspace (its games are offered), the engine's repository or its `public`. Otherwise throws `E_NOT_FOUND`,
 * reason `project.gameRenamed` for what is in a folder `game` under another name, else `project.noGame`, or `E_IO` if the folder cannot be read.
 */
export async function locateProject(folder: string, home: string): Promise<Located> {
  const real = await toRealFolder(folder);
  await requireReadable(real);
  const realHome = await realpath(home).catch(() => home);
  if (path.basename(real) === 'game' && (await isGameFolder(real))) {
    const { root, visible } = await findLocation(real, home);
    return { status: 'game', folder: visible ? real : root };
  }
  if (isTooBroad(real, realHome)) {
    throw new AppError('E_NOT_FOUND', `"${toFolderName(real)}" contains more than one game.`, {
      details: { folder: toFolderName(real) },
      hint: 'Choose the folder of the game itself.',
      reason: 'project.tooBroad',
    });
  }
  for (const place of ['.', 'public', 'packages/webgal/public']) {
    const candidate = path.join(real, place);
    if (await isGameFolder(path.join(candidate, 'game'))) return { status: 'game', folder: candidate };
  }
  const games = await findWorkspaceGames(real);
  if (games.length > 1) return { status: 'choose', games };
  if (games[0]) return { status: 'game', folder: games[0].folder };
  if (await isContentOfGame(real)) throw toRenamed(real);
  throw toNoGame(real, await findGamesBelow(real));
}

/** Returns the title of the game, else the folder's name. */
export async function readProjectFacts(location: ProjectLocation): Promise<Pick<Project, 'title'>> {
  const reader = createReader(location.root, location.visible ? { visible: location.visible } : {});
  const config = await reader.read('game/config.txt', { maxBytes: 1024 * 1024 }).catch(() => null);
  // One `key:value;` per line; options of the value are cut off, as the engine does.
  const title = config?.text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => /^Game_name:([^;]*)/.exec(line)?.[1]?.split(' -')[0]?.trim())
    .find((value) => value);
  return { title: title ?? path.basename(location.root) };
}

/**
 * Returns the one folder of a game among those that a client has open (null: it does not tell). Throws `E_NOT_FOUND` if there is
 * none, `E_BAD_ARGS` if there are several.
 */
export async function findGameAmong(folders: readonly string[] | null, home: string): Promise<string> {
  const located = await Promise.all((folders ?? []).map((folder) => locateProject(folder, home).catch(() => null)));
  const found = located.flatMap((each) => {
    if (each === null) return [];
    return each.status === 'game' ? [each.folder] : each.games.map(({ folder }) => folder);
  });
  const [only, ...others] = new Set(found);
  if (only !== undefined && others.length === 0) return only;
  const hint = 'Start webgal-agent mcp with --project and the folder of the game.';
  if (only !== undefined) {
    const games = [only, ...others].slice(0, MAX_NAMED).map((folder) => path.basename(folder));
    throw new AppError('E_BAD_ARGS', `Several games are open: ${games.join(', ')}.`, { hint, details: { games } });
  }
  const why =
    folders === null
      ? 'This program does not tell which folder it has open, and no game was named.'
      : 'None of the folders that are open holds a game.';
  throw new AppError('E_NOT_FOUND', why, { hint });
}
