import { AppError } from '../../../shared/errors.ts';
import { LIVE2D_RUNTIME } from '../../../shared/script/project-facts.ts';
import type { FileInfo, Reader } from '../ports.ts';

/** Games have thousands; a page that shows more than this is of no use. */
const MOST_FILES = 50_000;

/**
 * The files that scripts are judged by: all of the folder `game`, and of what lies beside it the parts of the engine
 * that a figure may need. `E_NOT_FOUND` without a game. `unportable`: with files that scripts can name and tools cannot. In a
 * game with more than can be listed, `onLeftOut` is called with how many are.
 */
export async function listGameFiles(
  reader: Reader,
  {
    signal,
    unportable = false,
    onLeftOut = () => undefined,
  }: { signal?: AbortSignal; unportable?: boolean; onLeftOut?: (listed: number) => void } = {},
): Promise<FileInfo[]> {
  const [game, runtime] = await Promise.all([
    reader.list('game', { recursive: true, unportable, maxEntries: MOST_FILES, onLeftOut, ...(signal && { signal }) }),
    listRuntimeFiles(reader, signal),
  ]);
  return [...game, ...runtime].filter((file) => !file.isDirectory);
}

/** Paths of the parts of the engine that are there. */
export async function listRuntime(reader: Reader): Promise<string[]> {
  return (await listRuntimeFiles(reader)).map(({ path }) => path);
}

async function listRuntimeFiles(reader: Reader, signal?: AbortSignal): Promise<FileInfo[]> {
  const listed = await reader.list('lib', signal && { signal }).catch((error: unknown) => {
    // Most games have no such folder, and of some only what lies in `game` is theirs.
    if (error instanceof AppError) return [];
    throw error;
  });
  return listed.filter(({ path, isDirectory }) => LIVE2D_RUNTIME.includes(path) && !isDirectory);
}

/** Whether a path names what `listGameFiles` would list, or a folder with such files. */
export function isGameFile(path: string): boolean {
  return path === 'game' || path.startsWith('game/') || LIVE2D_RUNTIME.includes(path);
}
