import type { Commands } from '../core/ports/commands.ts';
import type { LocalBrowser } from '../core/ports/local-browser.ts';
import type { RotatedLog } from '../core/ports/logs.ts';
import type { Reader } from '../core/ports/reader.ts';
import type { Transactions } from '../core/ports/transactions.ts';
import type { PolicyFile } from '../core/ports/workspace.ts';
import { type AssetStore, createAssetStore } from './assets/asset-store.ts';
import { createHeadlessBrowser } from './browser/headless-browser.ts';
import { createScreenshotFolder } from './browser/screenshot-folder.ts';
import type { JournalSignature } from './journal/journal-signature.ts';
import { createWriter } from './journal/project-writer.ts';
import { createAuditLogFile } from './logs/audit-log-file.ts';
import { createCommands } from './process/commands.ts';
import { type AgentFolder, createAgentFolder } from './project-fs/agent-folder.ts';
import type { ProjectLocation } from './project-fs/locate-project.ts';
import { createPathResolver } from './project-fs/path-resolver.ts';
import { createPolicyFile } from './project-fs/policy-file.ts';
import { createReader } from './project-fs/project-files.ts';
import type { ProjectTree } from './project-fs/project-tree.ts';
import type { FolderMatcher } from './search/matcher.ts';
import { createSnapshotStore, type SnapshotStore } from './snapshots/snapshot-store.ts';
import { openTransactions } from './transactions/open-transactions.ts';
import { createTransactionLog } from './transactions/transaction-log.ts';

const AUDIT_NAME = 'audit.jsonl';

export interface ProjectFolderOptions {
  location: ProjectLocation;
  signature: JournalSignature;
  /** Where programs are found and a browser may be named; by default the process's own variables. */
  environment?: Readonly<Record<string, string | undefined>>;
  matcher: FolderMatcher;
  /** Answers for the folder `game` where it can; by default the disk is read. */
  tree?: ProjectTree;
  snapshotRetention?: number;
}

/** The services that every host needs for one game. */
export interface OpenProjectFolder {
  reader: Reader;
  writer: ReturnType<typeof createWriter>;
  snapshots: SnapshotStore;
  audit: RotatedLog;
  transactions: Transactions;
  assets: AssetStore;
  policyFile: PolicyFile;
  commands: Commands;
  browser: LocalBrowser;
  agentFolder: AgentFolder;
  /** Ends running processes and waits for pending writes. */
  close(): Promise<void>;
}

/** Creates the ports of one game. Incomplete writes of a crash are settled before the first read. */
export async function openProjectFolder(options: ProjectFolderOptions): Promise<OpenProjectFolder> {
  const { location, signature, matcher, tree, environment = process.env } = options;
  const visible = location.visible ? { visible: location.visible } : {};
  const agentFolder = createAgentFolder(location.root);
  const log = createTransactionLog(agentFolder, { signature });
  const snapshots = createSnapshotStore(agentFolder, {
    signature,
    keeper: log.keeper,
    ...(options.snapshotRetention !== undefined && { retention: options.snapshotRetention }),
  });
  const reader = createReader(location.root, { ...visible, matcher, ...(tree && { tree }) });
  const resolver = createPathResolver(location.root, visible);
  const assets = createAssetStore(agentFolder);
  const { recorder } = log;
  const writer = createWriter({ resolver, folder: agentFolder, snapshots, signature, recorder, assets });
  await writer.recover();
  const audit = createAuditLogFile({
    folder: (make) => (make ? agentFolder.make('') : agentFolder.find('')),
    ...{ name: AUDIT_NAME, signature },
  });
  const commands = createCommands({ root: location.root, reader, environment });
  const browser = createHeadlessBrowser({ environment, screenshots: createScreenshotFolder(agentFolder) });
  return {
    reader,
    writer,
    snapshots,
    assets,
    audit,
    transactions: openTransactions(log, { snapshots, resolver, folder: agentFolder }),
    policyFile: createPolicyFile(agentFolder),
    commands,
    browser,
    agentFolder,
    async close() {
      await Promise.all([commands.close(), browser.close(), writer.settle()]);
      await Promise.all([audit.close(), log.close()]);
    },
  };
}
