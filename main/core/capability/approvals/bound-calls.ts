import type { StoredApproval } from '../../../../shared/model/capability/approval.ts';

/**
 * Returns the calls in at most `maxBytes` of JSON in UTF-8, and whether they fit. For that, results of calls that ended are dropped, then
 * these calls, the oldest first; the result of the call `id` goes last, and it stays itself. What is open is never dropped.
 */
export function boundCalls(
  entries: readonly StoredApproval[],
  { id, maxBytes }: { id: string; maxBytes: number },
): { entries: StoredApproval[]; fits: boolean } {
  const kept = new Map(entries.map((entry) => [entry.id, entry]));
  let size = toBytes(entries);
  const ended = entries.filter((entry) => !isOpen(entry));
  const inOrder = [...ended.filter((entry) => entry.id !== id), ...ended.filter((entry) => entry.id === id)];
  for (const { result, ...entry } of inOrder) {
    if (size <= maxBytes) break;
    if (result === undefined) continue;
    size -= toBytes({ ...entry, result }) - toBytes(entry);
    kept.set(entry.id, entry);
  }
  for (const entry of inOrder) {
    if (size <= maxBytes) break;
    if (entry.id === id) continue;
    // With the comma that divides it from the next one.
    size -= toBytes(kept.get(entry.id)) + 1;
    kept.delete(entry.id);
  }
  return { entries: [...kept.values()], fits: size <= maxBytes };
}

/** True for a call that was not answered, or whose outcome is not known. */
export const isOpen = ({ state }: Pick<StoredApproval, 'state'>): boolean =>
  state === 'waiting' || state === 'approved' || state === 'running';

/** Returns the bytes of a value as JSON in UTF-8. */
export const toBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;
