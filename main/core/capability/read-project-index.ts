import { AppError } from '../../../shared/errors.ts';
import {
  createProjectIndex,
  type ProjectIndex,
  SCENE_FOLDER,
  SETTING_PATHS,
} from '../../../shared/script/project-facts.ts';
import type { GameEngine, Reader } from '../ports.ts';
import { listGameFiles } from './list-game-files.ts';
import { readTexts } from './read-texts.ts';

/**
 * What the language service has to know of a game, read through `reader`: names of all files, texts of the scenes, the
 * settings and the animation table. Files that are no texts are passed over.
 */
export async function readProjectIndex(
  reader: Reader,
  { engineVersion, engine, signal }: Partial<GameEngine> & { signal?: AbortSignal | undefined } = {},
): Promise<ProjectIndex> {
  const index = createProjectIndex({
    ...(engineVersion !== undefined && { engineVersion }),
    ...(engine !== undefined && { engine }),
  });
  const stop = signal ?? new AbortController().signal;
  const files = await listGameFiles(reader, { signal: stop, unportable: true }).catch((error: unknown) => {
    // A folder without a game in it: there is nothing to know.
    if (error instanceof AppError && error.code === 'E_NOT_FOUND') return [];
    throw error;
  });
  index.setFiles(files.map(({ path }) => path));
  const texts = files.filter(({ path }) => isScene(path) || SETTING_PATHS.includes(path));
  for await (const batch of readTexts(reader, texts, stop)) {
    for (const { path, text } of batch) index.setText(path, text);
  }
  return index;
}

/** True for a path where scenes lie. */
export function isScene(path: string): boolean {
  return path.startsWith(SCENE_FOLDER) && path.toLowerCase().endsWith('.txt');
}
