import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { delay } from '../../../../shared/async.ts';
import { createServiceFetch, type Fetch } from '../../../network/requests.ts';

/** Milliseconds in which a server has to take a message that wants no answer. */
const NOTIFY_MS = 15_000;
/** Milliseconds between two requests for the stream of messages: the server may name any pause, also none. */
const STREAM_PAUSE_MS = 1000;
/** Refusals of the stream after each other that ask for authorization; then the server has no stream. */
const MAX_REFUSED = 2;

interface HttpOptions {
  headers: Readonly<Record<string, string>>;
  /** Absent while the user has not signed in. */
  authProvider?: OAuthClientProvider;
  /** Milliseconds; at most `NOTIFY_MS`. */
  notifyMs?: number;
}

/**
 * Creates the connection to a server at an address. The SDK's transport leaves a request open for as long as the server likes, also
 * when it was answered, timed out or was cancelled; here it ends with its answer or its cancellation. Its stream of messages is asked
 * for at a bounded rate.
 */
export function createHttpTransport(
  url: string,
  { headers, authProvider, notifyMs = NOTIFY_MS }: HttpOptions,
): Transport {
  const requests = createRequests(Math.min(notifyMs, NOTIFY_MS));
  const send = createServiceFetch(url, headers);
  const stream = createStreamFetch(send);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: (input, init) => {
      if (typeof init?.body === 'string' && isSame(input, url)) return send(input, requests.open(init.body, init));
      const accepts = new Headers(init?.headers).get('accept');
      return (accepts === 'text/event-stream' ? stream : send)(input, init);
    },
    ...(authProvider && { authProvider }),
  });
  // The client calls it before its own.
  transport.onmessage = (message) => {
    if ('id' in message && !('method' in message)) requests.close(message.id);
  };
  // Its optional properties are declared in another way than those of the interface.
  return transport as Transport;
}

function isSame(input: Parameters<Fetch>[0], url: string): boolean {
  return String(input instanceof Request ? input.url : input) === new URL(url).href;
}

/** Follows the requests that were not answered, by their ids. */
function createRequests(notifyMs: number) {
  const open = new Map<unknown, AbortController>();

  function close(id: unknown): void {
    const controller = open.get(id);
    open.delete(id);
    // After the message was passed on.
    setTimeout(() => controller?.abort(), 0);
  }

  return {
    close,
    /** Returns `init` with the end of the request; the notice of a cancellation also ends the request that it is about. */
    open(body: string, init: RequestInit): RequestInit {
      const { id, method, params } = JSON.parse(body) as {
        id?: unknown;
        method?: string;
        params?: { requestId?: unknown };
      };
      if (method === 'notifications/cancelled') close(params?.requestId);
      const controller = new AbortController();
      if (id !== undefined && method !== undefined) open.set(id, controller);
      const end = id === undefined ? AbortSignal.timeout(notifyMs) : controller.signal;
      return { ...init, signal: init.signal ? AbortSignal.any([init.signal, end]) : end };
    },
  };
}

/** Returns the function that asks for the stream of messages, not more often than `STREAM_PAUSE_MS`. */
function createStreamFetch(send: Fetch): Fetch {
  let next = 0;
  let refused = 0;
  return async (input, init) => {
    const pause = next - Date.now();
    next = Math.max(next, Date.now()) + STREAM_PAUSE_MS;
    if (pause > 0) await delay(pause);
    init?.signal?.throwIfAborted();
    const response = await send(input, init);
    refused = response.status === 401 ? refused + 1 : 0;
    if (refused < MAX_REFUSED) return response;
    // The SDK renews its token after each refusal, without an end. This status says that there is no stream.
    await response.body?.cancel();
    return new Response(null, { status: 405 });
  };
}
