import type { AppApi, EventName, Input, Method, Output, Payload } from '../shared/contract.ts';
import { AppError, fromErrorData, type Reply } from '../shared/errors.ts';
import { WIRE_GLOBAL, type Wire } from '../shared/wire.ts';

const RECONNECT_MS = 1000;

const connectionListeners = new Set<(isConnected: boolean) => void>();

/**
 * Hears when the app behind the page stops answering and when it is back. After a gap events may have been missed, so
 * whoever mirrors state reads it anew on `true`. Never called where page and app share a process (the desktop window).
 */
export function onConnection(listener: (isConnected: boolean) => void): () => void {
  connectionListeners.add(listener);
  return () => connectionListeners.delete(listener);
}

function unreachable(cause: unknown): AppError {
  return new AppError('E_IO', 'The app does not answer.', { reason: 'app.unreachable', cause });
}

function createWebWire(): Wire {
  const listeners = new Set<(event: string, payload: unknown) => void>();
  let source: EventSource | undefined;
  let isConnected = true;

  const tell = (next: boolean) => {
    if (next === isConnected) return;
    isConnected = next;
    for (const listener of connectionListeners) listener(next);
  };

  const listen = () => {
    source = new EventSource('/events');
    source.onopen = () => tell(true);
    source.onmessage = ({ data }) => {
      const { event, payload } = JSON.parse(String(data)) as { event: string; payload: unknown };
      for (const listener of listeners) listener(event, payload);
    };
    source.onerror = () => {
      tell(false);
      // The browser retries by itself unless the answer was no event stream at all.
      if (source?.readyState === EventSource.CLOSED) setTimeout(listen, RECONNECT_MS);
    };
  };

  return {
    async call(name, input) {
      const response = await fetch(`/call/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(input),
      });
      return response.json();
    },
    on(listener) {
      listeners.add(listener);
      if (!source) listen();
      return () => listeners.delete(listener);
    },
  };
}

function createApi(wire: Wire): AppApi {
  return {
    async call<M extends Method>(name: M, input: Input<M>): Promise<Output<M>> {
      let reply: Reply<Output<M>>;
      try {
        reply = (await wire.call(name, input)) as Reply<Output<M>>;
      } catch (cause) {
        throw unreachable(cause);
      }
      if (!reply.ok) throw fromErrorData(reply.error);
      return reply.value;
    },
    on<E extends EventName>(event: E, listener: (payload: Payload<E>) => void) {
      return wire.on((name, payload) => {
        if (name === event) listener(payload as Payload<E>);
      });
    },
  };
}

const preloaded = (window as unknown as Record<string, Wire | undefined>)[WIRE_GLOBAL];

/** The app as this page sees it: over the desktop's preload where there is one, else over HTTP to where it came from. */
export const api: AppApi = createApi(preloaded ?? createWebWire());
