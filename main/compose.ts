import type { Input, Output } from '../shared/contract.ts';
import type { Reply } from '../shared/errors.ts';
import { APP_VERSION } from './app-version.ts';
import { type App, createApp, type Fault } from './core/app.ts';
import type { Host } from './core/ports.ts';
import { createMatcher } from './node/matcher.ts';
import { createModels } from './node/models/create-models.ts';
import { createProjects } from './node/project-catalog.ts';
import { createKeychain, createSecrets } from './node/secrets.ts';
import { createSettingsStore } from './node/settings-store.ts';
import { createStageLink } from './node/stage-link.ts';
import { createSystemClock } from './node/system-clock.ts';
import { findUserPlaces } from './node/user-data.ts';
import { tools } from './tools/index.ts';

export interface ComposeOptions {
  host: Host;
  /** The folder the build leaves: `engine/` and `sample-game/` lie in it. */
  resources: string;
  /** Where the app's own folders are looked up; the process's variables. */
  environment: Readonly<Record<string, string | undefined>>;
  /** The host's own network, where it knows about proxies and certificates. */
  fetch?: typeof fetch;
  onFault?: (fault: Fault) => void;
}

export interface Composed {
  app: App;
  /** The folder of the app's own data. */
  home: string;
  /** Opens a folder the host picked. The one way in for a path: pages only ever hold ids. */
  openFolder(folder: string): Promise<Reply<Output<'project.open'>>>;
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
  const projects = createProjects({
    places,
    sample: `${resources}/sample-game`,
    matcher,
    createStageLink: ({ root }) => createStageLink({ root, engineDirectory: `${resources}/engine` }),
  });
  const models = createModels({ settings, secrets, ...(options.fetch && { fetch: options.fetch }) });
  const app = createApp(
    { host, projects, settings, secrets, models, matcher, clock: createSystemClock(), version: APP_VERSION },
    { tools, ...(onFault && { onFault }) },
  );
  return {
    app,
    home: places.data,
    openFolder: (folder) => {
      const input: Input<'project.open'> = { id: projects.identify(folder) };
      return app.call('project.open', input) as Promise<Reply<Output<'project.open'>>>;
    },
    async dispose() {
      await app.dispose();
      await matcher.close();
    },
  };
}
