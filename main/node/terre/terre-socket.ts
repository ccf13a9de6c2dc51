import { openLoopbackSocket } from '../../network/sockets.ts';
import { NEWER_PROTOCOL } from '../stage/link/engine-protocol.ts';
import type { MessageQueue } from '../stage/link/message-queue.ts';
import { type TerreOrder, toTerreOrder, toTerreReport } from './preview-messages.ts';

const CONNECT_TIMEOUT_MS = 3_000;
const MAX_FRAME_BYTES = 1024 * 1024;
/** An engine can send faster than Terre reads. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;
/** What an engine says before the connection is open: it registers, and reports that it is ready. */
const MAX_EARLY_FRAMES = 20;

/** One engine's connection to Terre, which takes it for a preview of its own. */
export interface TerreSocket {
  /** Passes on a frame of the engine's if it is a report. */
  report(frame: string): void;
  close(): void;
}

export interface TerreSocketOptions {
  /** Terre's address on this machine. */
  origin: string;
  /** The protocol that the engine speaks; empty for the numbered commands. */
  protocol: string;
  messages: MessageQueue;
  onOrder: (order: TerreOrder) => void;
  /** Called once if the connection could not be opened, or ended without `close`. */
  onLost: () => void;
}

/** Connects to Terre in an engine's place. */
export function openTerreSocket({ origin, protocol, messages, onOrder, onLost }: TerreSocketOptions): TerreSocket {
  const isNewer = protocol === NEWER_PROTOCOL;
  const limits = { handshakeTimeout: CONNECT_TIMEOUT_MS, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false };
  const address = `${origin.replace(/^http/, 'ws')}/api/webgalsync`;
  const socket = openLoopbackSocket(address, limits, isNewer ? [NEWER_PROTOCOL] : []);
  const early: string[] = [];
  let isClosed = false;

  messages.read(socket, (text) => {
    const order = toTerreOrder(text, isNewer);
    if (order) onOrder(order);
  });
  socket.on('open', () => {
    for (const frame of early.splice(0)) socket.send(frame);
  });
  // The end is reported by `close`, which follows; an unhandled error would end the process.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (!isClosed) onLost();
  });

  return {
    report(frame) {
      const text = toTerreReport(frame, isNewer);
      if (text === null) return;
      if (socket.readyState === socket.CONNECTING && early.length < MAX_EARLY_FRAMES) early.push(text);
      else if (socket.readyState === socket.OPEN && socket.bufferedAmount < MAX_UNSENT_BYTES) socket.send(text);
    },
    close() {
      isClosed = true;
      socket.terminate();
    },
  };
}
