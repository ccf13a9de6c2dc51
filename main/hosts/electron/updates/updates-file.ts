import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';

const Kept = z.object({
  checkedAt: z.number().nullable().catch(null),
  notInstalled: z.string().nullable().catch(null),
});
type Kept = z.infer<typeof Kept>;

/** What the app keeps about updates between two runs. */
export interface UpdatesFile {
  read(): Promise<Kept>;
  /** Replaces the given values and keeps the others. */
  change(change: Partial<Kept>): Promise<void>;
}

export function createUpdatesFile(path: string): UpdatesFile {
  async function read(): Promise<Kept> {
    try {
      return Kept.parse(JSON.parse(await readFile(path, 'utf8')));
    } catch {
      // Absent before the first check. If it is damaged, the next check runs earlier.
      return { checkedAt: null, notInstalled: null };
    }
  }
  return {
    read,
    async change(change) {
      await writeFile(`${path}.new`, JSON.stringify({ ...(await read()), ...change }));
      await rename(`${path}.new`, path);
    },
  };
}
