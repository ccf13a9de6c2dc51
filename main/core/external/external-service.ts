import type { Emit, Output, Parsed } from '../../../shared/contract.ts';
import { AppError, type ErrorData } from '../../../shared/errors.ts';
import { refusalText } from '../../../shared/i18n/refusals.ts';
import { type Role, type Roles, toProviderRole } from '../../../shared/model/capability/role.ts';
import { type McpServer, toConsentText } from '../../../shared/model/external/mcp-server.ts';
import type { ProviderRow } from '../../../shared/model/external/provider-row.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { FollowedProvider, Providers } from '../capability/external/follow-providers.ts';
import type { McpServers } from '../ports/providers/mcp-servers.ts';
import { readServers } from './read-servers.ts';

/** The services that the user connects: MCP servers, and programs that connect by themselves. */
export interface ExternalService {
  list(): Promise<Output<'providers.list'>>;
  add(text: string): Promise<Output<'providers.add'>>;
  /** Agrees to start exactly what was shown. Throws `E_CONFLICT` if it is another text by now. */
  agree(request: Parsed<'providers.agree'>): Promise<void>;
  setEnabled(id: string, enabled: boolean): Promise<void>;
  setRole(id: string, role: Role): Promise<void>;
  remove(id: string): Promise<void>;
  /** Brings back what was removed since the start of the app. Throws `E_CONFLICT` if its name is taken by now. */
  restore(id: string): Promise<void>;
  retry(id: string): Promise<void>;
  /** Begins to sign in; resolves with the page of the service. */
  signIn(id: string): Promise<string>;
  follow(settings: Pick<Settings, 'mcpServers'>): void;
}

interface ExternalServiceOptions {
  servers: McpServers | null;
  providers: Providers;
  /** Reads and changes the settings, one change at a time. */
  read: () => Promise<Settings>;
  change: (edit: (settings: Settings) => Settings) => Promise<void>;
  /** The names of programs that may connect by themselves. */
  readTokens: () => Promise<readonly string[]>;
  emit: Emit;
}

const MAX_SERVERS = 32;
const MAX_REFUSED = 20;

export function createExternalService({
  servers,
  providers,
  read,
  change,
  readTokens,
  emit,
}: ExternalServiceOptions): ExternalService {
  providers.on(() => emit('tools.changed', {}));

  const requireServers = (): McpServers => {
    if (servers !== null) return servers;
    throw new AppError('E_UNSUPPORTED', 'This host connects to no services.');
  };

  const changeServer = (id: string, edit: (server: McpServer) => McpServer) =>
    change((settings) => {
      const server = settings.mcpServers.find((each) => each.id === id);
      if (server === undefined) throw toUnknown(id);
      return { ...settings, mcpServers: settings.mcpServers.map((each) => (each === server ? edit(server) : each)) };
    });

  return {
    async list() {
      const { mcpServers, roles } = await read();
      const followed = new Map(providers.list().map((each) => [each.provider.id, each]));
      const own = mcpServers.map((server) => toRow(followed.get(server.id), server, roles));
      const known = new Set(mcpServers.map(({ id }) => id));
      const others = [...followed.values()].filter(({ provider }) => !known.has(provider.id));
      return { providers: [...own, ...others.map((each) => toRow(each, null, roles))] };
    },
    async add(text) {
      const { servers: entered, refused } = readServers(text, requireServers().toAddress);
      const added: string[] = [];
      const tokens = await readTokens();
      await change((settings) => {
        const mcpServers = [...settings.mcpServers];
        const { providers: given } = settings.roles;
        for (const { server } of entered) {
          const id = toFreeId(server.id, [...mcpServers.map((each) => each.id), ...Object.keys(given), ...tokens]);
          if (mcpServers.length >= MAX_SERVERS)
            refused.push({ name: server.name, why: refusalText('block.full', { most: MAX_SERVERS }) });
          else {
            mcpServers.push({ ...server, id });
            added.push(id);
          }
        }
        return { ...settings, mcpServers };
      });
      for (const [index, id] of added.entries()) {
        const one = entered[index];
        if (one && Object.keys(one.secrets).length > 0) await servers?.setSecrets({ ...one.server, id }, one.secrets);
      }
      return { added, refused };
    },
    async agree({ id, shown, role }) {
      await changeServer(id, (server) => {
        if (toConsentText(server) !== shown) {
          throw new AppError('E_CONFLICT', 'What would be started is not what was shown.', {
            reason: 'provider.changed',
          });
        }
        return { ...server, agreed: shown };
      });
      await this.setRole(id, role);
    },
    setEnabled: (id, enabled) => changeServer(id, (server) => ({ ...server, enabled })),
    setRole: (id, role) =>
      change((settings) => ({
        ...settings,
        roles: { ...settings.roles, providers: { ...settings.roles.providers, [id]: role } },
      })),
    ...createRemoval({ servers, change, read, readTokens }),
    retry: async (id) => requireServers().retry(id),
    signIn: async (id) => requireServers().signIn(id),
    follow({ mcpServers }) {
      servers?.follow(mcpServers);
    },
  };
}

