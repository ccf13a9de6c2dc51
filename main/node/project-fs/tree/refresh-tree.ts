import path from 'node:path';
import { checkEntry, checkFolders, enterFolder, readStats } from './check-entries.ts';
import { type Folder, resetTree, TOP, type TreeState, Unusable } from './tree-state.ts';

/** Delay before a folder that could not be cached is tried again. */
const RETRY_MS = 5_000;

/** Keeps a report of the watches for the next `refreshTree`. */
export function keepReport(state: TreeState, folder: string, name: string | null): void {
  // The folder itself was moved or removed; another may have its name, and even its inode number.
  if (folder === path.join(state.root, TOP) && name === TOP) state.top = null;
  if (name === null) return;
  const names = state.reported.get(folder) ?? new Set();
  state.reported.set(folder, names.add(name));
}

/** Updates the cache; false where the game cannot be cached. */
export async function refreshTree(state: TreeState): Promise<boolean> {
  if (state.isClosed || Date.now() - state.failedAt < RETRY_MS) return false;
  try {
    await enterTop(state);
    // Reports of earlier changes are in the system's queue: one turn of the event loop delivers them.
    if (await state.watches.isComplete()) await applyReports(state);
    else await checkFolders(state, [...state.folders.values()]);
    return state.links.size === 0;
  } catch (error) {
    // Removed during the check, unreadable, or not cacheable.
    resetTree(state);
    state.top = null;
    state.failedAt = error instanceof Unusable ? Date.now() : Number.NEGATIVE_INFINITY;
    return false;
  }
}

/** Reads everything anew when the folder `game` is another one than before. */
async function enterTop(state: TreeState): Promise<void> {
  const absolute = path.join(state.root, TOP);
  const now = readStats(absolute);
  if (!now?.isDirectory()) throw new Unusable();
  if (now.ino === state.top?.ino && now.dev === state.top.dev && state.folders.size > 0) return;
  resetTree(state);
  state.top = now;
  const waiting: Folder[] = [];
  enterFolder(state, { path: TOP, absolute, entries: new Map() }, waiting);
  await checkFolders(state, waiting);
  state.log.forget();
}

/** Applies the reports received so far. */
async function applyReports(state: TreeState): Promise<void> {
  const { folders, reported, shared } = state;
  while (reported.size > 0) {
    const waiting: Folder[] = [];
    const now = [...reported];
    reported.clear();
    const byPlace = new Map([...folders.values()].map((folder) => [folder.absolute, folder]));
    for (const [absolute, names] of now) {
      const folder = byPlace.get(absolute);
      if (folder && folders.get(folder.path) === folder)
        for (const name of names) checkEntry(state, { folder, name }, { isReported: true, waiting });
    }
    await checkFolders(state, waiting);
  }
  findOtherNames(state);
  for (const place of [...shared.values()]) checkEntry(state, place, { isReported: false, waiting: [] });
}

/** Finds the other names of changed files: the system reports a new hard link only under its own name. */
function findOtherNames({ folders, shared, recentlyLinked }: TreeState): void {
  if (recentlyLinked.size === 0) return;
  for (const folder of folders.values()) {
    for (const { name, stats } of folder.entries.values()) {
      if (stats.isFile() && recentlyLinked.has(stats.ino))
        shared.set(path.join(folder.absolute, name), { folder, name });
    }
  }
  recentlyLinked.clear();
}
