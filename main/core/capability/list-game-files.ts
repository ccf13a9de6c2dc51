import { AppError } from '../../../shared/errors.ts';
import { LIVE2D_RUNTIME } from '../../../shared/script/project-facts.ts';
import type { FileInfo, Reader } from '../ports.ts';

/**
 * The files that scripts are judged by: all of the folder `game`, and of what lies beside it the parts of the engine
 * that a figure may need. `E_NOT_FOUND` without a game. `unportable`: with files that scripts can name and tools cannot.
 */
export async function listGameFiles(
  reader: Reader,
  { signal, unportable = false }: { signal?: AbortSignal; unportable?: boolean } = {},
): Promise<FileInfo[]> {
  const [game, runtime] = await Promise.all([
    reader.list('game', { recursive: true, unportable, ...(signal && { signal }) }),
    reader.list('lib', signal && { signal }).catch((error: unknown) => {
      // Most games have no such folder, and of some only what lies in `game` is theirs.
      if (error instanceof AppError) return [];
      throw error;
    }),
  ]);
  return [...game, ...runtime.filter(({ path }) => LIVE2D_RUNTIME.includes(path))].filter((file) => !file.isDirectory);
}

/** Whether a path names what `listGameFiles` would list, or a folder with such files. */
export function isGameFile(path: string): boolean {
  return path === 'game' || path.startsWith('game/') || LIVE2D_RUNTIME.includes(path);
}
