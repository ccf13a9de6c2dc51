import { z } from 'zod';
import { ProviderName } from '../capability/namespace.ts';

/** Control characters and those that change the direction of writing: a command with them could look like another. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const plain = (limit: number) =>
  z
    .string()
    .max(limit)
    .refine((text) => !HIDDEN.test(text), 'has hidden characters');

/** The name of a variable or a header whose value is in the keychain. */
const SecretName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/);

export const McpTransport = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('stdio'),
    command: plain(500).min(1),
    args: z.array(plain(2000)).max(64),
    /** Names of its variables. */
    env: z.array(SecretName).max(32),
  }),
  z.strictObject({
    type: z.literal('http'),
    url: plain(1000),
    /** Names of its headers. */
    headers: z.array(SecretName).max(32),
  }),
]);
export type McpTransport = z.infer<typeof McpTransport>;

/** A server of the Model Context Protocol that the user added. */
export const McpServer = z.strictObject({
  id: ProviderName,
  name: plain(60).min(1),
  transport: McpTransport,
  enabled: z.boolean(),
  /** What the user agreed to start, as `toConsentText` writes it; null: nothing yet. */
  agreed: z.string().max(200_000).nullable(),
});
export type McpServer = z.infer<typeof McpServer>;

/** Returns all that the user agrees to when a server is started for the first time; another text needs a new agreement. */
export function toConsentText({ transport }: Pick<McpServer, 'transport'>): string {
  return JSON.stringify(
    transport.type === 'stdio'
      ? [transport.type, transport.command, transport.args, transport.env]
      : [transport.type, transport.url, transport.headers],
  );
}
