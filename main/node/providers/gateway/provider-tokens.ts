import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../../shared/errors.ts';
import { OWN_PROVIDER, ProviderName } from '../../../../shared/model/capability/namespace.ts';
import type { ProviderToken } from '../../../core/ports/providers/gateway.ts';
import { createPrivateJson } from '../../files/private-json.ts';

const FILE = 'provider-tokens.json';
const MAX_TOKENS = 64;
/** Marks the token for programs that search texts for secrets. */
const PREFIX = 'wga_';

const Stored = z.object({ provider: ProviderName, digest: z.string().regex(/^[0-9a-f]{64}$/), createdAt: z.number() });
type Stored = z.infer<typeof Stored>;

/**
 * The tokens of providers. Only their SHA-256 is stored, in the app's data folder: a token has 256 random bits, so that its
 * digest tells nothing about it, and a copy of the file lets no one connect.
 */
export interface ProviderTokens {
  list(): Promise<ProviderToken[]>;
  /** Returns a new token; an earlier one of the provider is not valid any more. */
  create(provider: string): Promise<string>;
  remove(provider: string): Promise<void>;
  /** Returns the provider that a token is of; null if there is none. */
  find(token: string): Promise<string | null>;
}

export function createProviderTokens(dataFolder: string, now: () => number): ProviderTokens {
  const file = createPrivateJson(dataFolder, FILE, parse);
  const without = (tokens: readonly Stored[], provider: string) => tokens.filter((each) => each.provider !== provider);
  return {
    list: async () => (await file.read()).map(({ provider, createdAt }) => ({ provider, createdAt })),
    async create(provider) {
      if (!ProviderName.safeParse(provider).success || provider === OWN_PROVIDER) throw toBadName(provider);
      const token = `${PREFIX}${randomBytes(32).toString('base64url')}`;
      await file.change((tokens) => {
        const others = without(tokens, provider);
        if (others.length >= MAX_TOKENS) throw toTooMany();
        return [...others, { provider, digest: toDigest(token), createdAt: now() }];
      });
      return token;
    },
    remove: (provider) => file.change((tokens) => without(tokens, provider)),
    // How long the look-up takes could tell something of a digest only, of which no token can be made.
    async find(token) {
      const digest = toDigest(token);
      return (await file.read()).find((each) => each.digest === digest)?.provider ?? null;
    },
  };
}

/** Without a valid list nothing connects, and the user creates tokens anew. */
function parse(stored: unknown): readonly Stored[] {
  return z
    .array(Stored)
    .max(MAX_TOKENS)
    .parse(stored ?? []);
}

function toBadName(provider: string): AppError {
  return new AppError('E_BAD_ARGS', `${JSON.stringify(provider.slice(0, 64))} is no name for a provider.`, {
    hint: 'Use lower-case letters, digits and single dashes.',
    reason: 'provider.badName',
  });
}

function toTooMany(): AppError {
  return new AppError('E_TOO_LARGE', `There are ${MAX_TOKENS} providers already.`, {
    hint: 'Remove one that is not used any more.',
    reason: 'provider.tooMany',
    details: { count: MAX_TOKENS },
  });
}

/** Returns the SHA-256 in hexadecimal digits. */
function toDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
