import { z } from 'zod';
import { ProviderName } from '../capability/namespace.ts';
import { Role } from '../capability/role.ts';
import { LocalText } from '../local-text.ts';
import { McpTransport } from './mcp-server.ts';

/** Stands in a list of refused tools for all that come after the last one. */
export const REST_OF_TOOLS = '…';

const Problem = z.object({
  code: z.string(),
  message: z.string(),
  reason: z.string().optional(),
  hint: z.string().optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});

/** Another program that offers capabilities, as the settings page shows it. */
export const ProviderRow = z.object({
  id: ProviderName,
  name: z.string(),
  kind: z.enum(['mcp', 'gateway']),
  status: z.enum(['off', 'unconfirmed', 'starting', 'signIn', 'ready', 'failed']),
  /** Why it is not ready, or why nothing of it was taken on. */
  problem: Problem.nullable(),
  /** When it is started again, in milliseconds since 1970; null: not by itself. */
  retryAt: z.number().nullable(),
  /** Number of its capabilities that can be used. */
  offered: z.int().min(0),
  /** Capabilities that were left out, and why; at most 20. */
  refused: z.array(z.object({ name: z.string(), why: LocalText })),
  role: Role,
  /** How an MCP server is started; null for a program that connects by itself. */
  transport: McpTransport.nullable(),
  /** What the user has to see before it is started. */
  consent: z.string().nullable(),
});
export type ProviderRow = z.infer<typeof ProviderRow>;

/** What became of servers that the user entered. */
export const AddedServers = z.object({
  added: z.array(ProviderName),
  refused: z.array(z.object({ name: z.string(), why: LocalText })),
});
export type AddedServers = z.infer<typeof AddedServers>;
