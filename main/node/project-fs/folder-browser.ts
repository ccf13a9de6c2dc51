import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Browsed, FolderListing } from '../../../shared/model/project.ts';
import { toIoError } from '../files/io-error.ts';
import type { FolderNames } from './folder-names.ts';
import { isGame } from './locate-project.ts';

const MAX_ENTRIES = 2000;
/** Stands for the machine, above every drive. Ids of folders are longer, so no folder id equals it. */
const MACHINE_ID = 'machine';

async function findDrives(home: string): Promise<{ folder: string; name: string }[]> {
  const start = { folder: home, name: path.basename(home) || home };
  if (process.platform !== 'win32') {
    const root = { folder: '/', name: '/' };
    const mounts: { folder: string; name: string }[] = [];
    for (const parent of ['/Volumes', '/media', `/media/${path.basename(home)}`, `/run/media/${path.basename(home)}`]) {
      const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (entry.isDirectory()) mounts.push({ folder: path.join(parent, entry.name), name: entry.name });
      }
    }
    return [start, ...mounts, root];
  }
  const letters = Array.from('CDEFGHIJKLMNOPQRSTUVWXYZAB', (letter) => `${letter}:\\`);
  const found = await Promise.all(
    letters.map((drive) =>
      stat(drive).then(
        () => drive,
        () => null,
      ),
    ),
  );
  return [start, ...found.filter((drive) => drive !== null).map((drive) => ({ folder: drive, name: drive }))];
}

/** Creates the folder chooser of a host without a dialog: folders only, hidden ones left out. It returns ids, never paths. */
export function createFolderBrowser(options: {
  names: FolderNames;
  home: string;
}): (browsed?: Browsed) => Promise<FolderListing> {
  const { names, home } = options;

  function toTrail(folder: string): FolderListing['trail'] {
    const trail: FolderListing['trail'] = [];
    for (let at = folder; ; at = path.dirname(at)) {
      trail.unshift({ id: names.toId(at), name: path.basename(at) || at });
      // The path bar starts at the home folder; other places are reached from their drive.
      if (at === home || path.dirname(at) === at) break;
    }
    return [{ id: MACHINE_ID, name: '' }, ...trail];
  }

  async function toEntry(folder: string, name: string): Promise<FolderListing['entries'][number]> {
    return { id: names.toId(folder), name, isGame: await isGame(folder) };
  }

  return async ({ id, contains = '' } = {}) => {
    const wanted = contains.toLowerCase();
    const isWanted = (name: string) => name.toLowerCase().includes(wanted);
    if (id === MACHINE_ID) {
      const drives = (await findDrives(home)).filter(({ name }) => isWanted(name));
      return {
        id: MACHINE_ID,
        trail: [{ id: MACHINE_ID, name: '' }],
        isGame: false,
        entries: await Promise.all(drives.map((drive) => toEntry(drive.folder, drive.name))),
        omitted: 0,
      };
    }
    const folder = id === undefined ? home : names.toFolder(id);
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      const folders: string[] = [];
      for (const entry of entries) {
        if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name.startsWith('$')) continue;
        if (!isWanted(entry.name)) continue;
        const isLinked = entry.isSymbolicLink();
        const target = isLinked ? await stat(path.join(folder, entry.name)).catch(() => null) : entry;
        if (target?.isDirectory()) folders.push(entry.name);
      }
      folders.sort(new Intl.Collator(undefined, { numeric: true }).compare);
      return {
        id: names.toId(folder),
        trail: toTrail(folder),
        isGame: await isGame(folder),
        entries: await Promise.all(folders.slice(0, MAX_ENTRIES).map((name) => toEntry(path.join(folder, name), name))),
        omitted: Math.max(0, folders.length - MAX_ENTRIES),
      };
    } catch (error) {
      throw toIoError(error, path.basename(folder));
    }
  };
}
