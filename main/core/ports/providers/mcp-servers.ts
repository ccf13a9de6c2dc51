import type { McpServer } from '../../../../shared/model/external/mcp-server.ts';
import type { ProviderSource } from './provider.ts';

/** The MCP servers of the user, as clients of them. */
export interface McpServers extends ProviderSource {
  /**
   * Starts and stops servers so that they are as listed. A server that is new or changed and whose text was not agreed to is
   * `unconfirmed` and is not started.
   */
  follow(servers: readonly McpServer[]): void;
  /** Starts a server that failed again now. */
  retry(id: string): void;
  /** Begins to sign in; resolves with the page where the user does that. Throws `E_UNSUPPORTED` where nothing asks for it. */
  signIn(id: string): Promise<string>;
  /** Stores the values of variables or headers for exactly this server; the core cannot read them. */
  setSecrets(server: McpServer, values: Readonly<Record<string, string>>): Promise<void>;
  /** Removes stored values; until the app ends, `restoreSecrets` brings them back. */
  forgetSecrets(id: string): Promise<void>;
  restoreSecrets(id: string): Promise<void>;
  /** Checks an address before it is stored. Throws `E_BAD_ARGS` with `details.why`. */
  toAddress(address: string): string;
  /** Ends all servers. */
  dispose(): Promise<void>;
}
