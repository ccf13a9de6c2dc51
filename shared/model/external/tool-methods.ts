import { z } from 'zod';
import { method } from '../../method.ts';
import { ProviderName } from '../capability/namespace.ts';
import { Role } from '../capability/role.ts';
import { PolicyFacts, ToolChoice, ToolFacts, ToolName } from '../capability.ts';
import { AddedServers, ProviderRow } from './provider-row.ts';

const nothing = z.strictObject({});
const one = z.strictObject({ id: ProviderName });

/** The part of the contract about tools, and about the services that offer more of them. */
export const toolMethods = {
  /** All tools of the assistant, with the user's choice and the effect of the open game's policy file for each. */
  'tools.list': method(nothing, z.object({ tools: z.array(ToolFacts), policy: PolicyFacts.nullable() })),
  /** What the assistant may do with a tool; null restores the recommended choice. */
  'settings.chooseTool': method(z.strictObject({ tool: ToolName, choice: ToolChoice.nullable() }), nothing),
  /** Restores the recommended choice for every tool. */
  'settings.resetTools': method(nothing, nothing),
  /** Offers the open conversation the tools that exist now; until then its list stays as it was at its first message. */
  'tools.renew': method(
    nothing,
    z.object({
      added: z.array(z.string()),
      removed: z.array(z.string()),
      /** Tools of programs that are not offered, because there are too many. */
      leftOut: z.array(z.object({ provider: z.string(), count: z.int() })),
    }),
  ),
  /** How many tools came, went or changed since the open conversation was offered its list. */
  'tools.pending': method(nothing, z.object({ added: z.int(), removed: z.int(), changed: z.int() })),
  'providers.list': method(nothing, z.object({ providers: z.array(ProviderRow) })),
  /** Adds MCP servers from a pasted `mcpServers` block, an address or a command. None is started. */
  'providers.add': method(z.strictObject({ text: z.string().min(1).max(100_000) }), AddedServers),
  /** The user saw `shown` and agrees to start it, with this role. */
  'providers.agree': method(z.strictObject({ id: ProviderName, shown: z.string().max(200_000), role: Role }), nothing),
  'providers.setEnabled': method(z.strictObject({ id: ProviderName, enabled: z.boolean() }), nothing),
  'providers.setRole': method(z.strictObject({ id: ProviderName, role: Role }), nothing),
  'providers.remove': method(one, nothing),
  /** Brings back a service that was removed since the start of the app. */
  'providers.restore': method(one, nothing),
  'providers.retry': method(one, nothing),
  /** Begins to sign in, and opens the page of the service in the system's browser. */
  'providers.signIn': method(one, nothing),
};