/** Removes services and brings them back, with their keys and roles. */
function createRemoval({
  servers,
  change,
  read,
  readTokens,
}: Pick<ExternalServiceOptions, 'servers' | 'change' | 'read' | 'readTokens'>): Pick<
  ExternalService,
  'remove' | 'restore'
> {
  const removed = new Map<string, { server: McpServer; role: Role }>();
  return {
    async remove(id) {
      await change((settings) => {
        const server = settings.mcpServers.find((each) => each.id === id);
        if (server === undefined) throw toUnknown(id);
        const { [id]: _, ...others } = settings.roles.providers;
        removed.set(id, { server, role: toProviderRole(settings.roles, id) });
        const mcpServers = settings.mcpServers.filter((each) => each !== server);
        return { ...settings, mcpServers, roles: { ...settings.roles, providers: others } };
      });
      await servers?.forgetSecrets(id);
    },
    async restore(id) {
      const kept = removed.get(id);
      if (kept === undefined) throw toUnknown(id);
      const tokens = await readTokens();
      // Before the keys come back, and again at the change.
      requireFree(id, await read(), tokens);
      await servers?.restoreSecrets(id);
      await change((settings) => {
        requireFree(id, settings, tokens);
        const { roles, mcpServers } = settings;
        const providers = { ...roles.providers, [id]: kept.role };
        return { ...settings, mcpServers: [...mcpServers, kept.server], roles: { ...roles, providers } };
      });
      removed.delete(id);
    },
  };
}

function toRow(followed: FollowedProvider | undefined, server: McpServer | null, roles: Roles): ProviderRow {
  const state = followed?.provider.state() ?? { status: 'off' as const };
  const problem = state.status === 'failed' ? state.problem : (followed?.problem ?? null);
  const id = server?.id ?? followed?.provider.id ?? '';
  return {
    id,
    name: server?.name ?? followed?.provider.name ?? '',
    kind: followed?.provider.kind ?? 'mcp',
    status: state.status,
    problem: problem && toShown(problem),
    retryAt: state.status === 'failed' ? state.retryAt : null,
    offered: followed?.offered ?? 0,
    refused: [...(followed?.refused ?? [])].slice(0, MAX_REFUSED),
    role: toProviderRole(roles, id),
    transport: server?.transport ?? null,
    consent: state.status === 'unconfirmed' && server ? toConsentText(server) : null,
  };
}

function toShown({ code, message, reason, hint, details }: ErrorData): NonNullable<ProviderRow['problem']> {
  return { code, message, ...(reason && { reason }), ...(hint && { hint }), ...(details && { details }) };
}

/** Returns the id, or one with a number where it is taken. */
function toFreeId(id: string, taken: readonly string[]): string {
  if (!taken.includes(id)) return id;
  for (let number = 2; ; number += 1) {
    const other = `${id.slice(0, 20)}-${number}`;
    if (!taken.includes(other)) return other;
  }
}

/** One name is one row of the settings, with one role. */
function requireFree(id: string, { mcpServers }: Pick<Settings, 'mcpServers'>, tokens: readonly string[]): void {
  if (!tokens.includes(id) && !mcpServers.some((each) => each.id === id)) return;
  const what = tokens.includes(id) ? 'program with a token' : 'service';
  throw new AppError('E_CONFLICT', `There is a ${what} "${id}" by now. Nothing was brought back.`, {
    details: { provider: id },
    hint: 'Add the service again; it gets another name.',
    reason: 'provider.nameTaken',
  });
}

function toUnknown(id: string): AppError {
  return new AppError('E_NOT_FOUND', `There is no service ${id.slice(0, 64)}.`, { reason: 'provider.unknown' });
}
