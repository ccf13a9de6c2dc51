import { createHash } from 'node:crypto';
import path from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { type KeyState, PROVIDER_IDS, type ProviderId } from '../../shared/model/settings.ts';
import type { Secrets } from '../core/ports.ts';

/** A keychain that asks for a password no one types must not keep the app waiting. */
const TIMEOUT_MS = 3000;

/** An app with a folder of its own (a portable copy, a test) has keys of its own and never touches the installed one's. */
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
 * The operating system's keychain. The package's `keytar` face is the same but for one thing: on Linux without a
 * secret service it quietly uses the kernel's keyring, which a restart empties, while we would say that the key is kept.
 */
export function createKeychain(service: string = toServiceName(process.env)): Keychain {
  // Loaded when first asked: where its native part is missing, the app starts all the same and has no keychain.
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

/**
 * The providers' keys. Kept in the keychain; where there is none, or it refuses, in memory until the app ends, and
 * `KeyState.place` says so. `get` is for the model client alone. No key is ever written to a file of ours.
 */
export function createSecrets(
  keychain: Keychain | null = createKeychain(),
): Secrets & { get(provider: ProviderId): Promise<string | null> } {
  const memory = new Map<ProviderId, string>();
  let usable: Promise<Keychain | null> | undefined;

  /** Reading asks for nothing but an answer: no entry is made just to see whether one could be. */
  function probe(): Promise<Keychain | null> {
    usable ??= keychain
      ? withDeadline(keychain.get('probe')).then(
          () => keychain,
          () => null, // No keychain on this machine, or locked: memory it is.
        )
      : Promise.resolve(null);
    return usable;
  }

  async function get(provider: ProviderId): Promise<string | null> {
    const inMemory = memory.get(provider);
    if (inMemory !== undefined) return inMemory;
    const chain = await probe();
    // Locked since it was probed: as good as no key, and the page asks for one.
    return chain ? withDeadline(chain.get(provider)).catch(() => null) : null;
  }

  async function state(): Promise<KeyState> {
    const chain = await probe();
    const keys = await Promise.all(PROVIDER_IDS.map(get));
    return {
      stored: PROVIDER_IDS.filter((_, index) => keys[index] !== null),
      place: chain && memory.size === 0 ? 'keychain' : 'memory',
    };
  }

  return {
    get,
    state,

    async set(provider, key) {
      const chain = await probe();
      const kept = chain ? await withDeadline(chain.set(provider, key)).then(isTrue, isFalse) : false;
      if (kept) memory.delete(provider);
      else memory.set(provider, key);
      return state();
    },

    async forgetAll() {
      memory.clear();
      const chain = await probe();
      const deleted = await Promise.allSettled(
        chain ? PROVIDER_IDS.map((provider) => withDeadline(chain.delete(provider))) : [],
      );
      if (deleted.every((result) => result.status === 'fulfilled')) return state();
      throw new AppError('E_IO', 'The keychain did not let go of every key.', {
        hint: 'Unlock the keychain of your system and try again.',
        reason: 'keys.notForgotten',
      });
    },
  };
}

const isTrue = (): true => true;
const isFalse = (): false => false;
