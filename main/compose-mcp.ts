import { AppError } from '../shared/errors.ts';
import { type Locale, readSystemLocale, toLocale } from '../shared/model/local-text.ts';
import { APP_VERSION } from './app-version.ts';
import type { McpStage, openMcpStage } from './compose-mcp-stage.ts';
import { createAudit, createReportingAudit } from './core/capability/audit/audit.ts';
import { createCapabilitySet } from './core/capability/catalog/capability-set.ts';
import { type ClientSession, createClientSession } from './core/capability/client/client-session.ts';
import { createLockedWriter } from './core/capability/client/locked-writer.ts';
import { type ResourceChange, type ResourceWatch, watchResources } from './core/capability/client/watch-resources.ts';
import type { Confirm } from './core/capability/runner/confirm.ts';
import type { ToolRuntime } from './core/capability/tool-runtime.ts';
import type { PlaytestPorts } from './core/ports/engine-pages.ts';
import type { GameEngine } from './core/ports/workspace.ts';
import { createApprovalFile } from './node/app-data/approval-file.ts';
import { createSettingsStore } from './node/app-data/settings-store.ts';
import { findUserFolders } from './node/app-data/user-data.ts';
import { createLease } from './node/files/lease.ts';
import { createJournalSignature } from './node/journal/journal-signature.ts';
import { openProjectFolder } from './node/open-project-folder.ts';
import type { createPlaytestPorts } from './node/playtest/playtest-ports.ts';
import { createAgentFolder } from './node/project-fs/agent-folder.ts';
import { createFolderNames } from './node/project-fs/folder-names.ts';
import { findGameAmong, findLocation, locateProject, readProjectFacts } from './node/project-fs/locate-project.ts';
import { createProjectTree } from './node/project-fs/project-tree.ts';
import { createMatcher } from './node/search/matcher.ts';
import { findOwnEngine, readGameEngine } from './node/stage/game-engine.ts';
import { isIdleTalk } from './node/stage/link/engine-noise.ts';
import { createSystemClock } from './node/system-clock.ts';
import { createRemoteViewer } from './node/viewer/remote-viewer.ts';
import { tools } from './tools/index.ts';

/** The name reported to clients and by `get_runtime_info`. */
const SERVER_NAME = 'webgal-agent';

export interface McpOptions {
  /** The game's folder, or a folder that contains exactly one game. */
  folder: string;
  /** True if writes are applied without confirmation. */
  allowsWriting: boolean;
  /** True if commands and a browser are available. */
  developerMode: boolean;
  /** Number of texts kept per file; null: the app's default. */
  snapshotRetention: number | null;
  preview: 'embedded' | 'terre' | 'dev';
  /** The build output folder, which contains `engine/`. */
  resources: string;
  environment: Readonly<Record<string, string | undefined>>;
  onFault: (fault: { where: string; error: unknown }) => void;
}

/** What a host tells its client, also before a game is open. */
export interface McpFacts {
  server: ToolRuntime['server'];
  /** The language of messages. */
  locale: Locale;
}

export async function readMcpFacts(environment: McpOptions['environment']): Promise<McpFacts> {
  const settings = createSettingsStore(findUserFolders(environment).data);
  return {
    server: { name: SERVER_NAME, version: APP_VERSION },
    locale: toChosenLocale(environment, (await settings.read()).locale),
  };
}

/** One game, open for the agent of another program. */
export interface McpProject {
  title: string;
  /** The real path of its folder. */
  root: string;
  /** Creates a session for one client, or for a single call. `confirm` asks the client's user; absent if the client cannot ask. */
  connect(client: { name: string; confirm?: Confirm; isOneCall?: boolean }): Promise<McpSession>;
  /** Reports changed resources. Reads the current state first; changes after `ready` are reported. */
  watch(listener: (change: ResourceChange) => void): ResourceWatch;
  /** Waits for running writes and closes the folder. */
  dispose(): Promise<void>;
}

/** Hosts receive the parts of the core that they need, because they must not import them. */
export type McpSession = ClientSession;

