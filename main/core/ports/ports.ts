import type { Clock, Host } from './host.ts';
import type { AppAuditLog } from './logs.ts';
import type { Models } from './models.ts';
import type { ProviderGateway } from './providers/gateway.ts';
import type { McpServers } from './providers/mcp-servers.ts';
import type { ProviderSource } from './providers/provider.ts';
import type { Matcher } from './reader.ts';
import type { ApiServer } from './servers/api-server.ts';
import type { TerreProgram } from './stage/terre.ts';
import type { RiskStore } from './stores/risk-store.ts';
import type { Secrets, SettingsStore } from './stores/settings-store.ts';
import type { SpendingStore } from './stores/spending-store.ts';
import type { Updates } from './updates.ts';
import type { Projects } from './workspace.ts';

/**
 * The interfaces through which the core uses the machine. `node/` implements them. Tests replace only the outermost
 * ones (model, secrets, clock) by in-memory versions and run the others on temporary folders. Every port throws
 * `AppError` only.
 */
export interface Ports {
  host: Host;
  projects: Projects;
  settings: SettingsStore;
  secrets: Secrets;
  spending: SpendingStore;
  risks: RiskStore;
  auditLog: AppAuditLog;
  models: Models;
  matcher: Matcher;
  /** Null on a host that serves no other programs. */
  apiServer: ApiServer | null;
  /** Other programs that offer capabilities, by kind; empty on a host that connects to none. */
  providers: readonly ProviderSource[];
  /** The user's MCP servers, which are among `providers`, too; null on a host that starts none. */
  mcpServers: McpServers | null;
  /** Null on a host that lets no other programs connect. It is one of `providers`. */
  gateway: ProviderGateway | null;
  /** Null on a host that starts no other editor. */
  terre: TerreProgram | null;
  /** Null on a host without updates. */
  updates: Updates | null;
  clock: Clock;
  version: string;
}
