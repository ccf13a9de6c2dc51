import { AppError } from '../shared/errors.ts';
import type { Locale } from '../shared/model/local-text.ts';
import { type CheckReport, checkProject } from './core/check/check-project.ts';
import { findUserFolders } from './node/app-data/user-data.ts';
import { createJournalSignature } from './node/journal/journal-signature.ts';
import { createWriter } from './node/journal/project-writer.ts';
import { createAgentFolder } from './node/project-fs/agent-folder.ts';
import { findLocation, locateProject } from './node/project-fs/locate-project.ts';
import { createPathResolver } from './node/project-fs/path-resolver.ts';
import { createReader } from './node/project-fs/project-files.ts';
import { createSnapshotStore } from './node/snapshots/snapshot-store.ts';
import { readGameEngine } from './node/stage/game-engine.ts';
import { createSystemClock } from './node/system-clock.ts';
import { createTransactionLog } from './node/transactions/transaction-log.ts';

export interface CheckRequest {
  /** The game's folder, or a folder that contains exactly one game. */
  folder: string;
  /** The engine version to check for; null: the version that the game uses. */
  engineVersion: string | null;
  locale: Locale;
  /** The title of the safe fixes in the history; null applies no fixes. */
  fixTitle: string | null;
}

export interface CheckedProject extends CheckReport {
  /** An absolute path. */
  projectRoot: string;
  engineVersion: string;
}

/**
 * Composes the real ports for a check of a game's folder, without an app. Writes nothing unless fixes are requested. Throws
 * `E_NOT_FOUND` if there is no game, `E_BAD_ARGS` with `details.games` if there are several.
 */
export async function composeCheck(request: CheckRequest): Promise<CheckedProject> {
  const { data, home } = findUserFolders();
  const located = await locateProject(request.folder, home);
  if (located.status === 'choose') {
    const games = located.games.map(({ name }) => name);
    throw new AppError('E_BAD_ARGS', 'There are several games in the folder.', { details: { games } });
  }
  const location = await findLocation(located.folder, home);
  const own = await readGameEngine(location);
  const engineVersion = request.engineVersion ?? own.engineVersion;
  // An explicit other version excludes the engine in the game's folder.
  const engine = engineVersion === own.engineVersion ? own.engine : null;
  const visible = location.visible ? { visible: location.visible } : {};
  const reader = createReader(location.root, visible);
  const { now, id } = createSystemClock();
  const options = { engineVersion, engine, locale: request.locale };
  if (request.fixTitle === null) {
    return { projectRoot: location.root, engineVersion, ...(await checkProject({ reader, now }, options)) };
  }
  const folder = createAgentFolder(location.root);
  const resolver = createPathResolver(location.root, visible);
  const signature = createJournalSignature(data);
  const log = createTransactionLog(folder, { signature });
  const { recorder, keeper } = log;
  const snapshots = createSnapshotStore(folder, { signature, keeper });
  const writer = createWriter({ resolver, folder, snapshots, signature, recorder });
  try {
    await writer.recover();
    const fix = { group: `fix_${id()}`, title: request.fixTitle };
    const report = await checkProject({ reader, writer, now }, { ...options, fix });
    return { projectRoot: location.root, engineVersion, ...report };
  } finally {
    // Also after a refused fix: the log notes it, and no work is left behind.
    await writer.settle();
    await log.close();
  }
}
