import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { createSerialQueue } from '../../../shared/async.ts';
import { writeDurably } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';

const FILE = 'recent.json';
const MAX_RECENTS = 20;

const Recent = z.object({ folder: z.string(), title: z.string(), openedAt: z.number() });
export type Recent = z.infer<typeof Recent>;

/** The games opened before, newest first, in the app's own folder: absolute paths stay there. */
export interface RecentProjects {
  read(): Promise<Recent[]>;
  add(recent: Recent): Promise<void>;
  forget(folder: string): Promise<void>;
}

export function createRecentProjects(dataFolder: string): RecentProjects {
  const file = path.join(dataFolder, FILE);
  const queue = createSerialQueue();

  async function read(): Promise<Recent[]> {
    const bytes = await readPrivateFile(file, FILE);
    try {
      const stored = z.array(z.unknown()).parse(JSON.parse(bytes?.toString() ?? '[]'));
      return stored.flatMap((one) => Recent.safeParse(one).data ?? []);
    } catch {
      return []; // Rebuilt by using the app: not worth an error.
    }
  }

  /** Runs changes one at a time: two windows must not overwrite each other's change. */
  function change(toNext: (recents: Recent[]) => Recent[]): Promise<void> {
    return queue.run(async () => {
      try {
        const next = toNext(await read()).slice(0, MAX_RECENTS);
        await mkdir(dataFolder, { recursive: true, mode: 0o700 });
        await writeDurably(file, `${JSON.stringify(next, null, 2)}\n`, 0o600);
      } catch (error) {
        throw toIoError(error, FILE);
      }
    });
  }

  return {
    read,
    add: (recent) => change((recents) => [recent, ...recents.filter((one) => one.folder !== recent.folder)]),
    forget: (folder) => change((recents) => recents.filter((one) => one.folder !== folder)),
  };
}
