import { z } from 'zod';
import type { Keychain } from '../app-data/secrets.ts';

const Stored = z.strictObject({ v: z.literal(1), target: z.string(), values: z.record(z.string(), z.string()) });
type Stored = z.infer<typeof Stored>;

/**
 * Values of variables, headers and tokens by service, each bound to what it was entered for (`target`): a service whose command or
 * address changed does not receive them. They are in the keychain; where there is none, in memory until the app ends.
 */
export interface ProviderSecrets {
  get(id: string, target: string): Promise<Record<string, string>>;
  set(id: string, target: string, values: Readonly<Record<string, string>>): Promise<void>;
  /** Removes the values; `restore` brings them back until the app ends. */
  forget(id: string): Promise<void>;
  restore(id: string): Promise<void>;
}

export function createProviderSecrets(keychain: Keychain | null): ProviderSecrets {
  const memory = new Map<string, string>();
  const forgotten = new Map<string, string>();
  const toAccount = (id: string) => `provider:${id}`;

  async function read(id: string): Promise<string | null> {
    const kept = memory.get(id);
    if (kept !== undefined) return kept;
    // Without a keychain, or with a locked one, there are no values, and the service says what it misses.
    return (await keychain?.get(toAccount(id)).catch(() => null)) ?? null;
  }

  async function write(id: string, text: string): Promise<void> {
    const isKept = await keychain?.set(toAccount(id), text).then(
      () => true,
      () => false,
    );
    if (isKept === true) memory.delete(id);
    else memory.set(id, text);
  }

  return {
    async get(id, target) {
      const stored = parse(await read(id));
      return stored?.target === target ? stored.values : {};
    },
    set: (id, target, values) => write(id, JSON.stringify({ v: 1, target, values } satisfies Stored)),
    async forget(id) {
      const text = await read(id);
      if (text !== null) forgotten.set(id, text);
      memory.delete(id);
      await keychain?.delete(toAccount(id)).catch(() => undefined);
    },
    async restore(id) {
      const text = forgotten.get(id);
      forgotten.delete(id);
      if (text !== undefined) await write(id, text);
    },
  };
}

function parse(text: string | null): Stored | null {
  if (text === null) return null;
  try {
    return Stored.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
