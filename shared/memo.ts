/** Something from which others derive values that live as long as it does. */
export interface MemoOwner {
  /** Used by `createMemo` only. */
  memos: unknown[];
}

/** The value of `memos` before the first memo. */
export const NO_MEMOS: unknown[] = [];

let slots = 0;

/**
 * Creates a place in which a module keeps one value per owner. A weak map would do the same, but the runtime's collection
 * of young objects keeps the values of weak maps alive, and with them the whole game that they were derived from.
 */
export function createMemo<Owner extends MemoOwner, Value>() {
  const slot = slots;
  slots += 1;
  return {
    get: (owner: Owner) => owner.memos[slot] as Value | undefined,
    set(owner: Owner, value: Value): void {
      if (owner.memos === NO_MEMOS) owner.memos = [];
      while (owner.memos.length <= slot) owner.memos.push(undefined);
      owner.memos[slot] = value;
    },
  };
}
