/** Where the memory of a game's processes is read. */
interface MemorySource {
  /** Resolves to the ids of the processes; as late as a busy browser answers. */
  list(): Promise<readonly number[]>;
  /** Returns the bytes that a process holds; null where it has ended. */
  read(id: number): number | null;
}

/**
 * Returns a function to call again and again, which returns true once the processes together hold more than `limit` bytes. It does not
 * wait for the list: meanwhile those of the last list count, so that a browser that gives no answer is bounded as well.
 */
export function createMemoryLimit({ list, read }: MemorySource, limit: number): () => boolean {
  let known: readonly number[] = [];
  let isAsking = false;
  const ask = async (): Promise<void> => {
    isAsking = true;
    known = await list().catch(() => known);
    isAsking = false;
  };
  return () => {
    if (!isAsking) void ask();
    return known.reduce((sum, id) => sum + (read(id) ?? 0), 0) > limit;
  };
}
