import type { RawData, WebSocket } from 'ws';

/** Rest after each message, as a multiple of the time that it took: a game may use a fifth of the process. */
const REST_FACTOR = 4;

/**
 * Handles the messages of a stage's sockets one at a time, in order, with a rest after each. A socket that sends meanwhile
 * is paused, so that a game which sends without end fills its own memory and does not block the app.
 */
export interface MessageQueue {
  /** Calls `handle` with each message of a socket that is still open by then. */
  read(socket: WebSocket, handle: (text: string) => void): void;
}

export function createMessageQueue(): MessageQueue {
  const waiting: { socket: WebSocket; data: RawData; handle: (text: string) => void }[] = [];
  const paused = new Set<WebSocket>();
  let timer: NodeJS.Timeout | undefined;

  const next = (): void => {
    timer = undefined;
    const message = waiting.shift();
    if (!message) return;
    const began = performance.now();
    try {
      if (message.socket.readyState === message.socket.OPEN) message.handle(toText(message.data));
    } finally {
      timer = setTimeout(next, Math.ceil((performance.now() - began) * REST_FACTOR));
      if (waiting.length === 0) {
        for (const socket of paused) socket.resume();
        paused.clear();
      }
    }
  };

  return {
    read(socket, handle) {
      socket.on('message', (data) => {
        waiting.push({ socket, data, handle });
        if (timer === undefined) return next();
        socket.pause();
        paused.add(socket);
      });
      socket.on('close', () => paused.delete(socket));
    },
  };
}

function toText(data: RawData): string {
  return Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as Buffer).toString();
}
