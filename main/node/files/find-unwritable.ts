import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import type { PathResolver } from '../project-fs/path-resolver.ts';

const AGENT_FOLDER = '.webgal_agent';
const ANY_WRITE = 0o222;

/**
 * Returns those of the files that cannot be written: read-only themselves, or in a folder where no file can be replaced. A folder of the
 * game or of the app in it that takes no file is named itself. Paths that are refused for other reasons are left out.
 */
export async function findUnwritable(resolver: PathResolver, paths: readonly string[]): Promise<string[]> {
  const root = await resolver.root();
  const found: string[] = [];
  for (const folder of [AGENT_FOLDER, 'game']) {
    if (!(await canWrite(await findNearest(path.join(root, folder))))) found.push(folder);
  }
  for (const name of new Set(paths)) {
    const target = await resolver.resolveForWriting(name).catch(() => null);
    if (!target) continue;
    const { absolute } = target.place;
    const isProtected = target.stats !== null && !(await canWrite(absolute));
    if (isProtected || !(await canWrite(await findNearest(path.dirname(absolute))))) found.push(name);
  }
  return found;
}

/** Returns the path, or the nearest folder above it that is there. */
async function findNearest(absolute: string): Promise<string> {
  if (await statOrNull(absolute)) return absolute;
  const parent = path.dirname(absolute);
  return parent === absolute ? absolute : findNearest(parent);
}

/** A file without any permission to write was protected by its owner, also where the system lets this user write. */
async function canWrite(absolute: string): Promise<boolean> {
  const stats = await statOrNull(absolute);
  if (!stats || (stats.mode & ANY_WRITE) === 0) return false;
  return access(absolute, constants.W_OK).then(
    () => true,
    () => false,
  );
}

function statOrNull(absolute: string): Promise<Stats | null> {
  return stat(absolute).catch(() => null);
}
