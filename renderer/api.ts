import type { AppApi, EventName, Input, Method, Output, Payload } from '../shared/contract.ts';
import { AppError, fromErrorData, type Reply } from '../shared/errors.ts';
import { WIRE_GLOBAL, type Wire } from '../shared/wire.ts';
import { createWebWire } from './web-wire.ts';

const connectionListeners = new Set<(isConnected: boolean) => void>();

/**
 * Subscribes to connection changes. Events may be lost while disconnected, so stores that mirror state must reload it on
 * `true`. Never called where page and app share a process (the desktop window).
 */
export function onConnection(listener: (isConnected: boolean) => void): () => void {
  connectionListeners.add(listener);
  return () => connectionListeners.delete(listener);
}

function unreachable(cause: unknown): AppError {
  return new AppError('E_IO', 'The app does not answer.', { reason: 'app.unreachable', cause });
}

let isConnected = true;

function announceConnection(next: boolean): void {
  if (next === isConnected) return;
  isConnected = next;
  for (const listener of connectionListeners) listener(next);
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

/** Client of the app: over the preload bridge in the desktop app, else over HTTP to the origin of the page. */
export const api: AppApi = createApi(preloaded ?? createWebWire(announceConnection));
