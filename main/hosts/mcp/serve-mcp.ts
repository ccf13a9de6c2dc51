import type { Readable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { mcpTexts } from '../../../shared/i18n/mcp.ts';
import type { McpProject, McpSession } from '../../compose-mcp.ts';
import { createConfirmByElicitation } from './confirm-by-elicitation.ts';
import { sendProgress } from './send-progress.ts';
import { servePrompts } from './serve-prompts.ts';
import { serveResources } from './serve-resources.ts';
import { createStdioTransport } from './stdio-transport.ts';
import { toToolResult } from './to-tool-result.ts';

/** How long running calls may finish after the client has closed its side. */
const LAST_CALLS_TIMEOUT_MS = 10_000;

/** The member of `_meta` with the version of the tool that a client was written for, or a range such as `^1.0.0`. */
const VERSION_KEY = 'webgal-agent/version';

export interface McpHost {
  /** Cancels running calls and closes the connection. */
  close(): Promise<void>;
  /** Resolves once the client has disconnected and its calls were answered, or `close` was called. */
  ended: Promise<void>;
}

/** Serves one game to one client over a pair of streams. Transports messages only; all decisions are made in the core. */
export async function serveMcp(
  game: McpProject,
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
    const { name, arguments: input = {}, _meta } = params;
    const asked = _meta?.[VERSION_KEY];
    const version = typeof asked === 'string' ? asked : undefined;
    const stopProgress = sendProgress(extra, name);
    try {
      return toToolResult(await (await open()).call({ name, input, version, signal: extra.signal }));
    } finally {
      stopProgress();
    }
  });

  const resources = serveResources(server, game, open);
  servePrompts(server, game.locale);

  const transport = createStdioTransport({
    input: streams.input,
    write: streams.write,
    onEnd: () => void transport.idle(AbortSignal.timeout(LAST_CALLS_TIMEOUT_MS)).then(() => server.close()),
  });
  server.onerror = streams.onFault;
  const ended = new Promise<void>((resolve) => {
    server.onclose = () => {
      resources.unwatch();
      resolve();
    };
  });
  await server.connect(transport);
  return { close: () => server.close(), ended };
}
