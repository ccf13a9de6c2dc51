import type { HistoryGroup } from '../../shared/model/snapshot.ts';

/**
 * The history after its newest groups became `newest`; groups that are there already stay the same objects as long as they
 * say the same. Null when that does not make `total` groups: then some were missed, or are gone, and all have to be read.
 */
export function mergeGroups(
  known: readonly HistoryGroup[],
  newest: readonly HistoryGroup[],
  total: number,
): HistoryGroup[] | null {
  const old = new Map(known.map((group) => [group.id, group]));
  const top = newest.map((group) => {
    const before = old.get(group.id);
    old.delete(group.id);
    return before && JSON.stringify(before) === JSON.stringify(group) ? before : group;
  });
  return top.length + old.size === total ? [...top, ...old.values()] : null;
}
