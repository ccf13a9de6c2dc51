import type { Commands, LocalBrowser, Reader, RotatedLog, RulesFile } from '../core/ports.ts';
import { type AgentFolder, createAgentFolder } from './agent-folder.ts';
import { createCommands } from './commands.ts';
import type { GameTree } from './game-tree.ts';
import { createHeadlessBrowser } from './headless-browser.ts';
import type { JournalSeal } from './journal-seal.ts';
import { createLineSeal } from './line-seal.ts';
import type { ProjectPlace } from './locate-project.ts';
import { createLogFile } from './log-file.ts';
import type { FolderMatcher } from './matcher.ts';
import { createPathResolver } from './path-resolver.ts';
import { createReader } from './project-files.ts';
import { createWriter } from './project-writer.ts';
import { createRulesFile } from './rules-file.ts';
import { createScreenshotFolder } from './screenshot-folder.ts';
import { createSnapshotStore, type SnapshotStore } from './snapshot-store.ts';

const AUDIT_NAME = 'audit.jsonl';
const AUDIT_BYTES = 8 * 1024 * 1024;
const AUDIT_KEPT = 5;

export interface GameFolderOptions {
  place: ProjectPlace;
  seal: JournalSeal;
  /** Where programs are found and a browser may be named; the process's own variables when left out. */
  environment?: Readonly<Record<string, string | undefined>>;
  matcher: FolderMatcher;
  /** Answers for the folder `game` where it can; the disk is asked when left out. */
  tree?: GameTree;
  snapshotRetention?: number;
}

/** What every host needs of one game. */
export interface OpenGameFolder {
  reader: Reader;
  writer: ReturnType<typeof createWriter>;
  snapshots: SnapshotStore;
  audit: RotatedLog;
  rules: RulesFile;
  commands: Commands;
  browser: LocalBrowser;
  agentFolder: AgentFolder;
  /** Ends what runs and waits for what is being written. */
  close(): Promise<void>;
}

/** Puts together the ports onto one game. What a crash left half written is settled before anyone reads. */
export async function openGameFolder(options: GameFolderOptions): Promise<OpenGameFolder> {
  const { place, seal, matcher, tree, environment = process.env } = options;
  const visible = place.visible ? { visible: place.visible } : {};
  const agentFolder = createAgentFolder(place.root);
  const snapshots = createSnapshotStore(agentFolder, {
    seal,
    ...(options.snapshotRetention !== undefined && { retention: options.snapshotRetention }),
  });
  const reader = createReader(place.root, { ...visible, matcher, ...(tree && { tree }) });
  const resolver = createPathResolver(place.root, visible);
  const writer = createWriter({ resolver, folder: agentFolder, snapshots, seal });
  await writer.recover();
  const audit = createLogFile({
    folder: (make) => (make ? agentFolder.make('') : agentFolder.find('')),
    name: AUDIT_NAME,
    syncsBehind: true,
    // The key is kept by the seal, so this waits for the disk once.
    seal: () => createLineSeal(seal, AUDIT_NAME),
    rotate: { bytes: AUDIT_BYTES, keep: AUDIT_KEPT },
  });
  const commands = createCommands({ root: place.root, reader, environment });
  const browser = createHeadlessBrowser({ environment, screenshots: createScreenshotFolder(agentFolder) });
  return {
    reader,
    writer,
    snapshots,
    audit,
    rules: createRulesFile(agentFolder),
    commands,
    browser,
    agentFolder,
    async close() {
      await Promise.all([commands.close(), browser.close(), writer.settle()]);
      await audit.close();
    },
  };
}
