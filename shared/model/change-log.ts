/** Changed paths that are remembered; asked about an older state, the log does not know. */
const MOST_CHANGES = 10_000;

/** Which paths changed since an earlier state. Asking costs what changed since then, however much changed before. */
export class ChangeLog {
  /** Oldest first; a path may be in it several times. */
  #entries: { path: string; at: number }[] = [];
  #now = 0;
  /** What changed up to here is not known any more. */
  #floor = 0;

  /** Names the present state; grows with every change. */
  get now(): number {
    return this.#now;
  }

  add(path: string): void {
    this.#now += 1;
    this.#entries.push({ path, at: this.#now });
    if (this.#entries.length < 2 * MOST_CHANGES) return;
    this.#entries = this.#entries.slice(MOST_CHANGES);
    this.#floor = (this.#entries[0]?.at ?? this.#now) - 1;
  }

  /** Anything may have changed. */
  forget(): void {
    this.#now += 1;
    this.#floor = this.#now;
    this.#entries = [];
  }

  /** Each path once, in the order of their first changes; null when that is not known. */
  since(earlier: number): string[] | null {
    if (earlier < this.#floor) return null;
    let first = this.#entries.length;
    while (first > 0 && (this.#entries[first - 1]?.at ?? 0) > earlier) first -= 1;
    return [...new Set(this.#entries.slice(first).map(({ path }) => path))];
  }
}
