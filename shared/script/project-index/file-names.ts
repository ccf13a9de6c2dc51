import { isUnportable } from '../../paths/portable-name.ts';
import { editDistance, findNearAmong, type NearCandidate, tolerance, toNearCandidate } from './near-names.ts';

/**
 * Searches for near names per state of the project; further searches return nothing. Limits the work for a project with
 * many missing files.
 */
const SEARCH_BUDGET = 300;

/** `unportable`: the file exists, but no path of the app can name it. */
export type FileState = 'missing' | 'found' | 'unportable';

interface FolderNames {
  candidates: NearCandidate[];
  byStem: ReadonlyMap<string, string[]>;
}

/** The project's files, by exact path, by case-insensitive path, and by folder. Paths are project paths. */
export class FileNames {
  readonly #paths = new Set<string>();
  /** Both are built at the first failed lookup: most games lack few files. */
  #folded: Map<string, string> | null = null;
  #byBase: Map<string, string[]> | null = null;
  readonly #near = new Map<string, readonly string[]>();
  readonly #found = new Map<string, Map<string, FileState>>();
  /** Paths that contain ` -`, by the part that the engine reads. */
  readonly #cut = new Map<string, string>();
  readonly #folders = new Map<string, FolderNames>();
  #budget = SEARCH_BUDGET;
  /** False until a listing was set: until then no file is reported as missing. */
  isKnown = false;

  get size(): number {
    return this.#paths.size;
  }

  all(): Iterable<string> {
    return this.#paths;
  }

  has(path: string): boolean {
    return this.#paths.has(path);
  }

  /** True when `game/<folder>/<name>` exists. */
  hasInFolder(folder: string, name: string): boolean {
    return this.stateInFolder(folder, name) !== 'missing';
  }

  /** The state of `game/<folder>/<name>`. Cached, because scripts name the same files repeatedly. */
  stateInFolder(folder: string, name: string): FileState {
    let names = this.#found.get(folder);
    if (names === undefined) {
      names = new Map();
      this.#found.set(folder, names);
    }
    let state = names.get(name);
    if (state === undefined) {
      const path = toFilePath(folder, name);
      const exists = this.#paths.has(path) || (!isAscii(path) && this.#paths.has(path.normalize('NFC')));
      state = !exists ? 'missing' : isUnportable(lastName(name)) ? 'unportable' : 'found';
      names.set(name, state);
    }
    return state;
  }

  /** Replaces all files. */
  setAll(paths: Iterable<string>): void {
    this.#paths.clear();
    this.#cut.clear();
    for (const path of paths) this.#insert(path);
    this.#forget();
  }

