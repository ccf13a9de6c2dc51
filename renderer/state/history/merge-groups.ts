import type { HistoryGroup } from '../../../shared/model/snapshot.ts';

/**
 * Merges the newest groups into the known history; unchanged groups stay the same objects. Null when the result does not
 * have `total` groups: some were missed or removed, and all have to be read again.
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
