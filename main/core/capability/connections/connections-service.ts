import type { Output, Parsed } from '../../../../shared/contract.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { ConnectionsState, ProviderRow } from '../../../../shared/model/capability/capability-methods.ts';
import { CAPABILITY_PAGE_SIZE } from '../../../../shared/model/capability/capability-methods.ts';
import type { Settings } from '../../../../shared/model/settings.ts';
import type { ProviderConnection, ProviderGateway } from '../../ports/providers/gateway.ts';
import type { Discovery } from '../api/discovery.ts';
import type { AppAudit } from '../audit/app-audit.ts';
import type { FollowedProvider, Providers } from '../external/follow-providers.ts';
import { toPlainLine } from '../external/plain-text.ts';
import { toManifestProvider } from '../external/to-manifest-provider.ts';
import type { GatewayControl } from './gateway-control.ts';
import { toHealth } from './provider-health.ts';

/** What pages see of capabilities and of other programs. */
export interface ConnectionsService {
  list(request: Parsed<'capabilities.list'>): Output<'capabilities.list'>;
  /** Throws `E_NOT_FOUND`. */
  read(id: string): Output<'capabilities.read'>;
  state(): Promise<ConnectionsState>;
  /** Throws `E_UNSUPPORTED` on a host without a gateway, `E_CONFLICT` for the name of a service that the user added, and as the gateway does. */
  createToken(provider: string): Promise<string>;
  /** Removes the token, and the role that the user gave to its program: another one of this name is none of the user's choosing. */
  removeToken(provider: string): Promise<void>;
}

interface ConnectionsOptions {
  discovery: Pick<Discovery, 'list' | 'find' | 'about'>;
  providers: Pick<Providers, 'list'>;
  gateway: ProviderGateway | null;
  control: Pick<GatewayControl, 'url'>;
  /** Changes the settings. */
  change: (edit: (settings: Settings) => Settings) => Promise<void>;
  noteToken: AppAudit['noteToken'];
  /** Called after tokens changed. */
  onChange: () => void;
}

export function createConnectionsService(options: ConnectionsOptions): ConnectionsService {
  const { discovery, providers, gateway, control, change, noteToken, onChange } = options;
  const opened = (): ProviderGateway => {
    if (gateway !== null) return gateway;
    throw new AppError('E_UNSUPPORTED', 'This host lets no other programs connect.');
  };
  return {
    list({ words, ...query }) {
      const narrowed = { ...query, pageSize: CAPABILITY_PAGE_SIZE, ...(words !== undefined && { q: words }) };
      const { items, position } = discovery.list(narrowed);
      const rows = items.map((item) => ({ ...item, description: discovery.about(item.id) ?? item.description }));
      return { items: rows, position };
    },
    read(id) {
      const found = discovery.find(id);
      if (found === null) {
        throw new AppError('E_NOT_FOUND', 'There is no such capability.', { reason: 'capability.gone' });
      }
      return { capability: { ...found, description: discovery.about(id) ?? found.description } };
    },
    async state() {
      const connections = new Map(gateway?.connections().map((each) => [each.provider, each]));
      return {
        providers: providers.list().map((each) => toRow(each, connections.get(each.provider.id))),
        tokens: (await gateway?.tokens()) ?? [],
        gatewayUrl: control.url(),
      };
    },
    async createToken(provider) {
      const servers = opened();
      await change((settings) => {
        // One name is one row of the settings, with one role.
        if (settings.mcpServers.some(({ id }) => id === provider)) throw toTaken(provider);
        return settings;
      });
      const token = await servers.createToken(provider);
      await noteToken('create', provider);
      onChange();
      return token;
    },
    async removeToken(provider) {
      await opened().removeToken(provider);
      await noteToken('remove', provider);
      await change((settings) => withoutRole(settings, provider));
      onChange();
    },
  };
}

function toTaken(provider: string): AppError {
  return new AppError('E_CONFLICT', `There is a service "${provider}" already.`, {
    details: { provider },
    hint: 'Choose another name.',
    reason: 'provider.taken',
  });
}

/** The role of a service of the same name that the user added stays. */
function withoutRole(settings: Settings, provider: string): Settings {
  if (settings.mcpServers.some(({ id }) => id === provider)) return settings;
  const { [provider]: _, ...providers } = settings.roles.providers;
  return { ...settings, roles: { ...settings.roles, providers } };
}

function toRow(
  { provider, offered, refused, problem }: FollowedProvider,
  connection?: ProviderConnection,
): ProviderRow {
  const { kind } = provider;
  const state = provider.state();
  const isOfGateway = kind === 'gateway' && connection !== undefined;
  return {
    ...{ id: provider.id, name: toManifestProvider(provider).name, kind, offered },
    health: toHealth(provider, connection),
    calls: isOfGateway ? connection.calls : 0,
    note: isOfGateway && connection.note !== undefined ? toPlainLine(connection.note, 200) : null,
    refused: [...refused].slice(0, 50),
    problem: problem ?? (state.status === 'failed' ? state.problem : null),
  };
}
