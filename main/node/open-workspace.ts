import type { Project } from '../../shared/model/project.ts';
import type { PlaytestPorts } from '../core/ports/engine-pages.ts';
import type { Reader } from '../core/ports/reader.ts';
import type { StageLink } from '../core/ports/stage-link.ts';
import type { ApprovalStore } from '../core/ports/stores/approval-store.ts';
import type { Checkpoints } from '../core/ports/stores/checkpoints.ts';
import type { SkillFiles } from '../core/ports/stores/skill-files.ts';
import type { ViewerDoor } from '../core/ports/viewer/viewer-door.ts';
import type { ProgramFile, Workspace } from '../core/ports/workspace.ts';
import type { SessionIndexFile } from './app-data/session-index-file.ts';
import { withGameFiles } from './assets/asset-store.ts';
import { findUnwritable } from './files/find-unwritable.ts';
import { createProjectGit } from './git/project-git.ts';
import { createSessionLogs } from './logs/session-logs.ts';
import { createSessionPictures } from './logs/session-pictures.ts';
import { openProjectFolder, type ProjectFolderOptions } from './open-project-folder.ts';
import { createSavedPlanFiles } from './plans/saved-plan-files.ts';
import type { AgentFolder } from './project-fs/agent-folder.ts';
import { createFileWatcher } from './project-fs/file-watcher.ts';
import { createPathResolver, type PathResolver } from './project-fs/path-resolver.ts';
import { readProjectBytes } from './project-fs/project-files.ts';
import { createProjectTree } from './project-fs/project-tree.ts';
import { findOwnEngine, type OwnEngine } from './stage/game-engine.ts';
import type { TerreEngine } from './terre/terre-engine.ts';
import type { GameInTerre } from './terre/terre-preview.ts';

export type CreateStageLink = (location: {
  root: string;
  reader: Reader;
  ownEngine?: string;
  isNamedOnly?: boolean;
  findInTerre?: GameInTerre['find'];
}) => StageLink & { close(): Promise<void> };

export type CreateTerre = (location: { root: string }) => GameInTerre;

interface Closing {
  close(): Promise<void>;
}

export type WorkspaceOptions = ProjectFolderOptions &
  EngineParts & {
    project: Project;
    createTerre?: CreateTerre;
    terreEngine?: TerreEngine | null;
    /** What the app's folder keeps of the game. */
    files: Record<'reviewFile' | 'unsavedFile', ProgramFile & Closing> & { approvals: ApprovalStore & Closing };
    sessionIndex: SessionIndexFile;
    viewerDoor: ViewerDoor;
    createSkillFiles: (agentFolder: AgentFolder) => SkillFiles;
    createCheckpoints: (game: { resolver: PathResolver; agentFolder: AgentFolder }) => Checkpoints;
  };

export type CreatePlaytest = (game: { root: string; findOwn: () => Promise<OwnEngine | null> }) => PlaytestPorts;

/** What runs the engine for one game. */
export interface EngineParts {
  createStageLink: CreateStageLink;
  createPlaytest: CreatePlaytest;
}

/** Creates everything that is bound to one game in a host with a page. */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { project, location } = options;
  const visible = location.visible ? { visible: location.visible } : {};
  const tree = createProjectTree(location.root);
  const { agentFolder, close, ...ports } = await openProjectFolder({ ...options, tree });
  // In the background, so that the first write does not wait for thousands of snapshots. That write retries what fails
  // here.
  ports.snapshots.prepare().catch(() => undefined);
  const sessions = createSessionLogs(agentFolder, options.signature, options.sessionIndex);
  sessions.purge().catch(() => undefined);
  const resolver = createPathResolver(location.root, visible);
  const readFile = async (path: string, maxBytes: number) =>
    (await readProjectBytes(resolver, path, { maxBytes }))?.bytes ?? null;
  const checkpoints = options.createCheckpoints({ resolver, agentFolder });
  const own = await findOwn(options);
  const { stage, ...others } = openStage(options, { own, reader: ports.reader });
  const git = createProjectGit({ root: location.root, environment: options.environment ?? process.env });
  const listeners = new Set<(paths: string[]) => void>();
  const pollingListeners = new Set<() => void>();
  const leftOutListeners = new Set<() => void>();
  let isPolling = false;
  let isLeftOut = false;
  const watcher = createFileWatcher(location.root, {
    ...visible,
    onPolling: () => {
      isPolling = true;
      for (const listener of pollingListeners) listener();
    },
    onLeftOut: () => {
      isLeftOut = true;
      for (const listener of leftOutListeners) listener();
    },
    onPaths: (paths) => {
      for (const listener of listeners) listener(paths);
    },
  });
  await watcher.ready;
  return {
    project,
    ...ports,
    sessions,
    pictures: createSessionPictures(agentFolder, readFile),
    assets: withGameFiles(ports.assets, readFile),
    ...{ checkpoints, git, stage, playtest: options.createPlaytest({ root: location.root, findOwn: async () => own }) },
    ...others,
    ...options.files,
    viewerDoor: options.viewerDoor,
    skillFiles: options.createSkillFiles(agentFolder),
    savedPlans: createSavedPlanFiles(agentFolder, options),
    findUnwritable: (paths) => findUnwritable(resolver, paths),
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onPolling(listener) {
      pollingListeners.add(listener);
      if (isPolling) listener();
    },
    onLeftOut(listener) {
      leftOutListeners.add(listener);
      if (isLeftOut) listener();
    },
    async close() {
      pollingListeners.clear();
      leftOutListeners.clear();
      listeners.clear();
      tree.close();
      // It reads the game, and may be in the middle of a large file.
      await checkpoints.close();
      const parts = [git, watcher, stage, others.terre, sessions, ...Object.values(options.files)];
      await Promise.all([close(), ...parts.map((part) => part?.close())]);
    },
  };
}

/** The engine that can play the game beside the app's: the game's own where it has one that can run, else that of Terre. */
async function findOwn({ project, location, terreEngine }: WorkspaceOptions) {
  const own = await findOwnEngine(location, project);
  if (own) return { ...own, from: 'game' as const };
  return terreEngine ? { ...terreEngine, from: 'terre' as const } : null;
}

/** Opens what plays the game: the app's stage, on the game's own engine where it has one that can run, and Terre. */
function openStage(
  { location: { root }, createStageLink, createTerre }: WorkspaceOptions,
  { own, reader }: { own: Awaited<ReturnType<typeof findOwn>>; reader: Reader },
) {
  const terre = createTerre?.({ root });
  const game = { ...{ root, reader }, ...(own && { ownEngine: own.folder }) };
  return {
    stage: createStageLink({ ...game, ...(terre && { findInTerre: terre.find }) }),
    openStageBeside: () => createStageLink({ ...game, isNamedOnly: true }),
    ...(own && { ownEngine: { version: own.version, from: own.from } }),
    ...(terre && { terre }),
  };
}
