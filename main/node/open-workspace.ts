import type { Project } from '../../shared/model/project.ts';
import type { Reader, StageLink, Workspace } from '../core/ports.ts';
import { createAgentFolder } from './agent-folder.ts';
import { createFileWatcher } from './file-watcher.ts';
import type { JournalSeal } from './journal-seal.ts';
import type { ProjectPlace } from './locate-project.ts';
import { createLogFile } from './log-file.ts';
import { createPathResolver } from './path-resolver.ts';
import { createReader } from './project-files.ts';
import { createWriter } from './project-writer.ts';
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
  snapshotRetention?: number;
}): Promise<Workspace> {
  const { project, place } = options;
  const visible = place.visible ? { visible: place.visible } : {};
  const folder = createAgentFolder(place.root);
  const snapshots = createSnapshotStore(
    folder,
    options.snapshotRetention === undefined ? {} : { retention: options.snapshotRetention },
  );
  const reader = createReader(place.root, visible);
  const writer = createWriter({
    resolver: createPathResolver(place.root, visible),
    folder,
    snapshots,
    seal: options.seal,
  });
  await writer.recover();
  const sessions = createSessionLogs(folder);
  const audit = createLogFile({
    folder: (make) => (make ? folder.make('') : folder.find('')),
    name: 'audit.jsonl',
    rotate: { bytes: AUDIT_BYTES, keep: AUDIT_KEPT },
  });
  const stage = options.createStageLink({ root: place.root, reader });
  const listeners = new Set<(paths: string[]) => void>();
  const watcher = createFileWatcher(place.root, {
    ...visible,
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
    stage,
    watch(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    async close() {
      listeners.clear();
      await writer.settle();
      await Promise.all([watcher.close(), stage.close(), sessions.close(), audit.close()]);
    },
  };
}