  add(path: string): boolean {
    if (this.#paths.has(path)) return false;
    this.#insert(path);
    this.#forget();
    return true;
  }

  remove(path: string): boolean {
    if (!this.#paths.delete(path)) return false;
    for (const [cut, whole] of path.includes(' -') ? this.#cut : []) if (whole === path) this.#cut.delete(cut);
    this.#forget();
    return true;
  }

  /** The name of the file in the folder of which the engine reads only `name`, because ` -` follows. */
  cutOff(folder: string, name: string): string | undefined {
    if (this.#cut.size === 0 || name === '') return undefined;
    return this.#cut.get(toFilePath(folder, name))?.slice(`game/${folder}/`.length);
  }

  /** The actual path when only the case differs. */
  inAnyCase(path: string): string | undefined {
    if (this.#folded === null) {
      this.#folded = new Map();
      for (const one of this.#paths) this.#folded.set(one.toLowerCase(), one);
    }
    return this.#folded.get(path.toLowerCase());
  }

  /** Files of that name in any folder below `game/`. */
  withBaseName(name: string): readonly string[] {
    this.#byBase ??= groupByBase(this.#paths);
    return this.#byBase.get(baseName(name).toLowerCase()) ?? [];
  }

  /** File names in a folder below `game/`, relative to it. */
  *inFolder(folder: string): Generator<string> {
    const prefix = `game/${folder}/`;
    for (const path of this.#paths) if (path.startsWith(prefix)) yield path.slice(prefix.length);
  }

  /**
   * Names in the folder that are similar to `name`: those with another extension or subfolder first, then those within
   * the edit distance.
   */
  near(folder: string, name: string): readonly string[] {
    const key = `${folder}/${name}`;
    const known = this.#near.get(key);
    if (known !== undefined) return known;
    if (this.#budget <= 0) return [];
    this.#budget -= 1;
    const stem = stemOf(name).toLowerCase();
    const { candidates, byStem } = this.#folder(folder);
    const found = byStem.get(stem) ?? [];
    // Extensions are often equal, and say nothing of the names.
    const own = withoutEnding(name).toLowerCase();
    const near = findNearAmong(name, candidates, 12)
      .filter((candidate) => stemOf(candidate).toLowerCase() !== stem)
      .filter((candidate) => areNear(own, withoutEnding(candidate).toLowerCase()))
      .slice(0, 3);
    const result = [...found.slice(0, 3), ...near].slice(0, 3);
    this.#near.set(key, result);
    return result;
  }

  /** The names in a folder, prepared for similarity searches. */
  #folder(folder: string): FolderNames {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const byStem = new Map<string, string[]>();
    const candidates: NearCandidate[] = [];
    for (const name of this.inFolder(folder)) {
      candidates.push(toNearCandidate(name));
      const stem = stemOf(name).toLowerCase();
      const same = byStem.get(stem);
      if (same === undefined) byStem.set(stem, [name]);
      else same.push(name);
    }
    const names = { candidates, byStem };
    this.#folders.set(folder, names);
    return names;
  }

  /** Frees what only searches for missing files use; it is built again for the next one. */
  release(): void {
    this.#folded = null;
    this.#byBase = null;
    if (this.#folders.size > 0) this.#folders.clear();
  }

  #insert(path: string): void {
    this.#paths.add(path);
    const dash = path.indexOf(' -');
    if (dash >= 0 && dash > path.lastIndexOf('/') + 1) this.#cut.set(path.slice(0, dash).trimEnd(), path);
  }

  #forget(): void {
    this.release();
    if (this.#near.size > 0) this.#near.clear();
    if (this.#found.size > 0) this.#found.clear();
    this.#budget = SEARCH_BUDGET;
  }
}

/** True for text that has only one normal form. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) >= 128) return false;
  return true;
}

/** The last name of a path as scripts write it; browsers treat a backslash as a slash. */
function lastName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function groupByBase(paths: Iterable<string>): Map<string, string[]> {
  const byBase = new Map<string, string[]>();
  for (const path of paths) {
    const base = baseName(path).toLowerCase();
    const same = byBase.get(base);
    if (same === undefined) byBase.set(base, [path]);
    else same.push(path);
  }
  return byBase;
}

/**
 * True for two names, without their endings, of which one may be a typing error of the other. Names that have nothing in common are not
 * similar, however short they are.
 */
function areNear(one: string, other: string): boolean {
  const limit = Math.max(1, tolerance(one.length));
  const distance = editDistance(one, other, limit);
  return distance <= limit && distance < Math.max(one.length, other.length);
}

function withoutEnding(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') + 1 ? path.slice(0, dot) : path;
}

function stemOf(path: string): string {
  const base = baseName(path);
  const dot = base.lastIndexOf('.');
  return dot > 0 ? base.slice(0, dot) : base;
}

/** The path that the engine requests: `game/<folder>/<name>` with `.` and `..` resolved as a web server does. */
export function toFilePath(folder: string, name: string): string {
  if (folder !== '' && name.indexOf('/') < 0 && name.indexOf('\\') < 0) return `game/${folder}/${name}`;
  // Browsers treat a backslash in a URL as a slash.
  const path = `game/${folder}/${name.includes('\\') ? name.replaceAll('\\', '/') : name}`;
  if (!path.includes('./') && !path.includes('//')) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}
