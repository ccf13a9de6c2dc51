import type { Readable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AppError } from '../../../shared/errors.ts';
import { mcpTexts } from '../../../shared/i18n/mcp.ts';
import type { McpGame, McpSession } from '../../compose-mcp.ts';
import { createConfirmByElicitation } from './confirm-by-elicitation.ts';
import { findPrompt, listPrompts } from './prompts.ts';
import { sendProgress } from './send-progress.ts';
import { createStdioTransport } from './stdio-transport.ts';
import { toProtocolError } from './to-protocol-error.ts';
import { toToolResult } from './to-tool-result.ts';

/** How long running calls may finish after the client has closed its side. */
const LAST_CALLS_TIMEOUT_MS = 10_000;
/** Limits of subscriptions: far more than a game needs, and bounded memory. */
const MAX_SUBSCRIPTIONS = 10_000;
const MAX_URI_LENGTH = 4096;

export interface McpHost {
  /** Cancels running calls and closes the connection. */
  close(): Promise<void>;
  /** Resolves once the client has disconnected and its calls were answered, or `close` was called. */
  ended: Promise<void>;
}

/** Serves one game to one client over a pair of streams. Transports messages only; all decisions are made in the core. */
export async function serveMcp(
  game: McpGame,
  streams: { input: Readable; write(text: string): Promise<void>; onFault(error: Error): void },
): Promise<McpHost> {
  const server = new Server(
    { ...game.server, title: `WebGAL Agent: ${game.title}` },
    {
      capabilities: { tools: {}, resources: { listChanged: true, subscribe: true }, prompts: {} },
      instructions: mcpTexts.translate(game.locale, 'instructions'),
    },
  );
  let session: Promise<McpSession> | undefined;
  const subscribed = new Set<string>();

  /** Opens the session once. The client's capabilities are available after `initialize` and do not change. */
  const open = (): Promise<McpSession> => {
    const canAsk = server.getClientCapabilities()?.elicitation?.form !== undefined;
    session ??= game.connect({
      name: server.getClientVersion()?.name ?? 'MCP',
      ...(canAsk && { confirm: createConfirmByElicitation(server, game.locale) }),
    });
    return session;
  };

  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: (await open()).tools() }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: input = {} } = params;
    const stopProgress = sendProgress(extra, name);
    try {
      return toToolResult(await (await open()).call({ name, input, signal: extra.signal }));
    } finally {
      stopProgress();
    }
  });

  let watching: ReturnType<McpGame['watch']> | undefined;
  /** Starts watching at the first request about resources: other clients get no notifications and cause no reads. */
  const watch = (): Promise<void> => {
    watching ??= game.watch(({ uris, listed }) => {
      const notifications = uris.filter((uri) => subscribed.has(uri)).map((uri) => server.sendResourceUpdated({ uri }));
      if (listed) notifications.push(server.sendResourceListChanged());
      // Ignored: the transport handles a client that has disconnected.
      Promise.all(notifications).catch(() => undefined);
    });
    return watching.ready;
  };

  server.setRequestHandler(ListResourcesRequestSchema, async (_, { signal }) => ({
    resources: await watch()
      .then(open)
      .then(({ resources }) => resources.list(signal))
      .catch(throwProtocolError),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, async () => ({
    resourceTemplates: (await open()).resources.templates(),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params }, { signal }) => ({
    contents: [await (await open()).resources.read(params.uri, signal).catch(throwProtocolError)],
  }));
  server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
    if (subscribed.size >= MAX_SUBSCRIPTIONS || params.uri.length > MAX_URI_LENGTH) {
      throwProtocolError(new AppError('E_BAD_ARGS', 'No more resources can be subscribed to.'));
    }
    await Promise.all([watch(), open()]);
    subscribed.add(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri);
    return {};
  });

  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listPrompts(game.locale) }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const found = findPrompt(params.name, params.arguments ?? {}, game.locale);
    if (!found) throwProtocolError(new AppError('E_BAD_ARGS', `There is no prompt "${params.name.slice(0, 100)}".`));
    if ('missing' in found) {
      throwProtocolError(new AppError('E_BAD_ARGS', `Missing prompt arguments: ${found.missing.join(', ')}.`));
    }
    const { description, text } = found;
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  });

  const transport = createStdioTransport({
    input: streams.input,
    write: streams.write,
    onEnd: () => void transport.idle(AbortSignal.timeout(LAST_CALLS_TIMEOUT_MS)).then(() => server.close()),
  });
  server.onerror = streams.onFault;
  const ended = new Promise<void>((resolve) => {
    server.onclose = () => {
      watching?.unwatch();
      resolve();
    };
  });
  await server.connect(transport);
  return { close: () => server.close(), ended };
}

function throwProtocolError(error: unknown): never {
  throw toProtocolError(error);
}
