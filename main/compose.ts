import type { Input, Output } from '../shared/contract.ts';
import type { Reply } from '../shared/errors.ts';
import { APP_VERSION } from './app-version.ts';
import { openStages, type Stages } from './compose-stages.ts';
import { type App, createApp, type Fault } from './core/app.ts';
import type { Host, Updates } from './core/ports.ts';
import { createProjects } from './node/app-data/project-catalog.ts';
import { createKeychain, createSecrets } from './node/app-data/secrets.ts';
import { createSettingsStore } from './node/app-data/settings-store.ts';
import { findUserPlaces } from './node/app-data/user-data.ts';
import { createModels } from './node/models/create-models.ts';
import { createMatcher } from './node/search/matcher.ts';
import { createStageLink } from './node/stage/stage-link.ts';
import { createSystemClock } from './node/system-clock.ts';
import { tools } from './tools/index.ts';

export interface ComposeOptions {
  host: Host;
  /** The folder the build leaves: `engine/` and `sample-game/` lie in it. */
  resources: string;
  /** Where the app's own folders are looked up; the process's variables. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Opened by `openStages`; made here when left out. Closed with the app. */
  stages?: Stages;
  /** The host's own network, where it knows about proxies and certificates. */
  fetch?: typeof fetch;
  /** New versions of the app, where the host can install them. */
  updates?: Updates;
  onFault?: (fault: Fault) => void;
}

export interface Composed {
  app: App;
  stages: Stages;
  /** The folder of the app's own data. */
  home: string;
  /** Opens a folder the host picked. The one way in for a path: pages only ever hold ids. */
  openFolder(folder: string): Promise<Reply<Output<'project.open'>>>;
  /** Asks the page to open a folder that the host was handed while a game may be open. */
  offerFolder(folder: string): void;
  /** The folder behind a game's id, for what the system keeps about folders. Rejects when it is gone. */
  findFolder(id: string): Promise<string>;
  dispose(): Promise<void>;
}

/** The composition root: the machine's real ports under the application. Every host starts here. */
export async function compose(options: ComposeOptions): Promise<Composed> {
  const { host, resources, environment, onFault } = options;
  const places = findUserPlaces(environment);
  const settings = createSettingsStore(places.data);
  // A test, or a portable install, must not leave keys in the system's keychain.
  const secrets = createSecrets(environment.WEBGAL_AGENT_KEYCHAIN === 'memory' ? null : createKeychain());
  const matcher = createMatcher();
  const stages = options.stages ?? (await openStages(resources));
  const projects = createProjects({
    places,
    sample: `${resources}/sample-game`,
    matcher,
    createStageLink: ({ root }) => createStageLink({ root, server: stages }),
  });
  const models = createModels({ settings, secrets, ...(options.fetch && { fetch: options.fetch }) });
  const app = createApp(
    {
      ...{ host, projects, settings, secrets, models, matcher, clock: createSystemClock(), version: APP_VERSION },
      updates: options.updates ?? null,
    },
    { tools, ...(onFault && { onFault }) },
  );
  return {
    app,
    stages,
    home: places.data,
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
