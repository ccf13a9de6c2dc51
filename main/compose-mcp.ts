import { createSerialQueue } from '../shared/async.ts';
import { AppError } from '../shared/errors.ts';
import { type Locale, toLocale } from '../shared/model/local-text.ts';
import { APP_VERSION } from './app-version.ts';
import type { McpStage } from './compose-mcp-stage.ts';
import { type Audit, createAudit } from './core/capability/audit/audit.ts';
import type { ToolRuntime, ToolStage } from './core/capability/define-tool.ts';
import { createDirectWriter } from './core/capability/direct-writer.ts';
import {
  createGameResources,
  type GameResources,
  SNAPSHOTS_URI,
  toChangedUris,
} from './core/capability/game-resources.ts';
import { createPolicySource } from './core/capability/policy/policy-source.ts';
import type { Confirm } from './core/capability/runner/confirm.ts';
import { createToolRunner } from './core/capability/runner/run-tool.ts';
import { type ToolListing, toToolListing } from './core/capability/to-tool-listing.ts';
import type { Lease } from './core/ports/logs.ts';
import type { Reader } from './core/ports/reader.ts';
import type { GameEngine } from './core/ports/workspace.ts';
import type { Writer } from './core/ports/writer.ts';
import type { ToolOutcome } from './core/services.ts';
import { createSettingsStore } from './node/app-data/settings-store.ts';
import { findUserPlaces } from './node/app-data/user-data.ts';
import { createLease } from './node/files/lease.ts';
import { createJournalSignature } from './node/journal/journal-signature.ts';
import { openGameFolder } from './node/open-game-folder.ts';
import { createAgentFolder } from './node/project-fs/agent-folder.ts';
import { createGameTree } from './node/project-fs/game-tree.ts';
import { findPlace, locateProject, readProjectFacts } from './node/project-fs/locate-project.ts';
import { createMatcher } from './node/search/matcher.ts';
import { readGameEngine } from './node/stage/game-engine.ts';
import { createSystemClock } from './node/system-clock.ts';
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

/** One game, open for the agent of another program. */
export interface McpGame {
  title: string;
  server: ToolRuntime['server'];
  /** The language of messages. */
  locale: Locale;
  /** Creates a session for one client. `confirm` asks the client's user; absent if the client cannot ask. */
  connect(client: { name: string; confirm?: Confirm }): Promise<McpSession>;
  /**
   * Reports changed resources and whether the list of files changed. Reads the current state first; changes after `ready`
   * are reported.
   */
  watch(listener: (change: { uris: string[]; listed: boolean }) => void): { ready: Promise<void>; unwatch: () => void };
  /** Waits for running writes and closes the folder. */
  dispose(): Promise<void>;
}

export interface McpSession {
  tools(): ToolListing[];
  /** Calls a tool. Never rejects: a failure is an outcome. */
  call(call: { name: string; input: unknown; signal: AbortSignal }): Promise<ToolOutcome>;
  resources: GameResources;
}

