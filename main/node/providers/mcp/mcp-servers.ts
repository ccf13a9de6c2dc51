import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { AppError } from '../../../../shared/errors.ts';
import { type McpServer, toConsentText } from '../../../../shared/model/external/mcp-server.ts';
import type { McpServers } from '../../../core/ports/providers/mcp-servers.ts';
import { toServiceAddress } from '../../../network/allowed-addresses.ts';
import { toChildEnvironment } from '../../process/child-environment.ts';
import type { ProviderSecrets } from '../provider-secrets.ts';
import { createHttpTransport } from './http-transport.ts';
import { createMcpProvider, type McpProvider, type McpProviderOptions } from './mcp-provider.ts';
import { beginSignIn, createTokens, type SignIn, SignInNeeded, toAuthProvider } from './sign-in.ts';
import { createStdioTransport } from './stdio-transport.ts';

interface McpServersOptions extends Pick<McpProviderOptions, 'version' | 'pauses' | 'startMs'> {
  /** The app's data folder; programs run in a folder of their own in it. */
  data: string;
  secrets: ProviderSecrets;
  environment: Readonly<Record<string, string | undefined>>;
}

/** Creates the clients of the user's MCP servers. */
export function createMcpServers(options: McpServersOptions): McpServers {
  const { secrets } = options;
  const listeners = new Set<() => void>();
  let providers: readonly McpProvider[] = [];
  let signIn: SignIn | null = null;
  let isDisposed = false;
  const ending = new Set<Promise<void>>();

  const changed = () => listeners.forEach((listener) => void listener());

  function end(provider: McpProvider): void {
    const work = provider.stop().catch(() => undefined);
    ending.add(work);
    void work.finally(() => ending.delete(work));
  }

  function create(server: McpServer): McpProvider {
    const provider = createMcpProvider(server, {
      ...options,
      open: (each) => (each.transport.type === 'stdio' ? openProgram(each, options) : openAddress(each, options)),
      toState: (error) => (isSignInNeeded(error) ? { status: 'signIn' } : null),
      changed,
    });
    // After it is in the list, so that listeners find it.
    queueMicrotask(provider.start);
    return provider;
  }

  function replace(id: string): void {
    providers = providers.map((provider) => {
      if (provider.id !== id) return provider;
      end(provider);
      return create(provider.server);
    });
    changed();
  }

  return {
    current: () => providers,
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow(servers) {
      if (isDisposed) return;
      const before = new Map(providers.map((provider) => [provider.id, provider]));
      const key = (server: McpServer) => JSON.stringify(server);
      const next = servers.map((server) => {
        const known = before.get(server.id);
        if (known !== undefined && key(known.server) === key(server)) {
          before.delete(server.id);
          return known;
        }
        return create(server);
      });
      for (const gone of before.values()) end(gone);
      if (before.size === 0 && next.length === providers.length) return;
      providers = next;
      changed();
    },
    retry: replace,
    async signIn(id) {
      const server = providers.find((provider) => provider.id === id)?.server;
      if (server?.transport.type !== 'http') throw new AppError('E_UNSUPPORTED', 'This service asks for no sign-in.');
      signIn?.close();
      const { url } = server.transport;
      signIn = await beginSignIn(url, { tokens: createTokens(secrets, id, url), done: () => replace(id) });
      return signIn.address;
    },
    ...toSecretMethods(secrets),
    toAddress: toServiceAddress,
    async dispose() {
      isDisposed = true;
      signIn?.close();
      for (const provider of providers) end(provider);
      providers = [];
      await Promise.all(ending);
    },
  };
}

function toSecretMethods(
  secrets: ProviderSecrets,
): Pick<McpServers, 'setSecrets' | 'forgetSecrets' | 'restoreSecrets'> {
  return {
    setSecrets: (server, values) => secrets.set(server.id, toConsentText(server), values),
    forgetSecrets: async (id) => {
      await secrets.forget(id);
      await secrets.forget(`sign-in:${id}`);
    },
    restoreSecrets: async (id) => {
      await secrets.restore(id);
      await secrets.restore(`sign-in:${id}`);
    },
  };
}

async function openProgram(
  server: McpServer,
  { data, secrets, environment }: McpServersOptions,
): ReturnType<McpProviderOptions['open']> {
  if (server.transport.type !== 'stdio') throw new AppError('E_INTERNAL', 'Not a program.');
  const { command, args, env } = server.transport;
  // Not the game's folder: the program receives no path of a game.
  const cwd = path.join(data, 'services', server.id);
  await mkdir(cwd, { recursive: true });
  const values = await secrets.get(server.id, toConsentText(server));
  const own = Object.fromEntries(env.map((name) => [name, values[name] ?? '']));
  const transport = createStdioTransport({ command, args, cwd, env: { ...toChildEnvironment(environment), ...own } });
  return { transport, tail: () => transport.errors.lines().join('\n') };
}

async function openAddress(
  server: McpServer,
  { secrets, startMs }: McpServersOptions,
): ReturnType<McpProviderOptions['open']> {
  if (server.transport.type !== 'http') throw new AppError('E_INTERNAL', 'Not an address.');
  const url = toServiceAddress(server.transport.url);
  const headers = await secrets.get(server.id, toConsentText(server));
  const tokens = createTokens(secrets, server.id, url);
  const isSignedIn = (await tokens.read()).tokens !== undefined;
  const transport = createHttpTransport(url, {
    headers,
    ...(isSignedIn && { authProvider: toAuthProvider(tokens) }),
    ...(startMs !== undefined && { notifyMs: startMs }),
  });
  return { transport, tail: () => '' };
}

function isSignInNeeded(error: unknown): boolean {
  if (error instanceof SignInNeeded || error instanceof UnauthorizedError) return true;
  return error instanceof StreamableHTTPError && error.code === 401;
}
