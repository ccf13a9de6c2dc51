import { readlinkSync, realpathSync, type Stats } from 'node:fs';
import { createProjectPlaces, denyLink, type Place } from './project-places.ts';
import { resolveForWriting } from './resolve-for-writing.ts';

export type { Place };

/**
 * The only way from an input path to a file of the project; reader, writer and every function that opens a file use it.
 * Forbidden names are refused both in the input and in the path it resolves to.
 */
export interface PathResolver {
  /** The project root itself, links resolved. */
  root(): Promise<string>;
  /**
   * Follows links that stay inside. Null when nothing exists there; throws `E_DENY_PATH` when it leads out or to a
   * forbidden name.
   */
  resolve(input: string): Promise<Place | null>;
  /**
   * Resolves the target of a write. The parent folders may not exist yet. The name itself may not be a link: writing
   * through one could change a file that the user was never shown.
   */
  resolveForWriting(input: string): Promise<{ place: Place; stats: Stats | null }>;
  /** Throws unless the opened file is still the one that `place` names: a folder may have become a link in between. */
  verify(handle: number, place: Place): void;
  isVisible(projectPath: string): boolean;
}

/**
 * Creates the resolver. `visible` lists the only names at the top of the root that exist for the app: used when the user
 * opened a folder `game` among unrelated files.
 */
export function createPathResolver(root: string, options: { visible?: readonly string[] } = {}): PathResolver {
  const places = createProjectPlaces(root, options);
  return {
    root: async () => places.findRoot(),
    resolve: async (input) => places.resolve(input),
    isVisible: places.isVisible,
    resolveForWriting: async (input) => resolveForWriting(places, input),
    verify,
  };
}

function verify(handle: number, place: Place): void {
  if (process.platform === 'linux') {
    const actual = tryTo(() => readlinkSync(`/proc/self/fd/${handle}`));
    // A file replaced since it was opened is still the requested file.
    if (actual !== null) {
      if (actual === place.absolute || actual === `${place.absolute} (deleted)`) return;
      throw denyLink(place.path);
    }
  }
  const real = tryTo(() => realpathSync.native(place.absolute));
  if (real === null || real === place.absolute) return;
  throw denyLink(place.path);
}

/** Returns null for any error of the system. */
function tryTo<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
