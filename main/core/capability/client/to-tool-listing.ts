import { z } from 'zod';
import { type Locale, toLocalText } from '../../../../shared/model/local-text.ts';
import { toViewerSection } from '../../../../shared/model/viewer/viewer-section.ts';
import type { Tool } from '../define-tool.ts';
import { toArgumentSchema } from '../parsing/parse-input.ts';

/** A tool in a list for other programs. */
export interface ToolListing {
  name: string;
  title: string;
  description: string;
  /** JSON Schema 2020-12 of arguments and result. */
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  outputSchema: { type: 'object'; [keyword: string]: unknown };
  /** Annotations of the Model Context Protocol, all set explicitly. */
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

/** Permissions with effects outside of the app: files, programs and web pages. */
const REACHING = ['fs.write', 'fs.delete', 'proc.exec', 'net.connect', 'git.write'] as const;

/** Returns the listing of a tool, derived from its declaration. */
export function toToolListing(tool: Tool, locale: Locale): ToolListing {
  const has = (permission: Tool['permissions'][number]) => tool.permissions.includes(permission);
  const changes = tool.sideEffects !== 'none' && REACHING.some(has);
  const title = toLocalText(tool.title, locale);
  return {
    name: tool.name,
    title,
    // The instructions of the app's own model list the actions.
    description: tool.audience === 'window' ? `${tool.description}\n\n${toViewerSection()}` : tool.description,
    inputSchema: toObjectSchema(toArgumentSchema(tool)),
    outputSchema: toObjectSchema(z.toJSONSchema(tool.output, { io: 'output', target: 'draft-2020-12' })),
    annotations: {
      title,
      readOnlyHint: !changes,
      // Replacing a text is destructive in the protocol's terms, although a snapshot is kept.
      destructiveHint: changes,
      // Appending or running twice has another effect than once.
      idempotentHint: !changes,
      openWorldHint: has('net.connect'),
    },
  };
}

/** Flattens top-level alternatives, which some clients do not support; calls are still parsed with the full schema. */
function toObjectSchema(schema: Record<string, unknown>): ToolListing['inputSchema'] {
  const { $id: _, oneOf: __, anyOf: ___, allOf: ____, ...rest } = schema;
  return { ...rest, type: 'object' };
}
