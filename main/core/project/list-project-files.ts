import { AppError } from '../../../shared/errors.ts';
import { LIVE2D_RUNTIME } from '../../../shared/script/project-index/project-facts.ts';
import type { FileInfo, Reader } from '../ports/reader.ts';

/** Maximum number of listed files. Games have thousands. */
const MAX_FILES = 50_000;

/**
 * Lists the files that diagnostics depend on: all of the folder `game` and the engine parts beside it that figures need. Throws
 * `E_NOT_FOUND` without a game. `unportable` includes files that scripts can name and tools cannot. `onLeftOut` receives the
 * number of files beyond the maximum.
 */
export async function listProjectFiles(
  reader: Reader,
  {
    signal,
    unportable = false,
    onLeftOut = () => undefined,
  }: { signal?: AbortSignal; unportable?: boolean; onLeftOut?: (listed: number) => void } = {},
): Promise<FileInfo[]> {
  const [game, runtime] = await Promise.all([
    reader.list('game', { recursive: true, unportable, maxEntries: MAX_FILES, onLeftOut, ...(signal && { signal }) }),
    listRuntimeFiles(reader, signal),
  ]);
  return [...game, ...runtime].filter((file) => !file.isDirectory);
}

/** Lists the paths of the existing engine parts. */
export async function listRuntime(reader: Reader): Promise<string[]> {
  return (await listRuntimeFiles(reader)).map(({ path }) => path);
}

async function listRuntimeFiles(reader: Reader, signal?: AbortSignal): Promise<FileInfo[]> {
  const listed = await reader.list('lib', signal && { signal }).catch((error: unknown) => {
    // Most games have no such folder, and some projects consist of `game` only.
    if (error instanceof AppError) return [];
    throw error;
  });
  return listed.filter(({ path, isDirectory }) => LIVE2D_RUNTIME.includes(path) && !isDirectory);
}

/** Returns true for a path that `listProjectFiles` would list, or a folder that contains such files. */
export function isProjectFile(path: string): boolean {
  return path === 'game' || path.startsWith('game/') || LIVE2D_RUNTIME.includes(path);
}
