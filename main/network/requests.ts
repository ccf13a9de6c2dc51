import { type ClientOptions, WebSocket } from 'ws';
import { isLoopbackAddress, toServiceAddress } from './allowed-addresses.ts';

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

/** Most bytes of one answer of a service; an event stream without end has this limit for each second of it. */
const MAX_SERVICE_BYTES = 16 * 1024 * 1024;

/**
 * Creates the function through which a connected service is called. `address` is the result of `toServiceAddress`. Refuses redirects;
 * other origins, such as that of the page where the user signs in, must be safe by the same rule and receive no header of
 * the service. Answers are bounded.
 */
export function createServiceFetch(address: string, headers: Readonly<Record<string, string>>): Fetch {
  const { origin } = new URL(address);
  return async (input, init) => {
    const url = new URL(toServiceAddress(String(input instanceof Request ? input.url : input)));
    const sent = new Headers(init?.headers);
    if (url.origin === origin) for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const response = await fetch(url, { ...init, headers: sent, redirect: 'error' });
    if (response.body === null) return response;
    const { status, statusText } = response;
    return new Response(response.body.pipeThrough(createByteLimit()), {
      status,
      statusText,
      headers: response.headers,
    });
  };
}

function createByteLimit(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let since = Date.now();
  return new TransformStream({
    transform(chunk, controller) {
      if (Date.now() - since > 1000) {
        since = Date.now();
        bytes = 0;
      }
      bytes += chunk.byteLength;
      if (bytes > MAX_SERVICE_BYTES) controller.error(new Error('The answer of the service is too large.'));
      else controller.enqueue(chunk);
    },
  });
}

/** Requests an address of this machine. Rejects for any other and for redirects. */
export async function fetchFromLoopback(
  address: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Response> {
  assertLoopback(address);
  return fetch(address, { signal, headers, redirect: 'error' });
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
