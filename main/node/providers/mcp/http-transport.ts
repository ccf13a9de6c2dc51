import { AsyncLocalStorage } from 'node:async_hooks';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { delay } from '../../../../shared/async.ts';
import { createServiceFetch, type Fetch } from '../../../network/requests.ts';
import { withMessageBounds } from './message-bounds.ts';
import { createSignInFetch } from './sign-in-fetch.ts';
import { toProblem, toUnreadableAnswer } from './unreadable-answer.ts';

/** Milliseconds in which a server has to take a message that wants no answer. */
const NOTIFY_MS = 15_000;
/** Such messages that a server may keep waiting at once: it decides how many answers it wants, by its own requests. */
const MAX_SENDING = 32;
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
 * when it was answered, timed out or was cancelled; here it ends with its answer or its cancellation. Its streams of messages are asked
 * for at a bounded rate, and no more of them are open than it needs.
 */
export function createHttpTransport(
  url: string,
  { headers, authProvider, notifyMs = NOTIFY_MS }: HttpOptions,
): Transport {
  const limitMs = Math.min(notifyMs, NOTIFY_MS);
  const ended = new AbortController();
  const requests = createRequests(limitMs);
  const send = withMessageBounds(createServiceFetch(url, headers));
  const signIn = createSignInFetch(send, { limitMs, ended: ended.signal });
  const stream = createStreamFetch(send, requests.count);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: (input, init) => {
      if (typeof init?.body === 'string' && isSame(input, url)) return requests.send(send, input, init.body, init);
      const accepts = new Headers(init?.headers).get('accept');
      return (accepts === 'text/event-stream' ? stream : signIn)(input, init);
    },
    ...(authProvider && { authProvider }),
  });
  // The client calls it before its own.
  transport.onmessage = (message) => {
    if ('id' in message && !('method' in message)) requests.close(message.id);
  };
  endUnreadable(transport as Transport);
  // The SDK's own ends neither a sign-in nor the start that waits for it.
  const close = transport.close.bind(transport);
  transport.close = async () => {
    ended.abort();
    await close();
  };
  // Its optional properties are declared in another way than those of the interface.
  return transport as Transport;
}

/**
 * Ends a request whose answer cannot be read: the SDK tells of an answer in a stream only that it failed, and goes on waiting. Its
 * reading of an answer goes on from the sending, and thereby knows of which request it is.
 */
function endUnreadable(transport: Transport): void {
  const sending = new AsyncLocalStorage<RequestId | undefined>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    sending.run('method' in message && 'id' in message ? message.id : undefined, () => send(message, options));
  // The client calls it before its own.
  transport.onerror = (error) => {
    const id = sending.getStore();
    const problem = toProblem(error);
    if (id !== undefined && problem !== null) transport.onmessage?.(toUnreadableAnswer(id, problem));
  };
}

function isSame(input: Parameters<Fetch>[0], url: string): boolean {
  return String(input instanceof Request ? input.url : input) === new URL(url).href;
}

/** Follows the requests that were not answered, by their ids. */
function createRequests(notifyMs: number) {
  const open = new Map<unknown, AbortController>();
  let sending = 0;

  function close(id: unknown): void {
    const controller = open.get(id);
    open.delete(id);
    // After the message was passed on.
    setTimeout(() => controller?.abort(), 0);
  }

  return {
    close,
    /** The calls that were not answered. */
    count: () => open.size,
    /** Sends a message; the notice of a cancellation also ends the request that it is about. */
    async send(send: Fetch, input: Parameters<Fetch>[0], body: string, init: RequestInit): Promise<Response> {
      const { id, method, params } = JSON.parse(body) as {
        id?: unknown;
        method?: string;
        params?: { requestId?: unknown };
      };
      if (method === 'notifications/cancelled') close(params?.requestId);
      if (id !== undefined && method !== undefined) {
        const controller = new AbortController();
        open.set(id, controller);
        const response = await send(input, { ...init, signal: joinSignals(init.signal, controller.signal) }).catch(
          (error: unknown) => {
            open.delete(id);
            throw error;
          },
        );
        if (!response.ok) open.delete(id);
        return response;
      }
      if (sending >= MAX_SENDING) throw new Error('The server does not take what it asked for.');
      sending += 1;
      try {
        return await send(input, { ...init, signal: joinSignals(init.signal, AbortSignal.timeout(notifyMs)) });
      } finally {
        sending -= 1;
      }
    },
  };
}

function joinSignals(given: AbortSignal | null | undefined, own: AbortSignal): AbortSignal {
  return given ? AbortSignal.any([given, own]) : own;
}

/**
 * Returns the function that asks for a stream of messages, not more often than `STREAM_PAUSE_MS`. Beside the stream of the connection
 * one is open for each call at most: after a cancelled call the SDK would resume its stream for ever.
 */
function createStreamFetch(send: Fetch, countCalls: () => number): Fetch {
  let next = 0;
  let refused = 0;
  let open = 0;
  return async (input, init) => {
    const pause = next - Date.now();
    next = Math.max(next, Date.now()) + STREAM_PAUSE_MS;
    if (pause > 0) await delay(pause);
    init?.signal?.throwIfAborted();
    if (open > countCalls()) return noStream();
    open += 1;
    const end = (): void => {
      open -= 1;
    };
    try {
      const response = await send(input, init);
      refused = response.status === 401 ? refused + 1 : 0;
      if (refused < MAX_REFUSED) return followEnd(response, end);
      // The SDK renews its token after each refusal, without an end.
      await response.body?.cancel();
    } catch (error) {
      end();
      throw error;
    }
    end();
    return noStream();
  };
}

/** Says that the server has no stream. */
function noStream(): Response {
  return new Response(null, { status: 405 });
}

/** Returns the response; `end` is called once, when its body was read to its end, failed or was cancelled. */
function followEnd(response: Response, end: () => void): Response {
  const reader = response.body?.getReader();
  const { status, statusText, headers } = response;
  if (!reader) {
    end();
    return response;
  }
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
  return new Response(body, { status, statusText, headers });
}
