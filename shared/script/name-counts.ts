/** How often each name is used. Tells when a name appears for the first time or goes for good. */
export class NameCounts {
  readonly #counts = new Map<string, number>();

  /** Adds `by` (which may be negative); true when the set of names changed. */
  change(name: string, by: number): boolean {
    const before = this.#counts.get(name) ?? 0;
    const after = before + by;
    if (after > 0) this.#counts.set(name, after);
    else this.#counts.delete(name);
    return before > 0 !== after > 0;
  }

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  count(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  names(): Iterable<string> {
    return this.#counts.keys();
  }

  entries(): Iterable<[string, number]> {
    return this.#counts.entries();
  }

  get size(): number {
    return this.#counts.size;
  }
}
