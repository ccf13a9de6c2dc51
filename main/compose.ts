import type { Input, Output } from '../shared/contract.ts';
import type { Reply } from '../shared/errors.ts';
import { toLocale } from '../shared/model/local-text.ts';
import { APP_VERSION } from './app-version.ts';
import { openStages, type Stages } from './compose-stages.ts';
import type { TurnLimits } from './core/agent/loop/turn-guards.ts';
import { type App, createApp, type Fault } from './core/app.ts';
import type { ScriptPages } from './core/ports/engine-pages.ts';
import type { Host } from './core/ports/host.ts';
import type { Updates } from './core/ports/updates.ts';
import { createApiServer } from './node/api/api-server.ts';
import { createAppAuditLog } from './node/app-data/app-audit-log.ts';
import { createProjects } from './node/app-data/project-catalog.ts';
import { createRiskStore } from './node/app-data/risk-file.ts';
import { createKeychain, createSecrets } from './node/app-data/secrets.ts';
import { createSettingsStore } from './node/app-data/settings-store.ts';
import { createSpendingStore } from './node/app-data/spending-file.ts';
import { findUserFolders } from './node/app-data/user-data.ts';
import { createModels } from './node/models/create-models.ts';
import type { StepTimeouts } from './node/models/silence-timer.ts';
import { createPlaytestPorts } from './node/playtest/playtest-ports.ts';
import { createProviderGateway } from './node/providers/gateway/gateway.ts';
import { createMcpServers } from './node/providers/mcp/mcp-servers.ts';
import { createProviderSecrets } from './node/providers/provider-secrets.ts';
import { createMatcher } from './node/search/matcher.ts';
import { createStageLink } from './node/stage/link/stage-link.ts';
import { createSystemClock } from './node/system-clock.ts';
import { createTerreClient } from './node/terre/terre-client.ts';
import { createTerre } from './node/terre/terre-preview.ts';
import { createTerreProgram } from './node/terre/terre-program.ts';
import { tools } from './tools/index.ts';

export interface ComposeOptions {
  host: Host;
  /** The build output folder, which contains `engine/` and `sample-game/`. */
  resources: string;
  /** The process's environment variables, which determine the app's own folders. */
  environment: Readonly<Record<string, string | undefined>>;
  /** The server started by `openStages`; started here if absent. Closed with the app. */
  stages?: Stages;
  /** The host's `fetch`, if it supports the system's proxies and certificates. */
  fetch?: typeof fetch;
  /** How the host opens pages for playtests; default: the browser of this computer. */
  enginePages?: ScriptPages;
  /** Updates of the app, if the host can install them. */
  updates?: Updates;
  /** Limits of the assistant instead of the standard ones; tests use short pauses and low limits. */
  limits?: { turn?: Partial<TurnLimits>; model?: StepTimeouts };
  onFault?: (fault: Fault) => void;
}

export interface Composed {
  app: App;
  stages: Stages;
  /** The app's data folder. */
  home: string;
  /** Opens a folder that the host picked. Only hosts pass paths; pages use ids. */
  openFolder(folder: string): Promise<Reply<Output<'project.open'>>>;
  /** Asks the page to open a folder that the host received while a game may be open. */
  offerFolder(folder: string): void;
  /** Returns the folder of a game's id, for system features such as recent documents. Rejects if it no longer exists. */
  findFolder(id: string): Promise<string>;
  dispose(): Promise<void>;
}

/** The composition root of all hosts: creates the application with the real ports. */
export async function compose(options: ComposeOptions): Promise<Composed> {
  const { host, resources, environment, limits, onFault } = options;
  const folders = findUserFolders(environment);
  const settings = createSettingsStore(folders.data);
  // Tests and portable installations must not store keys in the system's keychain.
  const keychain = environment.WEBGAL_AGENT_KEYCHAIN === 'memory' ? null : createKeychain();
  const secrets = createSecrets(keychain);
  const matcher = createMatcher();
  const stages = options.stages ?? (await openStages(resources));
  const terreClient = createTerreClient(environment);
  const terre = createTerreProgram({
    ...{ client: terreClient, environment, folders },
    readChosen: async () => (await settings.read()).terreFolder,
  });
  const projects = createProjects({
    folders,
    sample: `${resources}/sample-game`,
    matcher,
    createStageLink: (game) => createStageLink({ ...game, server: stages }),
    createTerre: ({ root }) => createTerre({ root, client: terreClient, program: terre }),
    findTerre: terre.locate,
    createPlaytest: (game) =>
      createPlaytestPorts({
        ...game,
        environment,
        engineDirectory: `${resources}/engine`,
        locale: () => toLocale(host.systemLocale),
        ...(options.enginePages && { pages: options.enginePages }),
      }),
  });
  const models = createModels({
    ...{ settings, secrets },
    ...(options.fetch && { fetch: options.fetch }),
    ...(limits?.model && { timeouts: limits.model }),
  });
  const mcpServers = createMcpServers({
    ...{ version: APP_VERSION, data: folders.data, environment },
    secrets: createProviderSecrets(keychain),
  });
  const clock = createSystemClock();
  const gateway = createProviderGateway({ folder: folders.data, now: clock.now });
  const app = createApp(
    {
      ...{ host, projects, settings, secrets, models, matcher, clock, version: APP_VERSION },
      updates: options.updates ?? null,
      apiServer: createApiServer(folders.data),
      ...{ gateway, providers: [mcpServers, gateway], mcpServers },
      ...{ spending: createSpendingStore(folders.data), risks: createRiskStore(folders.data) },
      ...{ auditLog: createAppAuditLog(folders.data), terre },
    },
    { tools, ...(limits?.turn && { limits: limits.turn }), ...(onFault && { onFault }) },
  );
  return {
    app,
    stages,
    home: folders.data,
    openFolder: (folder) => {
      const input: Input<'project.open'> = { id: projects.identify(folder) };
      return app.call('project.open', input) as Promise<Reply<Output<'project.open'>>>;
    },
    offerFolder: (folder) => app.emit('project.offered', { id: projects.identify(folder) }),
    findFolder: (id) => projects.resolve(id),
    async dispose() {
      await app.dispose();
      await matcher.close();
      await stages.close();
    },
  };
}
