import { Socket as DatagramSocket } from 'node:dgram';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { Server, Socket } from 'node:net';

/** As Node's permission model reports what it denies. */
function deny(): never {
  throw Object.assign(new Error('Access to this API has been restricted: a replay has no network.'), {
    code: 'ERR_ACCESS_DENIED',
  });
}

/**
 * Takes the network from this process before a provider is loaded. All of Node's clients and servers (http, https, tls, fetch,
 * WebSocket) use these sockets; the permission model, which does not cover the network, keeps the provider from internal bindings, workers
 * and native code.
 */
export function closeNetwork(): void {
  const members: [object, readonly string[]][] = [
    [Socket.prototype, ['connect']],
    [Server.prototype, ['listen']],
    [DatagramSocket.prototype, ['bind', 'connect', 'send']],
    [dns, Object.keys(dns).filter((name) => /^(?:lookup|resolve|reverse)/.test(name))],
    [dns.promises, Object.keys(dns.promises).filter((name) => /^(?:lookup|resolve|reverse)/.test(name))],
  ];
  for (const [owner, names] of members) {
    for (const name of names) Object.defineProperty(owner, name, { value: deny, writable: false, configurable: false });
  }
  // Names that a module imports from `node:dns` are copies.
  syncBuiltinESMExports();
}
