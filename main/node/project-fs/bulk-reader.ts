import { isAssetName } from '../../../shared/model/asset/asset.ts';
import { toProjectPath } from '../../../shared/paths/project-path.ts';
import { toText } from '../files/strict-text.ts';
import { createFileReader, type FileMemory } from '../search/walk-folder.ts';
import type { PathResolver } from './path-resolver.ts';

/** Larger files would block noticeably. */
const MAX_BYTES = 256 * 1024;
/** A longer read waited for the disk, and so may those that follow. */
const SLOW_MS = 2;
const NO_MEMORY: FileMemory = { has: () => false, find: () => null, keep: () => undefined };

/**
 * Creates a function that reads many small files with blocking calls, as the search thread does: each folder is resolved
 * and opened once, and its files are opened through it. Returns null for each file that a single read has to decide about:
 * links, other spellings, errors, large files, and everything after the disk was slow.
 */
export function createBulkReader(
  resolver: Pick<PathResolver, 'resolve'>,
  now: () => number = () => performance.now(),
): (paths: readonly string[]) => Promise<({ text: string; bytes: number } | null)[]> {
  return async (paths) => {
    const split = paths.map(splitPath);
    const folders = new Map<string, string | null>();
    for (const folder of new Set(split.map((one) => one?.folder))) {
      if (folder === undefined) continue;
      const place = await resolver.resolve(folder).catch(() => null);
      folders.set(folder, place?.absolute ?? null);
    }
    const reader = createFileReader(MAX_BYTES, NO_MEMORY);
    let isSlow = false;
    const readOne = (path: string, { folder, name }: { folder: string; name: string }) => {
      const absolute = folders.get(folder) ?? null;
      if (absolute === null) return null;
      const startedAt = now();
      const bytes = reader.read({ path, folder: absolute, name });
      isSlow = now() - startedAt > SLOW_MS;
      return bytes && { text: toText(bytes, path), bytes: bytes.length };
    };
    try {
      return paths.map((path, at) => {
        const parts = isSlow ? null : split[at];
        try {
          return parts ? readOne(path, parts) : null;
        } catch {
          // Not UTF-8: the single read reports it.
          return null;
        }
      });
    } finally {
      reader.close();
    }
  };
}

/** Returns null for a path that is not allowed, or not in its normal form, and for pictures and sounds. */
function splitPath(path: string): { folder: string; name: string } | null {
  const slash = path.lastIndexOf('/');
  try {
    if (toProjectPath(path) !== path || isAssetName(path)) return null;
  } catch {
    return null;
  }
  return slash < 0 ? { folder: '.', name: path } : { folder: path.slice(0, slash), name: path.slice(slash + 1) };
}
