import { type ClientOptions, WebSocket } from 'ws';
import { assertLoopback } from './allowed-addresses.ts';

/** Opens a socket to an address of this machine. Throws for any other. */
export function openLoopbackSocket(address: string, options: ClientOptions, protocols: string[] = []): WebSocket {
  assertLoopback(address);
  return new WebSocket(address, protocols, options);
}
