/** Names of files that a game uses: project paths, and names in variables, which may be relative to any folder. */
export class UsedFiles {
  readonly #names: Set<string>;
  /** Built at the first file that is not named exactly: folding the names costs more than all other lookups. */
  #folded: Set<string> | null = null;

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  /** As they are written. */
  names(): Iterable<string> {
    return this.#names;
  }

  add(name: string): void {
    this.#names.add(name);
    this.#folded = null;
  }

  /** True when a path, or the part of it after `folder`, is named. Case is ignored. */
  has(path: string, folder: string): boolean {
    if (this.#names.has(path)) return true;
    this.#folded ??= fold(this.#names);
    const folded = path.toLowerCase();
    return this.#folded.has(folded) || this.#folded.has(folded.slice(folder.length));
  }
}

function fold(names: Iterable<string>): Set<string> {
  const folded = new Set<string>();
  for (const name of names) folded.add(name.toLowerCase());
  return folded;
}
