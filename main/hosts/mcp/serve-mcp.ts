import type { Readable } from 'node:stream';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  RootsListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';
import { mcpTexts } from '../../../shared/i18n/mcp.ts';
import type { McpFacts, McpProject } from '../../compose-mcp.ts';
import { isAmong, readRoots } from './client-roots.ts';
import { createConfirmByElicitation } from './confirm-by-elicitation.ts';
import { followTools } from './follow-tools.ts';
import { sendProgress } from './send-progress.ts';
import { serveCompletions } from './serve-completions.ts';
import { servePrompts } from './serve-prompts.ts';
import { serveResources } from './serve-resources.ts';
import { createStdioTransport } from './stdio-transport.ts';
import { throwProtocolError } from './to-protocol-error.ts';
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

/** A game that is open, or how it is opened at the first request: with the folders of the client, null if it does not tell. */
type ServedGame = McpProject | ((folders: readonly string[] | null) => Promise<McpProject>);

interface Streams {
  input: Readable;
  write(text: string): Promise<void>;
  onFault(error: Error): void;
}

/** Serves one game to one client over a pair of streams. Transports messages only; all decisions are made in the core. */
export async function serveMcp(
  { server: own, locale }: McpFacts,
  served: ServedGame,
  streams: Streams,
): Promise<McpHost> {
  const known = typeof served === 'function' ? null : served;
  const server = new Server(
    { ...own, title: known ? `WebGAL Agent: ${known.title}` : 'WebGAL Agent' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        ...{ prompts: {}, completions: {}, logging: {} },
      },
      instructions: mcpTexts.translate(locale, 'instructions'),
      // Created when an answer is validated: the library would do it at each start.
      jsonSchemaValidator: { getValidator: (schema) => new AjvJsonSchemaValidator().getValidator(schema) },
    },
  );
  const openGame = once(async () => (typeof served === 'function' ? served(await readRoots(server)) : served));
  // The client's capabilities are available after `initialize` and do not change.
  const open = once(async () => {
    const canAsk = server.getClientCapabilities()?.elicitation?.form !== undefined;
    return (await openGame()).connect({
      name: toClientName(server),
      ...(canAsk && { confirm: createConfirmByElicitation(server, locale) }),
    });
  });

  let following: ReturnType<typeof followTools> | undefined;
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const session = await open().catch(throwProtocolError);
    following ??= followTools(server, session);
    return { tools: session.tools() };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: input = {}, _meta } = params;
    const asked = _meta?.[VERSION_KEY];
    const version = typeof asked === 'string' ? asked : undefined;
    const session = await open().catch(throwProtocolError);
    const stopProgress = sendProgress(extra, name);
    try {
      return toToolResult(await session.call({ name, input, version, signal: extra.signal }));
    } finally {
      stopProgress();
    }
  });

  const resources = serveResources(server, openGame, open);
  servePrompts(server, locale);
  serveCompletions(server, locale, open);
  if (known) noteRoots(server, known, { locale, onFault: streams.onFault });

  const transport = createStdioTransport({
    input: streams.input,
    write: streams.write,
    onEnd: () => void transport.idle(AbortSignal.timeout(LAST_CALLS_TIMEOUT_MS)).then(() => server.close()),
  });
  server.onerror = streams.onFault;
  const ended = new Promise<void>((resolve) => {
    server.onclose = () => {
      resources.unwatch();
      following?.stop();
      resolve();
    };
  });
  await server.connect(transport);
  return { close: () => server.close(), ended };
}

/** Tells client and user when the game is in none of the folders that the client has open, at the start and when they change. */
function noteRoots(
  server: Server,
  game: McpProject,
  { locale, onFault }: { locale: McpFacts['locale']; onFault: Streams['onFault'] },
): void {
  const look = async (): Promise<void> => {
    const folders = await readRoots(server);
    if (folders === null || folders.length === 0 || (await isAmong(game.root, folders))) return;
    const data = mcpTexts.translate(locale, 'roots.outside', { title: game.title, client: toClientName(server) });
    onFault(new Error(data));
    await server.sendLoggingMessage({ level: 'warning', logger: 'roots', data });
  };
  const lookSoon = (): void => void look().catch(onFault);
  server.oninitialized = lookSoon;
  server.setNotificationHandler(RootsListChangedNotificationSchema, lookSoon);
}

function toClientName(server: Server): string {
  return server.getClientVersion()?.name.slice(0, 100) ?? 'MCP';
}

/** Returns a function that does something once; after a failure, the next call tries again. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}
