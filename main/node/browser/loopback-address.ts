const HOSTS = new Set(['localhost', '127.0.0.1', '[::1]']);
const PROTOCOLS = new Set(['http:', 'https:', 'ws:', 'wss:']);

/**
 * Returns whether an address is one of this machine: a web address whose host, as the browser itself parses it, is one of
 * three names. Other spellings of this machine are not needed; names that merely begin like it, user names before an `@`
 * and other schemes are refused.
 */
export function isLoopbackAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  return PROTOCOLS.has(protocol) && HOSTS.has(hostname) && username === '' && password === '';
}

/** Returns whether a page creates the resource itself, without a network request. */
export function isOwnMaking(address: string): boolean {
  return /^(data|blob|about):/i.test(address);
}
