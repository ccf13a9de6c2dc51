import { toErrorData } from '../shared/errors.ts';
import type { Locale } from '../shared/model/local-text.ts';
import { APP_VERSION } from './app-version.ts';
import { composeMcp, type McpOptions, type McpProject } from './compose-mcp.ts';
import { type ApiService, createApiService, toNoGame } from './core/capability/api/api-service.ts';
import { createDiscovery } from './core/capability/api/discovery.ts';
import { createCapabilitySet } from './core/capability/catalog/capability-set.ts';
import { toView } from './core/capability/catalog/capability-view.ts';
import { toClientTools } from './core/capability/model-face.ts';
import type { ToolOutcome } from './core/services.ts';
import { findRunningApi, type RunningApi } from './node/api/running-api.ts';
import { findUserFolders } from './node/app-data/user-data.ts';
import { createSystemClock } from './node/system-clock.ts';
import { tools } from './tools/index.ts';

/** The requests of the discovery API without a server, for the command line. */
export interface Capabilities extends Pick<ApiService, 'handle'> {
  dispose(): Promise<void>;
}

/** `game`: how the game is opened for calls; null: there are lists only. */
export async function composeCapabilities(locale: Locale, game: McpOptions | null): Promise<Capabilities> {
  const set = toView(createCapabilitySet(tools), toClientTools);
  const project: McpProject | null = game && (await composeMcp(game));
  const session = await project?.connect({ name: 'webgal-agent capabilities', isOneCall: true });
  const service = createApiService({
    discovery: createDiscovery({ current: set.current, providers: () => [] }, () => locale),
    async call({ capabilityId, version, parameters }, signal): Promise<ToolOutcome> {
      if (!session) return { ok: false, error: toErrorData(toNoGame()), milliseconds: 0 };
      const name = set.current().find(({ capability }) => capability === capabilityId)?.name ?? capabilityId;
      return session.call({ name, input: parameters, version, signal });
    },
    now: createSystemClock().now,
    version: APP_VERSION,
    isGameOpen: () => project !== null,
    approvals: () => null,
  });
  return { handle: service.handle, dispose: async () => project?.dispose() };
}

/** Finds the running app of this user, if other programs may use it. */
export function findRunningApp(environment: McpOptions['environment']): Promise<RunningApi | 'off' | 'stale'> {
  return findRunningApi(findUserFolders(environment).data);
}
