import { type MemoOwner, NO_MEMOS } from '../../memo.ts';

/** Counts the uses of names, and reports when a name is used for the first time or no longer. */
export class NameCounts implements MemoOwner {
  memos = NO_MEMOS;
  readonly #counts = new Map<string, number>();

  /** Grows whenever a name is added, removed, or its count changes to or from one. */
  revision = 0;

  /** Sum of all counts. */
  total = 0;

  /** Adds `by`, which may be negative; true when the set of names changed. */
  change(name: string, by: number): boolean {
    this.total += by;
    const before = this.#counts.get(name);
    if (before === undefined) {
      this.#counts.set(name, by);
      this.revision += 1;
      return true;
    }
    if (before <= 2) this.revision += 1;
    const uses = before + by;
    if (uses > 0) this.#counts.set(name, uses);
    else this.#counts.delete(name);
    return uses <= 0;
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

  /** Names with their counts. */
  entries(): Iterable<readonly [string, number]> {
    return this.#counts;
  }

  get size(): number {
    return this.#counts.size;
  }
}
