import { type ClientOptions, WebSocket } from 'ws';
import { isLoopbackAddress } from './allowed-addresses.ts';

export type Fetch = typeof globalThis.fetch;

/**
 * Creates the function through which a model is called. `address` is the result of `toModelAddress`. Refuses redirects and
 * requests to any other origin, because each would send the key to an address that was not checked. `transport`: the
 * host's own, where it supports proxies and certificates.
 */
export function createModelFetch(address: string, transport: Fetch = globalThis.fetch): Fetch {
  const { origin } = new URL(address);
  return async (input, init) => {
    const url = input instanceof Request ? input.url : input;
    if (new URL(url).origin !== origin) throw new Error('A request left the address of the service.');
    return transport(input, { ...init, redirect: 'error' });
  };
}

/** Requests an address of this machine. Rejects for any other and for redirects. */
export async function fetchFromLoopback(address: string, signal: AbortSignal): Promise<Response> {
  assertLoopback(address);
  return fetch(address, { signal, redirect: 'error' });
}

/** Posts to an address of this machine. Rejects for any other and for redirects. */
export async function postToLoopback(
  address: string,
  request: { headers: Record<string, string>; body: string; signal: AbortSignal },
): Promise<Response> {
  assertLoopback(address);
  return fetch(address, { ...request, method: 'POST', redirect: 'error' });
}

/** Opens a socket to an address of this machine. Throws for any other. */
export function openLoopbackSocket(address: string, options: ClientOptions, protocols: string[] = []): WebSocket {
  assertLoopback(address);
  return new WebSocket(address, protocols, options);
}

function assertLoopback(address: string): void {
  if (!isLoopbackAddress(address)) throw new Error('The address is not one of this machine.');
}
