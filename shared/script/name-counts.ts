/** How often each name is used. Tells when a name appears for the first time or goes for good. */
export class NameCounts {
  // Boxes, so that counting one more costs a single look-up.
  readonly #counts = new Map<string, { uses: number }>();

  /** Adds `by` (which may be negative); true when the set of names changed. */
  change(name: string, by: number): boolean {
    const count = this.#counts.get(name);
    if (count === undefined) {
      this.#counts.set(name, { uses: by });
      return true;
    }
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

  get size(): number {
    return this.#counts.size;
  }
}
