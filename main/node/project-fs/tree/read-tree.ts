import type { FileInfo } from '../../../core/ports/reader.ts';
import type { Entry, TreeState } from './tree-state.ts';

/** Lists a folder of an updated cache by path; null when the folder does not exist. */
export function listFolder(
  state: TreeState,
  folder: string,
  { recursive, unportable }: { recursive: boolean; unportable: boolean },
): FileInfo[] | null {
  const there = state.folders.get(folder);
  if (!there) return null;
  const isWanted = (entry: Entry) => unportable || !entry.unportable;
  if (!recursive) return toInfos([...there.entries.values()].filter(isWanted).sort(byPath));
  state.sorted ??= [...state.folders.values()].flatMap(({ entries }) => [...entries.values()]).sort(byPath);
  const { sorted } = state;
  // Code units after "/" begin at "0": the entries below the folder are adjacent.
  const below = sorted.slice(findInsertIndex(sorted, `${folder}/`), findInsertIndex(sorted, `${folder}0`));
  return toInfos(below.filter(isWanted));
}

/** Returns whether a project path names a file. */
export function isFile({ folders }: TreeState, listed: string): boolean {
  const slash = listed.lastIndexOf('/');
  const entries = folders.get(listed.slice(0, slash))?.entries;
  const name = listed.slice(slash + 1);
  const entry = entries?.get(name);
  if (entry) return !entry.info.isDirectory;
  // The disk may use the decomposed form.
  if (!entries || name === name.normalize('NFD')) return false;
  return [...entries.values()].some(({ info }) => info.path === listed && !info.isDirectory);
}

/** Returns the project paths of all entries. */
export function toPaths({ folders }: TreeState): string[] {
  return [...folders.values()].flatMap(({ entries }) => [...entries.values()].map(({ info }) => info.path));
}

/** Returns the index of a path, or where it would be inserted. */
function findInsertIndex(entries: readonly Entry[], wanted: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as Entry).info.path < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

function toInfos(entries: readonly Entry[]): FileInfo[] {
  return entries.map(({ info }) => info);
}

function byPath({ info: a }: Entry, { info: b }: Entry): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
