import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';

/** Milliseconds between pings of a connection that is not read. */
const PING_MS = 500;

interface ConnectionWatch {
  /** Frames are unread from now on, until `isPaused` is false. */
  paused(): void;
  /** Ends the connection unless the program answers a ping within so many milliseconds, whatever it sent before. */
  probe(within: number): void;
  stop(): void;
}

/**
 * Notices that a program ended while frames of it are unread: its end comes behind them, and a socket that is not read does not
 * report a reset. The system answers what is written to a program that ended with a reset, and the write after it fails, which
 * closes the connection. So pings are sent; whether they are answered does not matter, because the answers are behind the frames.
 */
export function watchConnection(client: WebSocket, isPaused: () => boolean): ConnectionWatch {
  let pings: NodeJS.Timeout | undefined;
  let probe: { mark: string; timer: NodeJS.Timeout } | undefined;

  const ping = (mark = ''): void => {
    // The end of the connection follows a failed write.
    if (client.readyState === client.OPEN) client.ping(mark, false, () => undefined);
  };
  const settle = (): void => {
    clearTimeout(probe?.timer);
    probe = undefined;
  };
  const stopPings = (): void => {
    clearInterval(pings);
    pings = undefined;
  };
  client.on('pong', (data) => {
    if (data.toString() === probe?.mark) settle();
  });

  return {
    paused() {
      pings ??= setInterval(() => (isPaused() ? ping() : stopPings()), PING_MS);
    },
    probe(within) {
      if (probe) return;
      probe = { mark: randomUUID(), timer: setTimeout(() => client.terminate(), within) };
      ping(probe.mark);
    },
    stop() {
      settle();
      stopPings();
    },
  };
}
