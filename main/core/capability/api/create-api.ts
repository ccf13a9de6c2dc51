import type { Emit } from '../../../../shared/contract.ts';
import { toErrorData } from '../../../../shared/errors.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import type { Settings } from '../../../../shared/model/settings.ts';
import type { Ports } from '../../ports/ports.ts';
import type { AppAudit } from '../audit/app-audit.ts';
import type { ToolSource } from '../catalog/capability-set.ts';
import { toView } from '../catalog/capability-view.ts';
import { type ConnectionsService, createConnectionsService } from '../connections/connections-service.ts';
import { createGatewayControl } from '../connections/gateway-control.ts';
import { toHealth } from '../connections/provider-health.ts';
import { createProviderComparison } from '../events/compare-providers.ts';
import { createEventHub } from '../events/event-hub.ts';
import { followApprovals } from '../events/follow-approvals.ts';
import { createEventProjection } from '../events/project-events.ts';
import type { Providers } from '../external/follow-providers.ts';
import { toManifestProvider } from '../external/to-manifest-provider.ts';
import { toClientTools } from '../model-face.ts';
import { createApiControl } from './api-control.ts';
import { createApiService, toNoGame } from './api-service.ts';
import type { ApiSession } from './api-session.ts';
import { createDiscovery } from './discovery.ts';

interface ApiOptions {
  ports: Pick<Ports, 'apiServer' | 'clock' | 'gateway' | 'settings' | 'version'>;
  capabilities: ToolSource;
  providers: Pick<Providers, 'list' | 'on'>;
  emit: Emit;
  settings: { locale(): Locale; change(edit: (settings: Settings) => Settings): Promise<void> };
  /** The open game. */
  project: { peek(): { outside: ApiSession; closedFolders(): readonly string[] } | null };
  /** The listeners of the app's own events. */
  listeners: Set<(event: string, payload: unknown) => void>;
  audit: Pick<AppAudit, 'noteToken'>;
  onFault: (fault: { where: string; error: unknown }) => void;
}

/** What serves other programs, and shows pages what they may do. */
interface Api {
  follow(settings: Pick<Settings, 'discoveryApi' | 'providerGateway'>): void;
  connections: ConnectionsService;
  dispose(): Promise<void>;
}

/**
 * Creates the discovery API over the app, which lists what exists, calls the open game and follows the app's events; and the
 * control of the gateway, whose events it passes on.
 */
export function createApi(options: ApiOptions): Api {
  const { ports, capabilities, providers, settings, project, listeners, emit, onFault } = options;
  const onConnections = () => emit('connections.changed', {});
  const { clock, gateway } = ports;
  const hub = createEventHub(clock.id);
  const toEvents = createEventProjection(() => project.peek()?.closedFolders() ?? []);
  listeners.add((event, payload) => {
    for (const one of toEvents(event, payload)) hub.publish(one);
    if (event === 'approvals.changed' || event === 'project.changed') void waiting.read().catch(() => undefined);
  });
  const waiting = followApprovals({
    approvals: () => project.peek()?.outside.approvals ?? null,
    ...{ publish: hub.publish, now: clock.now, onExpired: () => emit('approvals.changed', {}) },
  });
  const compareProviders = createProviderComparison();
  const discovery = createDiscovery(
    { current: toView(capabilities, toClientTools).current, providers: () => listProviders(providers, gateway) },
    settings.locale,
  );
  const service = createApiService({
    discovery,
    async call(payload, signal) {
      const open = project.peek();
      if (open) return open.outside.call(payload, signal);
      return { ok: false, error: toErrorData(toNoGame()), milliseconds: 0 };
    },
    ...{ now: clock.now, version: ports.version, isGameOpen: () => project.peek() !== null },
    approvals: () => project.peek()?.outside.approvals ?? null,
  });
  const server = createApiControl({
    ...{ server: ports.apiServer, service, hub, now: clock.now, onFault },
    role: async () => (await ports.settings.read()).roles.api,
  });
  const control = createGatewayControl({
    ...{ gateway, onFault, onChange: onConnections },
    onEvent: ({ eventId, data }) => hub.publish({ id: eventId, data }),
  });
  const stop = providers.on(() => {
    onConnections();
    for (const one of compareProviders(providers.list())) hub.publish(one);
  });
  const follow: Api['follow'] = (now) => {
    server.follow(now);
    control.follow(now);
  };
  // The next change of a setting follows anyway.
  if (ports.apiServer !== null || gateway !== null) void ports.settings.read().then(follow, () => undefined);
  return {
    follow,
    connections: createConnectionsService({
      ...{ discovery, providers, gateway, control, change: settings.change, onChange: onConnections },
      noteToken: options.audit.noteToken,
    }),
    async dispose() {
      stop();
      waiting.dispose();
      await Promise.all([server.dispose(), control.dispose()]);
    },
  };
}

function listProviders(providers: Pick<Providers, 'list'>, gateway: ApiOptions['ports']['gateway']) {
  const connections = new Map(gateway?.connections().map((each) => [each.provider, each]));
  return providers.list().map(({ provider }) => ({
    ...toManifestProvider(provider),
    health: toHealth(provider, connections.get(provider.id)),
  }));
}
