import type { Project } from '../../shared/model/project.ts';
import type { Reader, StageLink, Workspace } from '../core/ports.ts';
import { createAgentFolder } from './agent-folder.ts';
import { createCommands } from './commands.ts';
import { createFileWatcher } from './file-watcher.ts';
import { createHeadlessBrowser } from './headless-browser.ts';
import type { JournalSeal } from './journal-seal.ts';
import type { ProjectPlace } from './locate-project.ts';
import { createLogFile } from './log-file.ts';
import type { FolderMatcher } from './matcher.ts';
import { createPathResolver } from './path-resolver.ts';
import { createReader } from './project-files.ts';
import { createWriter } from './project-writer.ts';
import { createRulesFile } from './rules-file.ts';
import { createScreenshotFolder } from './screenshot-folder.ts';
import { createSessionLogs } from './session-logs.ts';
import { createSnapshotStore } from './snapshot-store.ts';

const AUDIT_BYTES = 8 * 1024 * 1024;
const AUDIT_KEPT = 5;

export type CreateStageLink = (place: { root: string; reader: Reader }) => StageLink & { close(): Promise<void> };

/**
 * Puts together everything that is bound to one game. What a crash left half written is settled before anyone reads.
 */
export async function openWorkspace(options: {
  project: Project;
  place: ProjectPlace;
  createStageLink: CreateStageLink;
  seal: JournalSeal;
  /** Where programs are found and a browser may be named; the process's own variables when left out. */
  environment?: Readonly<Record<string, string | undefined>>;
  matcher: FolderMatcher;
  snapshotRetention?: number;
}): Promise<Workspace> {
  const { project, place, environment = process.env } = options;
  const visible = place.visible ? { visible: place.visible } : {};
  const folder = createAgentFolder(place.root);
  const snapshots = createSnapshotStore(folder, {
    seal: options.seal,
    ...(options.snapshotRetention !== undefined && { retention: options.snapshotRetention }),
  });
  const reader = createReader(place.root, { ...visible, matcher: options.matcher });
  const writer = createWriter({
    resolver: createPathResolver(place.root, visible),
    folder,
    snapshots,
    seal: options.seal,
  });
  await writer.recover();
  // Meanwhile, so that her first write does not wait for thousands of them. What fails is tried again by that write.
  snapshots.prepare().catch(() => undefined);
  const sessions = createSessionLogs(folder, options.seal);
  const audit = createLogFile({
    folder: (make) => (make ? folder.make('') : folder.find('')),
    name: 'audit.jsonl',
    syncsBehind: true,
    rotate: { bytes: AUDIT_BYTES, keep: AUDIT_KEPT },
  });
  const stage = options.createStageLink({ root: place.root, reader });
  const commands = createCommands({ root: place.root, reader, environment });
  const browser = createHeadlessBrowser({ environment, screenshots: createScreenshotFolder(folder) });
  const listeners = new Set<(paths: string[]) => void>();
  const pollingListeners = new Set<() => void>();
  let isPolling = false;
  const watcher = createFileWatcher(place.root, {
    ...visible,
    onPolling: () => {
      isPolling = true;
      for (const listener of pollingListeners) listener();
    },
    onPaths: (paths) => {
      for (const listener of listeners) listener(paths);
    },
  });
  await watcher.ready;
  return {
    project,
    reader,
    writer,
    snapshots,
    sessions,
    audit,
    rules: createRulesFile(folder),
    stage,
    commands,
    browser,
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
    async close() {
      pollingListeners.clear();
      listeners.clear();
      await Promise.all([commands.close(), browser.close(), writer.settle()]);
      await Promise.all([watcher.close(), stage.close(), sessions.close(), audit.close()]);
    },
  };
}
