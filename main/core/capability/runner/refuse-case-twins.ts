import { AppError } from '../../../../shared/errors.ts';
import type { Reader } from '../../ports/reader.ts';

/**
 * Rejects a new file whose path differs from an existing one only in case or Unicode normalisation (`E_DENY_PATH`): on Windows
 * and macOS both would be one file. `others` are created in the same write.
 */
export async function refuseCaseTwins(reader: Reader, path: string, others: readonly string[] = []): Promise<void> {
  const other = others.find((one) => one !== path && foldPath(one) === foldPath(path));
  if (other !== undefined) throw toTwin(path, other);
  const known = path.startsWith(`${GAME}/`) ? await currentSpellings(reader) : null;
  let folder = '.';
  for (const name of path.split('/')) {
    const own = folder === '.' ? name : `${folder}/${name}`;
    if (folder !== '.' && known !== null) {
      const twin = known.findTwin(own);
      if (twin !== undefined) throw toTwin(path, twin);
      folder = own;
      continue;
    }
    if ((await reader.stat(folder)) === null) return;
    const twin = (await reader.list(folder)).find(
      (entry) => entry.path !== own && foldPath(entry.path) === foldPath(own),
    );
    if (twin !== undefined) throw toTwin(path, twin.path);
    folder = own;
  }
}

/** The folder whose names are cached if the reader reports changes in it. */
const GAME = 'game';

/** The files of the game and their folders, by folded path. */
class Spellings {
  readonly #files = new Set<string>();
  /** Folded path → paths, with the number of files at or below each. */
  readonly #paths = new Map<string, Map<string, number>>();

  set(file: string, isThere: boolean): void {
    if (this.#files.has(file) === isThere) return;
    if (isThere) this.#files.add(file);
    else this.#files.delete(file);
    for (let end = file.indexOf('/', GAME.length + 1); end !== -1; end = file.indexOf('/', end + 1)) {
      this.#count(file.slice(0, end), isThere ? 1 : -1);
    }
    this.#count(file, isThere ? 1 : -1);
  }

  findTwin(path: string): string | undefined {
    for (const other of this.#paths.get(foldPath(path))?.keys() ?? []) if (other !== path) return other;
    return undefined;
  }

  #count(path: string, by: number): void {
    const key = foldPath(path);
    const spelt = this.#paths.get(key) ?? new Map<string, number>();
    const count = (spelt.get(path) ?? 0) + by;
    if (count > 0) spelt.set(path, count);
    else spelt.delete(path);
    if (spelt.size > 0) this.#paths.set(key, spelt);
    else this.#paths.delete(key);
  }
}

interface KeptSpellings {
  spellings: Spellings;
  now: number;
}

const kept = new WeakMap<Reader, Promise<KeptSpellings | null>>();

/** Returns cached names, so that thousands of scenes are not listed for each new file. Null if they cannot be cached. */
function currentSpellings(reader: Reader): Promise<Spellings | null> {
  const before = kept.get(reader) ?? Promise.resolve(null);
  const next = before.then((known) => bringUpToDate(reader, known));
  kept.set(
    reader,
    next.catch(() => null),
  );
  return next.then((found) => found?.spellings ?? null);
}

async function bringUpToDate(reader: Reader, known: KeptSpellings | null): Promise<KeptSpellings | null> {
  const found = (await reader.changes?.(known?.now ?? null)) ?? null;
  if (found === null) return null;
  if (known !== null && found.changes !== null) {
    for (const { path, isFile } of found.changes) known.spellings.set(path, isFile);
    return { spellings: known.spellings, now: found.now };
  }
  const spellings = new Spellings();
  for (const { path, isDirectory } of await reader.list(GAME, { recursive: true })) {
    if (!isDirectory) spellings.set(path, true);
  }
  return { spellings, now: found.now };
}

function toTwin(path: string, existing: string): AppError {
  return new AppError('E_DENY_PATH', `${path} and ${existing} differ only in how they are spelled.`, {
    details: { path, existing },
    hint: `Use ${existing}, or another name.`,
    reason: 'path.twin',
  });
}

/** Returns a path as systems compare it that ignore case and Unicode normalisation. */
export function foldPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
