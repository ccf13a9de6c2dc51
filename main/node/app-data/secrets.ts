import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { isCatalogueOrigin } from '../../../shared/model/provider-address.ts';
import { type KeyState, PROVIDER_IDS, type ProviderId } from '../../../shared/model/settings.ts';
import type { ProviderOrigins, Secrets } from '../../core/ports/stores/settings-store.ts';

/** A keychain that waits for a password must not block the app. */
const TIMEOUT_MS = 3000;

/**
 * Returns the keychain service: an app with a folder of its own (a portable copy, a test) has separate keys and never
 * touches those of the installed app.
 */
function toServiceName(environment: NodeJS.ProcessEnv): string {
  const home = environment.WEBGAL_AGENT_HOME;
  if (!home) return 'WebGAL Agent';
  return `WebGAL Agent ${createHash('sha256').update(path.resolve(home)).digest('hex').slice(0, 8)}`;
}

export interface Keychain {
  get(account: string): Promise<string | null>;
  set(account: string, password: string): Promise<void>;
  delete(account: string): Promise<void>;
}

/**
 * Creates the operating system's keychain. The package's `keytar` API is the same with one difference: on Linux without a
 * secret service it silently uses the kernel's keyring, which a restart empties, while the app would report the key as
 * stored.
 */
export function createKeychain(service: string = toServiceName(process.env)): Keychain {
  // Loaded on demand: where its native part is missing, the app starts without a keychain.
  const at = async (account: string) => {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    return new AsyncEntry(service, account, { linux: { store: 'secret-service' } });
  };
  return {
    get: async (account) => (await (await at(account)).getPassword(AbortSignal.timeout(TIMEOUT_MS))) ?? null,
    set: async (account, password) => (await at(account)).setPassword(password, AbortSignal.timeout(TIMEOUT_MS)),
    delete: async (account) => {
      await (await at(account)).deletePassword(AbortSignal.timeout(TIMEOUT_MS));
    },
  };
}

async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The keychain does not answer.')), TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A key with the origin it was entered for; null for one that an earlier version stored without. */
interface BoundKey {
  key: string;
  origin: string | null;
}

const Stored = z.strictObject({ v: z.literal(2), origin: z.string(), key: z.string() });

function toStored({ key, origin }: { key: string; origin: string }): string {
  return JSON.stringify({ v: 2, origin, key } satisfies z.infer<typeof Stored>);
}

function fromStored(text: string): BoundKey {
  try {
    const { key, origin } = Stored.parse(JSON.parse(text));
    return { key, origin };
  } catch {
    // No key of any service is such an object.
    return { key: text, origin: null };
  }
}

/** Returns whether a key may be sent to an origin. A key without an origin is for the provider's own addresses only. */
function isFor(provider: ProviderId, { origin }: BoundKey, wanted: string | undefined): boolean {
  if (wanted === undefined) return false;
  return origin === null ? isCatalogueOrigin(provider, wanted) : origin === wanted;
}

/**
 * The stored key of a provider at an origin. `elsewhere`: a key that was entered for another origin, which is not
 * returned.
 */
export type KeyAt = { kind: 'key'; key: string } | { kind: 'none' } | { kind: 'elsewhere' };

/**
 * Creates the store of the providers' keys, each bound to the origin it was entered for. They are stored in the keychain;
 * where there is none, or it fails, in memory until the app ends, and `KeyState.place` reports that. Only the model
 * client may call `get`. No key is ever written to a file of the app.
 */
export function createSecrets(
  keychain: Keychain | null = createKeychain(),
): Secrets & { get(provider: ProviderId, origin: string): Promise<KeyAt> } {
  const memory = new Map<ProviderId, BoundKey>();
  let usable: Promise<Keychain | null> | undefined;

  /** Finds the keychain with a read only: no entry is created just to test it. */
  function probe(): Promise<Keychain | null> {
    usable ??= keychain
      ? withDeadline(keychain.get('probe')).then(
          () => keychain,
          () => null, // No keychain on this machine, or locked: use memory.
        )
      : Promise.resolve(null);
    return usable;
  }

  async function find(provider: ProviderId): Promise<BoundKey | null> {
    const inMemory = memory.get(provider);
    if (inMemory !== undefined) return inMemory;
    const chain = await probe();
    // Locked since it was probed: treated as no key, and the page asks for one.
    const text = chain ? await withDeadline(chain.get(provider)).catch(() => null) : null;
    return text === null ? null : fromStored(text);
  }

  async function state(origins: ProviderOrigins): Promise<KeyState> {
    const chain = await probe();
    const keys = await Promise.all(PROVIDER_IDS.map(async (provider) => ({ provider, found: await find(provider) })));
    const isHere = ({ provider, found }: (typeof keys)[number]) =>
      found !== null && isFor(provider, found, origins.get(provider));
    const kept = keys.filter(({ found }) => found !== null);
    return {
      stored: kept.filter(isHere).map(({ provider }) => provider),
      elsewhere: kept.filter((one) => !isHere(one)).map(({ provider }) => provider),
      place: chain && memory.size === 0 ? 'keychain' : 'memory',
    };
  }

  return {
    state,

    async get(provider, origin) {
      const found = await find(provider);
      if (found === null) return { kind: 'none' };
      return isFor(provider, found, origin) ? { kind: 'key', key: found.key } : { kind: 'elsewhere' };
    },

    async set(provider, key, origins) {
      const origin = origins.get(provider);
      if (origin === undefined) {
        throw new AppError('E_BAD_ARGS', 'This service has no address yet, and a key is kept for one address only.', {
          hint: 'Enter the address first, then the key.',
          reason: 'keys.noAddress',
        });
      }
      const chain = await probe();
      const kept = chain
        ? await withDeadline(chain.set(provider, toStored({ key, origin }))).then(isTrue, isFalse)
        : false;
      if (kept) memory.delete(provider);
      else memory.set(provider, { key, origin });
      return state(origins);
    },

    async forgetAll(origins) {
      memory.clear();
      const chain = await probe();
      const deleted = await Promise.allSettled(
        chain ? PROVIDER_IDS.map((provider) => withDeadline(chain.delete(provider))) : [],
      );
      if (deleted.every((result) => result.status === 'fulfilled')) return state(origins);
      throw new AppError('E_IO', 'The keychain did not remove every key.', {
        hint: 'Unlock the keychain of your system and try again.',
        reason: 'keys.notForgotten',
      });
    },
  };
}

const isTrue = (): true => true;
const isFalse = (): false => false;