/** Composes the real ports and the tools for an MCP host of a game's folder, without a page. */
export async function composeMcp(options: McpOptions): Promise<McpGame> {
  const { environment, onFault } = options;
  const places = findUserPlaces(environment);
  const settings = createSettingsStore(places.data);
  const chosen = await settings.read();
  const locale = toChosenLocale(environment, chosen.locale);
  const folder = await findGame(options.folder, places.home);
  const place = await findPlace(folder, places.home);
  const facts = await readProjectFacts(place);
  // A built engine in the game's folder exceeds one megabyte, so it is read by the first tool that needs it.
  let engine: Promise<GameEngine> | undefined;
  const agentFolder = createAgentFolder(place.root);
  const lock = createLease({
    folder: (make) => (make ? agentFolder.make('') : agentFolder.find('')),
    name: 'agent.lock',
    owner: 'webgal-agent mcp',
    version: APP_VERSION,
  });
  // A host that writes without confirmation holds the lease from the start; others acquire it for each write.
  if (options.allowsWriting) await lock.take();
  const matcher = createMatcher();
  const tree = createGameTree(place.root);
  const workspace = await openGameFolder({
    place,
    signature: createJournalSignature(places.data),
    matcher,
    tree,
    ...(options.snapshotRetention !== null && { snapshotRetention: options.snapshotRetention }),
  });
  const clock = createSystemClock();
  let stage: Promise<McpStage> | undefined;
  /** Imported at the first preview: the stage server is half of the program, and most sessions never use it. */
  const openStage = () => {
    stage ??= import('./compose-mcp-stage.ts').then(({ openMcpStage }) =>
      openMcpStage({
        kind: options.preview,
        root: place.root,
        engineDirectory: `${options.resources}/engine`,
        environment,
        locale,
        reader: workspace.reader,
        commands: workspace.commands,
      }),
    );
    return stage;
  };
  const lazyStage: ToolStage = { preview: async (...request) => (await openStage()).preview(...request) };
  const record = createAudit(workspace.audit);
  const audit: Audit = {
    record: (call) => record.record(call),
    async ready() {
      const found = await record.ready();
      if (found.setAside === null) return found;
      onFault({ where: 'audit log', error: `A foreign file in its place was renamed to ${found.setAside}.` });
      return found;
    },
  };

  return {
    title: facts.title,
    server: { name: SERVER_NAME, version: APP_VERSION },
    locale,
    async connect({ name, confirm }) {
      const trace = clock.id();
      const writer = createDirectWriter({
        writer: createLockedWriter(workspace.writer, { lock, keeps: options.allowsWriting }),
        label: (paths) => ({ group: `mcp_${clock.id()}`, title: `${name}: ${paths.join(', ')}`.slice(0, 200) }),
      });
      const policy = await createPolicySource({
        rules: workspace.rules,
        tools,
        settings: () => settings.read(),
        host: () => ({
          writes: options.allowsWriting ? 'allowed' : confirm ? 'ask' : 'refused',
          developerMode: options.developerMode,
          developerCalls: confirm ? 'ask' : 'allowed',
        }),
        onRules: ({ broken }) => {
          if (broken) onFault({ where: broken.file, error: broken.problem });
        },
      });
      const listOffered = () => {
        const offered = new Set(runner.list('act').map((tool) => tool.name));
        return tools.filter((tool) => offered.has(tool.name));
      };
      const { reader, snapshots, commands, browser } = workspace;
      const runtime: ToolRuntime = {
        projectRoot: place.root,
        server: { name: SERVER_NAME, version: APP_VERSION },
        tools: listOffered,
        developerMode: () => policy.current().project.developerMode,
        closedFolders: () => policy.current().project.closedFolders,
        leaves() {
          const { project, maxReadBytes } = policy.current();
          return { allowedCommands: project.allowedCommands, maxReadBytes };
        },
      };
      const runner = createToolRunner({
        tools,
        ports: { reader, writer, snapshots, matcher, stage: lazyStage, clock, runtime, commands, browser },
        audit,
        policy: policy.current,
        refresh: policy.refresh,
        ...(confirm && { confirm }),
        isStrict: true,
        locale: () => locale,
        engine: () => (engine ??= readGameEngine(place)),
        clock,
        onFault: ({ tool, error }) => onFault({ where: `tool ${tool}`, error }),
      });
      return {
        tools: () => listOffered().map((tool) => toToolListing(tool, locale)),
        call: ({ name: tool, input, signal }) =>
          runner.run({ id: clock.id(), name: tool, input, mode: 'act', trace, signal }),
        resources: createGameResources({ runner, locale: () => locale, id: clock.id }),
      };
    },
    watch(listener) {
      const { reader, snapshots } = workspace;
      const report = (error: unknown) => onFault({ where: 'watching the game', error });
      const findNewest = async () => (await snapshots.list({ limit: 1 }))[0]?.id;
      const known = new Map<string, boolean>();
      let newest: string | undefined;
      // In sequence, because each report is compared with the previous state.
      const reports = createSerialQueue();
      const unwatch = tree.watch((paths) => {
        const uris = toChangedUris(paths);
        if (uris.length === 0) return;
        reports
          .run(async () => {
            const listed = await isListChanged(reader, { paths, known });
            const latest = await findNewest();
            if (latest !== newest) uris.push(SNAPSHOTS_URI);
            newest = latest;
            listener({ uris, listed });
          })
          .catch(report);
      });
      const ready = reports
        .run(async () => {
          await listFiles(reader, known);
          newest = await findNewest();
        })
        .catch(report);
      return { ready, unwatch };
    },
    async dispose() {
      tree.close();
      await (await stage?.catch(() => undefined))?.close();
      await workspace.close();
      await matcher.close();
      await lock.release();
    },
  };
}

/** Creates a writer that writes only while holding the lease, so that a second process gets `E_CONFLICT`. */
function createLockedWriter(writer: Writer, { lock, keeps }: { lock: Lease; keeps: boolean }): Writer {
  const queue = createSerialQueue();
  return {
    apply: (changes, label) =>
      queue.run(async () => {
        await lock.assertHeld();
        try {
          return await writer.apply(changes, label);
        } finally {
          if (!keeps) await lock.release();
        }
      }),
  };
}

/** Records the existing files. */
async function listFiles(reader: Reader, known: Map<string, boolean>): Promise<void> {
  for (const { path } of await reader.list('game', { recursive: true })) known.set(path, true);
}

/** Returns true if a file was created or deleted since the last call; an unknown file counts as created. */
async function isListChanged(
  reader: Reader,
  { paths, known }: { paths: readonly string[]; known: Map<string, boolean> },
): Promise<boolean> {
  let changed = false;
  for (const path of paths) {
    const isThere = (await reader.stat(path)) !== null;
    if ((known.get(path) ?? false) !== isThere) changed = true;
    known.set(path, isThere);
  }
  return changed;
}

async function findGame(folder: string, home: string): Promise<string> {
  const located = await locateProject(folder, home);
  if (located.status === 'game') return located.folder;
  const games = located.games.map(({ name }) => name);
  throw new AppError('E_BAD_ARGS', 'There are several games in the folder.', { details: { games } });
}

/** Returns the language: `WEBGAL_AGENT_LANG` (zh or en), else the app's setting, else the system's language. */
function toChosenLocale(environment: McpOptions['environment'], chosen: Locale | null): Locale {
  const asked = environment.WEBGAL_AGENT_LANG;
  if (asked) return toLocale(asked);
  return chosen ?? toLocale(Intl.DateTimeFormat().resolvedOptions().locale);
}
