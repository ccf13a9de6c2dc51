import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { BRIDGE_PATH } from '../scripts/stage-bridge-script.ts';
import { NEWER_PROTOCOL } from './engine-protocol.ts';

/** The path where every engine since 4.0 connects to its editor. */
const ENGINE_PATH = '/api/webgalsync';
/** Engines send their whole state in one frame, which has some tens of kilobytes. */
const MAX_FRAME_BYTES = 1024 * 1024;
/** A page has two sockets; several browser windows may show the stage. */
const MAX_SOCKETS = 16;

/** All sockets of one stage, within limits of number and size. */
export interface StageSockets {
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  terminateAll(): void;
}

export function createStageSockets(options: {
  acceptEngine: (socket: WebSocket) => void;
  acceptBridge: (socket: WebSocket) => void;
}): StageSockets {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: (offered) => (offered.has(NEWER_PROTOCOL) ? NEWER_PROTOCOL : false),
  });
  const { acceptEngine, acceptBridge } = options;
  return {
    onUpgrade(request, socket, head) {
      // Null where it is no address at all (`//`): an exception here would end the whole app.
      const pathname = URL.parse(request.url ?? '/', 'http://stage')?.pathname;
      const accept = pathname === ENGINE_PATH ? acceptEngine : pathname === BRIDGE_PATH ? acceptBridge : null;
      if (!accept) refuse(socket, '404 Not Found');
      else if (sockets.clients.size >= MAX_SOCKETS) refuse(socket, '503 Service Unavailable');
      else {
        sockets.handleUpgrade(request, socket, head, (opened) => {
          // An invalid frame closes its socket; there is no receiver for the error.
          opened.on('error', () => opened.terminate());
          accept(opened);
        });
      }
    },
    terminateAll() {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}
