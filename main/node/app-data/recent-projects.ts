import { z } from 'zod';
import { createPrivateJson } from '../files/private-json.ts';

const MAX_RECENTS = 20;

const Recent = z.object({ folder: z.string(), title: z.string(), openedAt: z.number() });
export type Recent = z.infer<typeof Recent>;

/** The games opened before, newest first, in the app's own folder: absolute paths stay there. */
export interface RecentProjects {
  read(): Promise<readonly Recent[]>;
  add(recent: Recent): Promise<void>;
  forget(folder: string): Promise<void>;
}

export function createRecentProjects(dataFolder: string): RecentProjects {
  const file = createPrivateJson(dataFolder, 'recent.json', parse);
  const without = (recents: readonly Recent[], folder: string) => recents.filter((one) => one.folder !== folder);
  return {
    read: file.read,
    add: (recent) => file.change((recents) => [recent, ...without(recents, recent.folder)].slice(0, MAX_RECENTS)),
    forget: (folder) => file.change((recents) => without(recents, folder)),
  };
}

/** What is no list is rebuilt by using the app: not worth an error. */
function parse(stored: unknown): readonly Recent[] {
  return z
    .array(z.unknown())
    .parse(stored ?? [])
    .flatMap((one) => Recent.safeParse(one).data ?? []);
}
