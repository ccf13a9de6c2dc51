import { toErrorData } from '../../../../shared/errors.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import type { Ports } from '../../ports/ports.ts';
import type { ToolSource } from '../catalog/capability-set.ts';
import { toView } from '../catalog/capability-view.ts';
import { createEventHub } from '../events/event-hub.ts';
import { createEventProjection } from '../events/project-events.ts';
import { type FollowedProvider, type Providers, toManifestProvider } from '../external/follow-providers.ts';
import { toClientTools } from '../model-face.ts';
import { type ApiControl, createApiControl } from './api-control.ts';
import { type ApiCall, createApiService } from './api-service.ts';
import { toNoGame } from './api-session.ts';
import { createDiscovery } from './discovery.ts';

interface ApiOptions {
  ports: Pick<Ports, 'apiServer' | 'clock' | 'settings' | 'version'>;
  capabilities: ToolSource;
  providers: Pick<Providers, 'list'>;
  settings: { locale(): Locale };
  /** The open game. */
  project: { peek(): { callFromOutside: ApiCall; closedFolders(): readonly string[] } | null };
  /** The listeners of the app's own events. */
  listeners: Set<(event: string, payload: unknown) => void>;
  onFault: (fault: { where: string; error: unknown }) => void;
}

/** Creates the discovery API over the app: it lists what exists, calls the open game, and follows the app's events. */
export function createApi({
  ports,
  capabilities,
  providers,
  settings,
  project,
  listeners,
  onFault,
}: ApiOptions): ApiControl {
  const { clock } = ports;
  const hub = createEventHub(clock.id);
  const toEvents = createEventProjection(() => project.peek()?.closedFolders() ?? []);
  listeners.add((event, payload) => {
    for (const one of toEvents(event, payload)) hub.publish(one);
  });
  const service = createApiService({
    discovery: createDiscovery(
      { current: toView(capabilities, toClientTools).current, providers: () => providers.list().map(toListed) },
      settings.locale,
    ),
    async call(payload, signal) {
      const open = project.peek();
      if (open) return open.callFromOutside(payload, signal);
      return { ok: false, error: toErrorData(toNoGame()), milliseconds: 0 };
    },
    ...{ now: clock.now, version: ports.version, isGameOpen: () => project.peek() !== null },
  });
  const control = createApiControl({
    ...{ server: ports.apiServer, service, hub, now: clock.now, onFault },
    role: async () => (await ports.settings.read()).roles.api,
  });
  // The next change of a setting follows anyway.
  if (ports.apiServer !== null) void ports.settings.read().then(control.follow, () => undefined);
  return control;
}

function toListed({ provider }: FollowedProvider) {
  return { ...toManifestProvider(provider), health: provider.state().status };
}
