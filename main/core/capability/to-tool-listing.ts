import { z } from 'zod';
import type { Locale } from '../../../shared/model/text.ts';
import type { Tool } from './define-tool.ts';
import { toArgumentSchema } from './parse-input.ts';

/** A tool as a list for other programs names it. */
export interface ToolListing {
  name: string;
  title: string;
  description: string;
  /** JSON Schema 2020-12 of the arguments and of the answer. */
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  outputSchema: { type: 'object'; [keyword: string]: unknown };
  /** Hints, all of them given, in the words of the Model Context Protocol. */
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** What reaches beyond the app: files, programs, and pages, where a click can do whatever the page lets it. */
const REACHING = ['fs.write', 'fs.delete', 'proc.exec', 'net.connect', 'git.write'] as const;

/** Everything a client is told about a tool, derived from its declaration. */
export function toToolListing(tool: Tool, locale: Locale): ToolListing {
  const has = (permission: Tool['permissions'][number]) => tool.permissions.includes(permission);
  const changes = tool.sideEffects !== 'none' && REACHING.some(has);
  const title = tool.title[locale];
  return {
    name: tool.name,
    title,
    description: tool.description,
    inputSchema: toObjectSchema(toArgumentSchema(tool)),
    outputSchema: toObjectSchema(z.toJSONSchema(tool.output, { io: 'output', target: 'draft-2020-12' })),
    annotations: {
      title,
      readOnlyHint: !changes,
      // Not merely additive, in the protocol's words: that every text is kept first does not make replacing it an addition.
      destructiveHint: changes,
      // A text can be added at an end twice, and a command run twice.
      idempotentHint: !changes,
      openWorldHint: has('net.connect'),
    },
  };
}

/** Some clients know no alternatives at the top of a schema; the tool itself still holds every call to them. */
function toObjectSchema(schema: Record<string, unknown>): ToolListing['inputSchema'] {
  const { $id: _, oneOf: __, anyOf: ___, allOf: ____, ...rest } = schema;
  return { ...rest, type: 'object' };
}
