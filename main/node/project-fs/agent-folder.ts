import { lstatSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import { isMissing, toIoError, toSystemCode } from '../files/io-error.ts';

export const AGENT_FOLDER = '.webgal_agent';

/**
 * The app's own folder inside a game. A downloaded game may contain one made by its author, so each part must be a real
 * folder: through a link the app would write its snapshots and logs to a path that the game's author chose.
 */
export interface AgentFolder {
  /** Returns the absolute path of a part such as `snapshots`; null while it does not exist. */
  find(part: string): Promise<string | null>;
  /** Returns the same path; creates the folder if it does not exist. */
  make(part: string): Promise<string>;
}

function isRealFolder(folder: string, name: string): boolean {
  try {
    if (lstatSync(folder).isDirectory()) return true;
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

/** Creates the port. No folder is created before something is stored. */
export function createAgentFolder(root: string): AgentFolder {
  let realRoot: string | undefined;

  function toFolder(part: string): string {
    try {
      realRoot ??= realpathSync.native(root);
    } catch (error) {
      throw toIoError(error, '.');
    }
    return path.join(realRoot, AGENT_FOLDER, part);
  }

  function find(part: string): string | null {
    if (!isRealFolder(toFolder(''), AGENT_FOLDER)) return null;
    const folder = toFolder(part);
    return part === '' || isRealFolder(folder, `${AGENT_FOLDER}/${part}`) ? folder : null;
  }

  function makeFolder(folder: string, name: string): void {
    try {
      mkdirSync(folder);
    } catch (error) {
      // Another process may have created it first; the next check examines what exists.
      if (toSystemCode(error) !== 'EEXIST') throw toIoError(error, name);
    }
    isRealFolder(folder, name);
  }

  return {
    find: async (part) => find(part),
    async make(part) {
      const there = find(part);
      if (there !== null) return there;
      const top = toFolder('');
      if (!isRealFolder(top, AGENT_FOLDER)) {
        makeFolder(top, AGENT_FOLDER);
        try {
          // Keeps the app's folder out of git, except for the policy file and the skills, which a team shares.
          writeFileSync(path.join(top, '.gitignore'), '*\n!policy.json\n!skills/\n!skills/*.md\n', { flag: 'wx' });
        } catch {
          // Ignored: a missing `.gitignore` only leaves the files visible to git.
        }
      }
      const folder = toFolder(part);
      if (part !== '') makeFolder(folder, `${AGENT_FOLDER}/${part}`);
      return folder;
    },
  };
}
