import { editDistance, findNearAmong, type NearCandidate, toNearCandidate } from './near-names.ts';

/** How many searches for near names one state of the project pays for; later ones find nothing. */
const SEARCH_BUDGET = 300;

interface FolderNames {
  candidates: NearCandidate[];
  byStem: ReadonlyMap<string, string[]>;
}

/** The project's files, by exact path, by path in any case, and by folder. Paths are project paths. */
export class FileNames {
  readonly #paths = new Set<string>();
  /** Both made by the first name that is looked for and not found: most games lack few files. */
  #folded: Map<string, string> | null = null;
  #byBase: Map<string, string[]> | null = null;
  readonly #near = new Map<string, readonly string[]>();
  readonly #found = new Map<string, Map<string, boolean>>();
  /** Paths that hold ` -`, by what the engine reads of them. */
  readonly #cut = new Map<string, string>();
  readonly #folders = new Map<string, FolderNames>();
  #budget = SEARCH_BUDGET;
  /** False until a listing was given: then nothing can be said to be missing. */
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

  /** Whether `game/<folder>/<name>` is there. Remembered: scripts name the same files over and over. */
  hasInFolder(folder: string, name: string): boolean {
    let names = this.#found.get(folder);
    if (names === undefined) {
      names = new Map();
      this.#found.set(folder, names);
    }
    let found = names.get(name);
    if (found === undefined) {
      const path = toFilePath(folder, name);
      found = this.#paths.has(path) || this.#paths.has(path.normalize('NFC'));
      names.set(name, found);
    }
    return found;
  }

  add(path: string): boolean {
    if (this.#paths.has(path)) return false;
    this.#paths.add(path);
    const dash = path.indexOf(' -');
    if (dash > path.lastIndexOf('/') + 1) this.#cut.set(path.slice(0, dash).trimEnd(), path);
    this.#forget();
    return true;
  }

  remove(path: string): boolean {
    if (!this.#paths.delete(path)) return false;
    for (const [cut, whole] of path.includes(' -') ? this.#cut : []) if (whole === path) this.#cut.delete(cut);
    this.#forget();
    return true;
  }

  clear(): void {
    this.#paths.clear();
    this.#cut.clear();
    this.#forget();
  }

  /** The file in the folder of which `name` is all that the engine reads, because ` -` follows: its name there. */
  cutOff(folder: string, name: string): string | undefined {
    if (this.#cut.size === 0 || name === '') return undefined;
    return this.#cut.get(toFilePath(folder, name))?.slice(`game/${folder}/`.length);
  }

  /** The path as it is really spelled, when only its case differs. */
  inAnyCase(path: string): string | undefined {
    if (this.#folded === null) {
      this.#folded = new Map();
      for (const one of this.#paths) this.#folded.set(one.toLowerCase(), one);
    }
    return this.#folded.get(path.toLowerCase());
  }

  /** Files of that name in whatever folder below `game/`. */
  withBaseName(name: string): readonly string[] {
    this.#byBase ??= groupByBase(this.#paths);
    return this.#byBase.get(baseName(name).toLowerCase()) ?? [];
  }

  /** File names in a folder below `game/`, relative to it. */
  *inFolder(folder: string): Generator<string> {
    const prefix = `game/${folder}/`;
    for (const path of this.#paths) if (path.startsWith(prefix)) yield path.slice(prefix.length);
  }

  /** Names in the folder that look like `name`: another ending or place first, then a few letters off. */
  near(folder: string, name: string): readonly string[] {
    const key = `${folder}/${name}`;
    const known = this.#near.get(key);
    if (known !== undefined) return known;
    if (this.#budget <= 0) return [];
    this.#budget -= 1;
    const stem = stemOf(name).toLowerCase();
    const { candidates, byStem } = this.#folder(folder);
    const found = byStem.get(stem) ?? [];
    // Endings are much alike: names that have nothing else in common are not near.
    const own = withoutEnding(name).toLowerCase();
    const near = findNearAmong(name, candidates, 12)
      .filter((candidate) => stemOf(candidate).toLowerCase() !== stem)
      .filter((candidate) => haveMuchInCommon(own, withoutEnding(candidate).toLowerCase()))
      .slice(0, 3);
    const result = [...found.slice(0, 3), ...near].slice(0, 3);
    this.#near.set(key, result);
    return result;
  }

  /** The names in a folder, ready for a search for near ones. */
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

  #forget(): void {
    this.#folded = null;
    this.#byBase = null;
    if (this.#folders.size > 0) this.#folders.clear();
    if (this.#near.size > 0) this.#near.clear();
    if (this.#found.size > 0) this.#found.clear();
    this.#budget = SEARCH_BUDGET;
  }
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

function haveMuchInCommon(one: string, other: string): boolean {
  const longest = Math.max(one.length, other.length);
  // A letter in the same place is one that takes no edit; the rest is worked out for the few that have none.
  for (let at = Math.min(one.length, other.length) - 1; at >= 0; at -= 1)
    if (one.charCodeAt(at) === other.charCodeAt(at)) return true;
  return editDistance(one, other, longest) < longest;
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

/** Where the engine will look: `game/<folder>/<name>` with `.` and `..` resolved as a web server does. */
export function toFilePath(folder: string, name: string): string {
  // Browsers read a backslash in an address as a slash.
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
