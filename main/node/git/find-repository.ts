import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { GitRefusal } from '../../../shared/model/git/git.ts';

const MAX_CONFIG_BYTES = 1024 * 1024;

/** Files of a repository by which Git reads another folder. */
const LEADING_ELSEWHERE = ['commondir', 'config.worktree', 'objects/info/alternates'];

/** Files that Git opens for each call, in `.git` and beside it: a pipe among them would keep the call until its time limit. */
const OPENED = ['HEAD', 'index', 'packed-refs', 'shallow', 'info/exclude', 'info/attributes', 'MERGE_HEAD'];
const OPENED_BESIDE = ['.gitignore', '.gitattributes', '.mailmap'];

export interface Repository {
  /** The folder that contains `.git`. */
  top: string;
  /** The folder `.git`. */
  folder: string;
  refusal: GitRefusal | null;
}

/** Finds the repository that a folder is in, as Git does. Reads no setting and runs nothing. */
export async function findRepository(root: string): Promise<Repository | null> {
  for (let top = root; ; top = path.dirname(top)) {
    const folder = path.join(top, '.git');
    const found = await lstat(folder).catch(() => null);
    // Git would take such a folder for the repository, with settings that the game chose.
    if (!found && (await isBare(top))) return { top, folder: top, refusal: 'elsewhere' };
    if (found) return { top, folder, refusal: found.isDirectory() ? await findRefusal(folder) : 'file' };
    if (path.dirname(top) === top) return null;
  }
}

async function isBare(folder: string): Promise<boolean> {
  const parts = ['HEAD', 'objects', 'refs'].map((name) => lstat(path.join(folder, name)).catch(() => null));
  return (await Promise.all(parts)).every((part) => part !== null);
}

async function findRefusal(folder: string): Promise<GitRefusal | null> {
  for (const name of LEADING_ELSEWHERE) {
    if (await lstat(path.join(folder, name)).catch(() => null)) return 'elsewhere';
  }
  // Links: `refs` and `objects` of another folder are another repository.
  for (const name of ['objects', 'refs', 'HEAD', 'config', 'index', 'info']) {
    if ((await lstat(path.join(folder, name)).catch(() => null))?.isSymbolicLink()) return 'elsewhere';
  }
  const opened = [
    ...OPENED.map((name) => path.join(folder, name)),
    ...OPENED_BESIDE.map((name) => path.join(path.dirname(folder), name)),
  ];
  for (const file of opened) {
    const stats = await lstat(file).catch(() => null);
    if (stats && !stats.isFile() && !stats.isDirectory() && !stats.isSymbolicLink()) return 'unreadable';
  }
  const config = await lstat(path.join(folder, 'config')).catch(() => null);
  return config?.isFile() && config.size <= MAX_CONFIG_BYTES ? null : 'unreadable';
}

/**
 * Returns why the settings of a repository keep it from being used. `settings` are the names that its own file has. What a
 * setting can run is turned off for each call (`git-runner.ts`); here are those that lead elsewhere or cannot be turned off.
 */
export function findConfigRefusal(settings: readonly string[]): GitRefusal | null {
  for (const setting of settings) {
    const section = setting.slice(0, setting.indexOf('.')).toLowerCase();
    const name = setting.toLowerCase();
    if (section === 'include' || section === 'includeif') return 'elsewhere';
    if (['core.worktree', 'extensions.worktreeconfig'].includes(name)) return 'elsewhere';
    // Files outside of the repository; on Windows they may lie on another computer.
    if (['core.attributesfile', 'core.excludesfile', 'commit.template', 'mailmap.file'].includes(name))
      return 'elsewhere';
    if (section === 'hook') return 'config';
    // Such a name cannot be overridden on the command line.
    if (section === 'filter' && /[=\n]/.test(setting)) return 'config';
  }
  return null;
}
