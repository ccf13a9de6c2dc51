const HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const PROTOCOLS = new Set(['http:', 'https:', 'ws:', 'wss:']);

/**
 * True for an address of this machine: a web address whose host, as the browser itself reads it, is one of three names.
 * Other spellings of the same machine are not needed; names that merely begin like it, user names before an `@` and
 * other schemes are somewhere else.
 */
export function isLoopbackAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  return PROTOCOLS.has(protocol) && HOSTS.has(hostname) && username === '' && password === '';
}

/** True for what a page makes up out of itself and fetches from nowhere. */
export function isOwnMaking(address: string): boolean {
  return /^(data|blob|about):/i.test(address);
}