/** Composes the real ports and the tools for an MCP host of a game's folder, without a page. */
export async function composeMcp(options: McpOptions): Promise<McpProject> {
  const { environment, allowsWriting, developerMode, onFault } = options;
  const { server, locale } = await readMcpFacts(environment);
  const folders = findUserFolders(environment);
  const settings = createSettingsStore(folders.data);
  const folder = await findGame(options.folder, folders.home);
  const location = await findLocation(folder, folders.home);
  const facts = await readProjectFacts(location);
  const agentFolder = createAgentFolder(location.root);
  const lock = createLease({
    folder: (make) => (make ? agentFolder.make('') : agentFolder.find('')),
    name: 'agent.lock',
    owner: 'webgal-agent mcp',
    version: APP_VERSION,
  });
  // A host that writes without confirmation holds the lease from the start; others acquire it for each write.
  if (allowsWriting) await lock.take();
  const matcher = createMatcher();
  const tree = createProjectTree(location.root);
  const signature = createJournalSignature(folders.data);
  // Named by the root of the game, as in the app, whichever of its folders was chosen.
  const approvals = createApprovalFile(folders.data, createFolderNames(folders.data).toId(location.root), signature);
  const workspace = await openProjectFolder({
    ...{ location, signature },
    matcher,
    tree,
    ...(options.snapshotRetention !== null && { snapshotRetention: options.snapshotRetention }),
  });
  const clock = createSystemClock();
  const audit = createReportingAudit(createAudit(workspace.audit), onFault);
  const place = { root: location.root, engineDirectory: `${options.resources}/engine`, environment };
  const stage = createDeferredStage({
    ...{ kind: options.preview, ...place, locale },
    ...{ reader: workspace.reader, commands: workspace.commands },
  });
  const findOwn = async () => findOwnEngine(location, await toEngine());
  const playtest = { engine: createDeferredPlaytest({ ...place, findOwn, locale: () => locale }), texts: noTexts };
  // A built engine in the game's folder exceeds one megabyte, so it is read by the first tool that needs it.
  let engine: Promise<GameEngine> | undefined;
  const { reader, snapshots, commands, browser, policyFile } = workspace;
  const toEngine = () => (engine ??= readGameEngine(location));
  const writer = createLockedWriter(workspace.writer, { lock, keeps: allowsWriting });
  return {
    title: facts.title,
    root: location.root,
    connect: (client) =>
      createClientSession({
        ...client,
        ...{ clock, audit, policyFile, server, locale, allowsWriting, developerMode, onFault },
        tools: createCapabilitySet(tools),
        ports: { reader, writer, snapshots, matcher, stage, clock, commands, browser, playtest },
        viewer: createRemoteViewer({ data: folders.data, game: location.root }),
        approvalStore: approvals,
        settings: () => settings.read(),
        engine: toEngine,
        projectRoot: location.root,
      }),
    watch: (listener) =>
      watchResources(
        {
          reader,
          snapshots,
          watch: tree.watch,
          approvals,
          onError: (error) => onFault({ where: 'watching the game', error }),
        },
        listener,
      ),
    async dispose() {
      tree.close();
      await approvals.close();
      await stage.close();
      await workspace.close();
      await matcher.close();
      await lock.release();
    },
  };
}

/** Imports the stage at the first preview: its server is half of the program, and most sessions never use it. */
function createDeferredStage(options: Parameters<typeof openMcpStage>[0]): McpStage {
  let opened: Promise<McpStage> | undefined;
  const open = () => (opened ??= import('./compose-mcp-stage.ts').then((module) => module.openMcpStage(options)));
  return {
    preview: async (...request) => (await open()).preview(...request),
    async close() {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/** Here nothing is drafted: every write reaches the disk. */
const noTexts = () => new Map<string, string>();

/** Imports the engine's server and browser at the first playtest. */
function createDeferredPlaytest(options: Parameters<typeof createPlaytestPorts>[0]): PlaytestPorts {
  let created: Promise<PlaytestPorts> | undefined;
  const create = () =>
    (created ??= import('./node/playtest/playtest-ports.ts').then((module) => module.createPlaytestPorts(options)));
  return {
    pages: { open: async (...request) => (await create()).pages.open(...request) },
    engines: {
      own: async () => (await create()).engines.own(),
      order: async () => (await create()).engines.order(),
    },
    openStage: async (...which) => (await create()).openStage(...which),
    isIdleTalk,
  };
}

/** Returns the folder of the one game that a client has open; throws as `findGameAmong` does. */
export function findOpenGame(
  folders: readonly string[] | null,
  environment: McpOptions['environment'],
): Promise<string> {
  return findGameAmong(folders, findUserFolders(environment).home);
}

async function findGame(folder: string, home: string): Promise<string> {
  const located = await locateProject(folder, home);
  if (located.status === 'game') return located.folder;
  const games = located.games.map(({ name }) => name);
  throw new AppError('E_BAD_ARGS', 'There are several games in the folder.', { details: { games } });
}

/** Returns the language: `WEBGAL_AGENT_LANG` (zh, en or ja), else the app's setting, else the system's language. */
function toChosenLocale(environment: McpOptions['environment'], chosen: Locale | null): Locale {
  const asked = environment.WEBGAL_AGENT_LANG;
  if (asked) return toLocale(asked);
  return chosen ?? toLocale(readSystemLocale());
}
