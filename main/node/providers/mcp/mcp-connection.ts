import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolResultSchema,
  ListResourcesResultSchema,
  ReadResourceResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { createRepeater } from '../../../../shared/async.ts';
import type { OfferedCapability, ProviderAnswer, ProviderCall } from '../../../core/ports/providers/provider.ts';
import { LIST_RESOURCES, listTools, READ_RESOURCE } from './list-tools.ts';
import { createResourceNames, type ResourceNames } from './resource-names.ts';
import { toResourceAnswer, toResourceList, toToolAnswer } from './to-content.ts';

/** Milliseconds until a server has to answer first; one that is downloaded first takes long. */
const START_MS = 60_000;
/** Milliseconds between two lists, however often the server says that its list changed. */
const LIST_PAUSE_MS = 200;

/** An open connection to a server. */
export interface McpConnection {
  version: string | undefined;
  capabilities(): readonly OfferedCapability[];
  call(request: ProviderCall): Promise<ProviderAnswer>;
  close(): Promise<void>;
}

interface ConnectionEvents {
  /** The list of tools is another one. */
  listed(): void;
  closed(): void;
}

interface ConnectionOptions {
  /** The app's. */
  version: string;
  /** The server's, in sentences. */
  name: string;
  events: ConnectionEvents;
  startMs?: number;
}

/**
 * Connects to a server and lists what it offers. The client offers nothing itself: no folders, no model, no questions. Rejects if the
 * server does not answer in time.
 */
export async function connectMcp(
  transport: Transport,
  { version, name, events, startMs = START_MS }: ConnectionOptions,
): Promise<McpConnection> {
  const client = new Client({ name: 'webgal-agent', version }, { capabilities: {} });
  const names = createResourceNames(name);
  let offered: readonly OfferedCapability[] = [];
  const relist = createRepeater(async () => {
    // A server that cannot list any more keeps what it had; its calls say what is wrong.
    offered = await listTools(client).catch(() => offered);
    events.listed();
    await new Promise((resolve) => setTimeout(resolve, LIST_PAUSE_MS).unref());
  });
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void relist());
  // The limit of the client's own holds for the first answer only, not for the message after it.
  const late = setTimeout(() => void client.close(), startMs);
  try {
    await client.connect(transport, { timeout: startMs });
    clearTimeout(late);
    offered = await listTools(client);
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(late);
  }
  // Only now: a start that fails ends the connection, too, and has its own error.
  client.onclose = events.closed;
  return {
    version: client.getServerVersion()?.version,
    capabilities: () => offered,
    call: (request) => callServer(client, request, { offered, names }),
    close: () => client.close(),
  };
}

async function callServer(
  client: Client,
  { name, input, signal, timeout, onProgress }: ProviderCall,
  { offered, names }: { offered: readonly OfferedCapability[]; names: ResourceNames },
): Promise<ProviderAnswer> {
  const options = { signal, timeout, maxTotalTimeout: timeout };
  const isOwn = offered.filter((each) => each.name === name).length === 1 && client.getServerCapabilities()?.resources;
  if (isOwn && name === LIST_RESOURCES) {
    const params = typeof input.cursor === 'string' ? { cursor: input.cursor } : {};
    const page = await client.request({ method: 'resources/list', params }, ListResourcesResultSchema, options);
    return toResourceList(page, names);
  }
  if (isOwn && name === READ_RESOURCE) {
    const params = { uri: names.toAddress(String(input.uri)) };
    return toResourceAnswer(
      await client.request({ method: 'resources/read', params }, ReadResourceResultSchema, options),
    );
  }
  const params = { name, arguments: input };
  const result = await client.request({ method: 'tools/call', params }, CallToolResultSchema, {
    ...options,
    onprogress: ({ progress, total, message }) =>
      onProgress(message ?? (total === undefined ? String(progress) : `${progress} / ${total}`)),
  });
  return toToolAnswer(result, names);
}
