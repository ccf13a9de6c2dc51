/** Number of latest changes that are always kept; for older states the changed paths are unknown. */
const KEPT_CHANGES = 10_000;

/** A log of changed paths. The cost of a query depends only on the number of changes since the given state. */
export class ChangeLog {
  /** Oldest first; can contain a path several times. */
  #entries: { path: string; at: number }[] = [];
  #now = 0;
  /** Changes up to this number are no longer in the log. */
  #floor = 0;

  /** Number of the current state; increases with each change. */
  get now(): number {
    return this.#now;
  }

  add(path: string): void {
    this.#now += 1;
    this.#entries.push({ path, at: this.#now });
    if (this.#entries.length < 2 * KEPT_CHANGES) return;
    this.#entries = this.#entries.slice(KEPT_CHANGES);
    this.#floor = (this.#entries[0]?.at ?? this.#now) - 1;
  }

  /** Clears the log because any path may have changed. */
  forget(): void {
    this.#now += 1;
    this.#floor = this.#now;
    this.#entries = [];
  }

  /** Returns the distinct paths changed since a state, in order of their first change; null when unknown. */
  since(earlier: number): string[] | null {
    if (earlier < this.#floor) return null;
    let first = this.#entries.length;
    while (first > 0 && (this.#entries[first - 1]?.at ?? 0) > earlier) first -= 1;
    return [...new Set(this.#entries.slice(first).map(({ path }) => path))];
  }
}
