import { lstat, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { isMissing, toIoError, toSystemCode } from './io-error.ts';

export const AGENT_FOLDER = '.webgal_agent';

/**
 * The app's own folder inside a game. A downloaded game may bring one of its own making, so each part must be a real
 * folder: through a link the app would write its snapshots and logs wherever the game's maker wished.
 */
export interface AgentFolder {
  /** The absolute path of a part such as `snapshots`; null while it does not exist. */
  find(part: string): Promise<string | null>;
  /** The same, made if need be. */
  make(part: string): Promise<string>;
}

async function isRealFolder(folder: string, name: string): Promise<boolean> {
  try {
    if ((await lstat(folder)).isDirectory()) return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw toIoError(error, name);
  }
  throw new AppError('E_DENY_PATH', `"${name}" in the project is a link or a file where the app's folder should be.`, {
    details: { path: name },
    hint: 'Rename or remove it, then try again.',
    reason: 'project.agentFolder',
  });
}

/** `root` is the project's real folder. Nothing is made until something is kept. */
export function createAgentFolder(root: string): AgentFolder {
  const top = path.join(root, AGENT_FOLDER);
  /** Seen to be a real folder by this process. A game cannot bring a link any more; only someone at the machine could. */
  let topIsReal = false;

  async function find(part: string): Promise<string | null> {
    const folder = path.join(top, part);
    topIsReal ||= await isRealFolder(top, AGENT_FOLDER);
    if (!topIsReal) return null;
    return (await isRealFolder(folder, `${AGENT_FOLDER}/${part}`)) ? folder : null;
  }

  async function makeFolder(folder: string, name: string): Promise<void> {
    try {
      await mkdir(folder);
    } catch (error) {
      // Someone may have been faster; what stands there is looked at next.
      if (toSystemCode(error) !== 'EEXIST') throw toIoError(error, name);
    }
    await isRealFolder(folder, name);
  }

  return {
    find,
    async make(part) {
      const folder = path.join(top, part);
      if (await find(part)) return folder;
      topIsReal = await isRealFolder(top, AGENT_FOLDER);
      if (!topIsReal) {
        await makeFolder(top, AGENT_FOLDER);
        // Keeps the app's folder out of the history of those who use git. A failure costs nothing but tidiness.
        await writeFile(path.join(top, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => undefined);
      }
      if (part !== '') await makeFolder(folder, `${AGENT_FOLDER}/${part}`);
      return folder;
    },
  };
}
