const EMPTY: readonly never[] = [];

/** Copies a list that has grown, because the runtime reserves space for 17 more entries. All empty lists are one. */
export function toExactSize<T>(list: readonly T[]): readonly T[] {
  return list.length === 0 ? EMPTY : list.slice();
}
