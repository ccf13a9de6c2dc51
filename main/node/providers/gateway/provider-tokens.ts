import { createHash, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { createSerialQueue } from '../../../../shared/async.ts';
import { AppError } from '../../../../shared/errors.ts';
import { OWN_PROVIDER, ProviderName } from '../../../../shared/model/capability/namespace.ts';
import type { ProviderToken } from '../../../core/ports/providers/gateway.ts';
import { writeDurably } from '../../files/durable-file.ts';
import { toIoError } from '../../files/io-error.ts';
import { readPrivateFile } from '../../files/private-file.ts';

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
  const file = path.join(dataFolder, FILE);
  const queue = createSerialQueue();
  let known: { bytes: Buffer; tokens: readonly Stored[]; byDigest: ReadonlyMap<string, string> } | null = null;

  /** Reads the file each time, because another window may have changed it, and parses it only if it changed. */
  async function readKnown(): Promise<NonNullable<typeof known>> {
    const bytes = (await readPrivateFile(file, FILE)) ?? Buffer.from('[]');
    if (known?.bytes.equals(bytes)) return known;
    const tokens = parse(bytes.toString());
    known = { bytes, tokens, byDigest: new Map(tokens.map(({ digest, provider }) => [digest, provider])) };
    return known;
  }
  const read = async (): Promise<readonly Stored[]> => (await readKnown()).tokens;

  async function write(change: (tokens: readonly Stored[]) => Stored[]): Promise<void> {
    try {
      const next = change(await read());
      await mkdir(dataFolder, { recursive: true, mode: 0o700 });
      await writeDurably(file, `${JSON.stringify(next, null, 2)}\n`, 0o600);
    } catch (error) {
      throw toIoError(error, FILE);
    }
  }

  return {
    list: () => queue.run(async () => (await read()).map(({ provider, createdAt }) => ({ provider, createdAt }))),
    create: (provider) =>
      queue.run(async () => {
        if (!ProviderName.safeParse(provider).success || provider === OWN_PROVIDER) {
          throw new AppError('E_BAD_ARGS', `${JSON.stringify(provider.slice(0, 64))} is no name for a provider.`, {
            hint: 'Use lower-case letters, digits and single dashes.',
            reason: 'provider.badName',
          });
        }
        const others = (await read()).filter((each) => each.provider !== provider);
        if (others.length >= MAX_TOKENS) {
          throw new AppError('E_TOO_LARGE', `There are ${MAX_TOKENS} providers already.`, {
            hint: 'Remove one that is not used any more.',
            reason: 'provider.tooMany',
            details: { count: MAX_TOKENS },
          });
        }
        const token = `${PREFIX}${randomBytes(32).toString('base64url')}`;
        const added = { provider, digest: toDigest(token), createdAt: now() };
        await write((tokens) => [...tokens.filter((each) => each.provider !== provider), added]);
        return token;
      }),
    remove: (provider) => queue.run(() => write((tokens) => tokens.filter((each) => each.provider !== provider))),
    // How long the look-up takes could tell something of a digest only, of which no token can be made.
    find: (token) => queue.run(async () => (await readKnown()).byDigest.get(toDigest(token)) ?? null),
  };
}

function parse(text: string): readonly Stored[] {
  try {
    return z.array(Stored).max(MAX_TOKENS).parse(JSON.parse(text));
  } catch {
    return []; // Nothing connects; the user creates tokens anew.
  }
}

/** Returns the SHA-256 in hexadecimal digits. */
function toDigest(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
