import { AppError } from '../../../../shared/errors.ts';

/** Names that a connection remembers; the oldest are forgotten. */
const MAX_NAMES = 10_000;
const MAX_TAIL = 40;
const NAME = /^res:[0-9a-f]{8}(?:_|$)/;

/**
 * The names by which resources are listed and read, for as long as a connection. Addresses often are absolute paths, which neither
 * reach the model nor are taken from it. A name is unguessable, so that one of an earlier connection never means another resource.
 */
export interface ResourceNames {
  /** Returns the name of a resource that the server lists: `res:1f3a9c2e_keys.txt`. */
  give(address: string): string;
  /** Returns the name of an address that was listed; another address as it is. */
  show(address: string): string;
  /** Returns the address of a name; what is no name as it is. Throws `E_NOT_FOUND` for a name that was not given. */
  toAddress(name: string): string;
}

export function createResourceNames(provider: string): ResourceNames {
  const names = new Map<string, string>();
  const addresses = new Map<string, string>();

  function forgetOldest(): void {
    const [oldest] = names;
    if (oldest === undefined || names.size <= MAX_NAMES) return;
    names.delete(oldest[0]);
    addresses.delete(oldest[1]);
  }

  return {
    give(address) {
      const name = names.get(address) ?? toNewName(address, addresses);
      // As the newest one, also where it is listed again.
      names.delete(address);
      names.set(address, name);
      addresses.set(name, address);
      forgetOldest();
      return name;
    },
    show: (address) => names.get(address) ?? address,
    toAddress(name) {
      const address = addresses.get(name);
      if (address === undefined && NAME.test(name)) throw toUnlisted(provider);
      return address ?? name;
    },
  };
}

function toNewName(address: string, taken: ReadonlyMap<string, string>): string {
  const tail = toTail(address);
  for (;;) {
    const name = `res:${crypto.randomUUID().slice(0, 8)}${tail && `_${tail}`}`;
    if (!taken.has(name)) return name;
  }
}

/** Returns the last part of an address, so that who is asked sees what it is. It looks like no key: those are not sent either. */
function toTail(address: string): string {
  const last = toDecoded(address.split(/[/\\]/).at(-1) ?? '').toLowerCase();
  const [ending = ''] = /\.[a-z0-9]{1,5}$/.exec(last) ?? [];
  const words = last.slice(0, last.length - ending.length).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 ? '' : `${words.join('_').slice(0, MAX_TAIL)}${ending}`.toWellFormed();
}

function toDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function toUnlisted(provider: string): AppError {
  return new AppError('E_NOT_FOUND', `${provider} has listed nothing of this name since it was connected.`, {
    details: { provider },
    hint: 'List its resources, and use a name of that list.',
    reason: 'provider.unlisted',
  });
}
