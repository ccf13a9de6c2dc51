import { delay } from '../../shared/async.ts';
import { AppError } from '../../shared/errors.ts';
import { assertLoopback, toNamedAddress } from './allowed-addresses.ts';
import { createEventMeter } from './event-meter.ts';

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

/** Most bytes of one answer of a service. An event stream may go on; there it is the limit of each event, and of each second. */
const MAX_SERVICE_BYTES = 32 * 1024 * 1024;
/** Events that are read in one second; more wait with their sender. */
const MAX_SERVICE_EVENTS = 2000;
const EVENT_STREAM = 'text/event-stream';

/**
 * Creates the function through which a connected service is called. `address` is the result of `toServiceAddress`. Refuses redirects;
 * other origins, such as that of the page where the user signs in, must pass `toNamedAddress` and receive no header of the
 * service. Answers are bounded.
 */
export function createServiceFetch(address: string, headers: Readonly<Record<string, string>>): Fetch {
  const { origin } = new URL(address);
  return async (input, init) => {
    const url = new URL(toNamedAddress(String(input instanceof Request ? input.url : input), address));
    const sent = new Headers(init?.headers);
    if (url.origin === origin) for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    const response = await fetch(url, { ...init, headers: sent, redirect: 'manual' });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new AppError('E_UNSUPPORTED', 'The service redirects to another address, which is not followed.', {
        hint: 'Ask the user to enter the address that it redirects to.',
        reason: 'provider.redirect',
      });
    }
    if (response.body === null) return response;
    const { status, statusText, ok, headers: received } = response;
    // Only who asked for events reads them one by one; all else is collected until its end.
    const isStream = [sent.get('accept'), received.get('content-type')].every((type) => type?.includes(EVENT_STREAM));
    const limit = createByteLimit(ok && isStream);
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers: received });
  };
}

function createByteLimit(isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  let inSecond = 0;
  let events = 0;
  let since = Date.now();
  const meter = createEventMeter();
  return new TransformStream({
    async transform(chunk, controller) {
      if (Date.now() - since > 1000) [since, inSecond, events] = [Date.now(), 0, 0];
      inSecond += chunk.byteLength;
      const { open, ended } = meter(chunk);
      bytes = isStream ? open : bytes + chunk.byteLength;
      events += ended;
      if (bytes <= MAX_SERVICE_BYTES && inSecond <= MAX_SERVICE_BYTES) controller.enqueue(chunk);
      else return controller.error(new Error('The answer of the service is too large.'));
      if (isStream && events > MAX_SERVICE_EVENTS) await delay(Math.max(1, since + 1001 - Date.now()));
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
