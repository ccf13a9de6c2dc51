/** Counts the uses of names, and reports when a name is used for the first time or no longer. */
export class NameCounts {
  // Boxed counts, so that an increment takes a single lookup.
  readonly #counts = new Map<string, { uses: number }>();

  /** Grows whenever a name is added, removed, or its count changes to or from one. */
  revision = 0;

  /** Sum of all counts. */
  total = 0;

  /** Adds `by`, which may be negative; true when the set of names changed. */
  change(name: string, by: number): boolean {
    this.total += by;
    const count = this.#counts.get(name);
    if (count === undefined) {
      this.#counts.set(name, { uses: by });
      this.revision += 1;
      return true;
    }
    if (count.uses <= 2) this.revision += 1;
    count.uses += by;
    if (count.uses > 0) return false;
    this.#counts.delete(name);
    return true;
  }

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  count(name: string): number {
    return this.#counts.get(name)?.uses ?? 0;
  }

  names(): Iterable<string> {
    return this.#counts.keys();
  }

  /** Names with their counts. */
  *entries(): Generator<readonly [string, number]> {
    for (const [name, count] of this.#counts) yield [name, count.uses];
  }

  get size(): number {
    return this.#counts.size;
  }
}
