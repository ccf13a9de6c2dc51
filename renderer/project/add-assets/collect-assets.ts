import { AppError } from '../../../shared/errors.ts';
import type { Asset } from '../../../shared/model/asset/asset.ts';
import { toAssetPath } from './to-asset-path.ts';

export interface CollectOptions {
  /** Keeps the bytes of a file until they are proposed. */
  keep(file: File): Promise<Asset>;
  /** False ends the collecting: the game was closed. */
  goesOn(): boolean;
  /** The kind of the list that the files are added to. */
  shown: string;
  /** The paths of the game's files. */
  taken: Iterable<string>;
}

export interface CollectedAssets {
  added: { id: string; path: string }[];
  failed: { file: File; error: unknown }[];
  /** Files for which the app had no room beside those before them. */
  left: File[];
}

/** Keeps files, each at a path that suits it, until one finds no room: keeping more would drop the first of them. */
export async function collectAssets(files: readonly File[], options: CollectOptions): Promise<CollectedAssets> {
  const { keep, goesOn, shown, taken } = options;
  const places = createPlaces(taken);
  const failed: CollectedAssets['failed'] = [];
  for (const [at, file] of files.entries()) {
    if (!goesOn()) break;
    try {
      const asset = await keep(file);
      places.add(asset.id, (isTaken) => toAssetPath(file.name, asset, { shown, isTaken }));
    } catch (error) {
      const isFull = error instanceof AppError && error.reason === 'asset.full';
      if (isFull && places.all().length > 0) return { added: places.all(), failed, left: files.slice(at) };
      failed.push({ file, error });
    }
  }
  return { added: places.all(), failed, left: [] };
}

/** Collects paths that differ in more than their case, also from those of the game: on Windows and macOS they would be one file. */
function createPlaces(taken: Iterable<string>) {
  const inAnyCase = new Map<string, string>();
  for (const path of taken) inAnyCase.set(path.toLowerCase(), path);
  const added = new Map<string, string>();
  return {
    add(id: string, toPath: (isTaken: (path: string) => boolean) => string): void {
      const path = toPath((wanted) => {
        const other = inAnyCase.get(wanted.toLowerCase());
        // A file of the game is replaced by one with its name; the review shows both.
        return (other !== undefined && other !== wanted) || (added.get(wanted) ?? id) !== id;
      });
      inAnyCase.set(path.toLowerCase(), path);
      added.set(path, id);
    },
    all: () => Array.from(added, ([path, id]) => ({ path, id })),
  };
}
