import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ListToolsResultSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { OfferedCapability } from '../../../core/ports/providers/provider.ts';

const MAX_PAGES = 20;
const MAX_TOOLS = 1000;
const TIMEOUT_MS = 15_000;

/** Names of the capabilities that every server with resources has. */
export const LIST_RESOURCES = 'resources/list';
export const READ_RESOURCE = 'resources/read';

/**
 * Lists the tools of a server, page by page. The requests are sent without the client's own `listTools`, which compiles the
 * schemas of the server.
 */
export async function listTools(client: Client): Promise<OfferedCapability[]> {
  const tools: Tool[] = [];
  const { tools: hasTools, resources } = client.getServerCapabilities() ?? {};
  let cursor: string | undefined;
  for (let page = 0; hasTools && page < MAX_PAGES && tools.length < MAX_TOOLS; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: 'tools/list', params }, ListToolsResultSchema, {
      timeout: TIMEOUT_MS,
    });
    tools.push(...result.tools);
    // A server that returns the same page for ever repeats its cursor.
    if (result.nextCursor === undefined || result.nextCursor === cursor) break;
    cursor = result.nextCursor;
  }
  return [...tools.slice(0, MAX_TOOLS).map(toOffered), ...(resources ? RESOURCES : [])];
}

function toOffered({ name, title, description, inputSchema, annotations }: Tool): OfferedCapability {
  const { readOnlyHint, destructiveHint: destructive, openWorldHint: openWorld } = annotations ?? {};
  const isReading = readOnlyHint === true;
  const shown = title ?? annotations?.title;
  return {
    name,
    // A claim of the server: it decides which role it needs, and nothing about whether the user is asked.
    type: isReading ? 'context' : 'action',
    ...(shown !== undefined && { title: shown }),
    ...(description !== undefined && { description }),
    parameters: inputSchema,
    ...(!isReading && destructive === true && { risk: 'high' as const }),
    ...((destructive ?? openWorld) !== undefined && {
      // The protocol gives `destructiveHint` a meaning only where something is changed.
      hints: {
        ...(!isReading && destructive !== undefined && { destructive }),
        ...(openWorld !== undefined && { openWorld }),
      },
    }),
  };
}

const RESOURCES: readonly OfferedCapability[] = [
  {
    name: LIST_RESOURCES,
    type: 'context',
    description: 'Lists the texts and files that this service offers for reading, with their addresses.',
    parameters: { type: 'object', properties: { cursor: { type: 'string' } }, additionalProperties: false },
  },
  {
    name: READ_RESOURCE,
    type: 'context',
    description: 'Reads one of the texts or files that this service offers, by its address.',
    parameters: {
      type: 'object',
      properties: { uri: { type: 'string' } },
      required: ['uri'],
      additionalProperties: false,
    },
  },
];
