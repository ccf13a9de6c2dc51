import type { Project } from '../../shared/model/project.ts';
import type { Reader } from '../core/ports/reader.ts';
import type { StageLink } from '../core/ports/stage-link.ts';
import type { Checkpoints } from '../core/ports/stores/checkpoints.ts';
import type { SkillFiles } from '../core/ports/stores/skill-files.ts';
import type { ReviewFile, Workspace } from '../core/ports/workspace.ts';
import type { SessionIndexFile } from './app-data/session-index-file.ts';
import { createSessionLogs } from './logs/session-logs.ts';
import { createSessionPictures } from './logs/session-pictures.ts';
import { openProjectFolder, type ProjectFolderOptions } from './open-project-folder.ts';
import type { AgentFolder } from './project-fs/agent-folder.ts';
import { createFileWatcher } from './project-fs/file-watcher.ts';
import { createPathResolver, type PathResolver } from './project-fs/path-resolver.ts';
import { readProjectBytes } from './project-fs/project-files.ts';
import { createProjectTree } from './project-fs/project-tree.ts';

export type CreateStageLink = (location: { root: string; reader: Reader }) => StageLink & { close(): Promise<void> };

/** Creates everything that is bound to one game in a host with a page. */
export async function openWorkspace(
  options: ProjectFolderOptions & {
    project: Project;
    createStageLink: CreateStageLink;
    reviewFile: ReviewFile & { close(): Promise<void> };
    sessionIndex: SessionIndexFile;
    createSkillFiles: (agentFolder: AgentFolder) => SkillFiles;
    createCheckpoints: (game: { resolver: PathResolver; agentFolder: AgentFolder }) => Checkpoints;
  },
): Promise<Workspace> {
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
  const stage = options.createStageLink({ root: location.root, reader: ports.reader });
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
    checkpoints,
    stage,
    reviewFile: options.reviewFile,
    skillFiles: options.createSkillFiles(agentFolder),
    watch(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
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
      await Promise.all([close(), watcher.close(), stage.close(), sessions.close(), options.reviewFile.close()]);
    },
  };
}
