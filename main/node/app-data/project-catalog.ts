import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Projects } from '../../core/ports/workspace.ts';
import { createCheckpointStore } from '../checkpoints/checkpoint-store.ts';
import { findStore } from '../checkpoints/owner/find-store.ts';
import { createJournalSignature, type JournalSignature } from '../journal/journal-signature.ts';
import {
  type CreatePlaytest,
  type CreateStageLink,
  type CreateTerre,
  openWorkspace,
  type WorkspaceOptions,
} from '../open-workspace.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createFolderBrowser } from '../project-fs/folder-browser.ts';
import { createFolderNames } from '../project-fs/folder-names.ts';
import {
  findLocation,
  isGame,
  locateProject,
  type ProjectLocation,
  readProjectFacts,
} from '../project-fs/locate-project.ts';
import type { FolderMatcher } from '../search/matcher.ts';
import { readGameEngine } from '../stage/game-engine.ts';
import { findTerreEngine } from '../terre/terre-engine.ts';
import { createViewerDoor } from '../viewer/viewer-door.ts';
import { createApprovalFile } from './approval-file.ts';
import { isEmptyFolder, writeNewGame } from './new-game-folder.ts';
import { createProgramFile } from './program-file/program-file.ts';
import { createRecentProjects } from './recent-projects.ts';
import { copySample } from './sample-game.ts';
import { createSessionIndexFile } from './session-index-file.ts';
import { createSkillFiles } from './skill-files.ts';
import type { UserFolders } from './user-data.ts';

const CHECKPOINTS = 'checkpoints';

/** Creates the catalogue that finds and opens the games of this machine. `sample` is the folder of the bundled sample. */
export function createProjects(options: {
  folders: UserFolders;
  sample: string;
  createStageLink: CreateStageLink;
  createPlaytest: CreatePlaytest;
  createTerre?: CreateTerre;
  /** Returns the folder of the installed Terre. */
  findTerre?: () => Promise<string | null>;
  matcher: FolderMatcher;
  snapshotRetention?: number;
}): Projects {
  const { folders, createStageLink, createPlaytest, snapshotRetention } = options;
  const names = createFolderNames(folders.data);
  const signature = createJournalSignature(folders.data);
  const recents = createRecentProjects(folders.data);
  const browse = createFolderBrowser({ names, home: folders.home });

  return {
    browse,
    identify: (folder) => names.toId(folder),
    locate: (folder) => locateProject(folder, folders.home),
    sample: ({ fresh }) => copySample({ sample: options.sample, documents: folders.documents, fresh }),

    async recents() {
      const found = await Promise.all(
        (await recents.read()).map(async (recent) => ((await isGame(recent.folder)) ? recent : null)),
      );
      // A missing one may come back with its drive: it is left out, not removed.
      return found
        .filter((recent) => recent !== null)
        .map(({ folder, title, openedAt }) => ({
          id: names.toId(folder),
          title,
          place: path.basename(path.dirname(folder)),
          openedAt,
        }));
    },

    async forgetRecent(id) {
      for (const recent of await recents.read()) {
        if (names.toId(recent.folder) === id) await recents.forget(recent.folder);
      }
    },

    emptyName: async (folder) => ((await isEmptyFolder(folder)) ? path.basename(folder) : null),
    create: writeNewGame,

    async resolve(id) {
      // After a restart a page may still have the id of a recent game that was not requested yet.
      for (const recent of await recents.read()) names.toId(recent.folder);
      return names.toFolder(id);
    },

    async open(folder) {
      const location = await findLocation(folder, folders.home);
      const [facts, engine] = await Promise.all([readProjectFacts(location), readGameEngine(location)]);
      const terreEngine = await findTerreEngine({ shape: location.shape, ...engine }, options.findTerre);
      const opened = await realpath(folder);
      const id = names.toId(opened);
      const createCheckpoints = await findCheckpoints({ data: folders.data, id, location, signature });
      const workspace = await openWorkspace({
        project: { id, folder: path.basename(location.root), shape: location.shape, ...facts, ...engine },
        ...{ location, signature, createStageLink, matcher: options.matcher },
        ...{ createPlaytest, terreEngine, ...(options.createTerre && { createTerre: options.createTerre }) },
        files: createGameFiles(folders.data, { id, rootId: names.toId(location.root), signature }),
        sessionIndex: createSessionIndexFile(folders.data, id),
        viewerDoor: createViewerDoor({ data: folders.data, game: location.root }),
        createSkillFiles: (agentFolder) => createSkillFiles(agentFolder, folders.data, id),
        createCheckpoints,
        ...(snapshotRetention !== undefined && { snapshotRetention }),
      });
      // Opening the game matters more than recording it.
      await recents.add({ folder: opened, title: facts.title, openedAt: Date.now() }).catch(() => undefined);
      return workspace;
    },
  };
}

/** Finds the kept states of a game, also of one that was moved. */
async function findCheckpoints({
  data,
  id,
  location: { root, visible },
  signature,
}: {
  data: string;
  id: string;
  location: ProjectLocation;
  signature: JournalSignature;
}): Promise<WorkspaceOptions['createCheckpoints']> {
  const agentFolder = createAgentFolder(root);
  const { store, claim } = await findStore({ stores: path.join(data, CHECKPOINTS), id, root, agentFolder, signature });
  return (game) =>
    createCheckpointStore({ ...game, signature, root, store, onKept: claim, ...(visible && { visible }) });
}

/** What the app's folder keeps of one game. */
function createGameFiles(
  data: string,
  { id, rootId, signature }: { id: string; rootId: string; signature: JournalSignature },
): WorkspaceOptions['files'] {
  return {
    reviewFile: createProgramFile(path.join(data, 'reviews'), id),
    unsavedFile: createProgramFile(path.join(data, 'unsaved'), id),
    // Named by the root: other programs may have chosen the folder in it.
    approvals: createApprovalFile(data, rootId, signature),
  };
}
