import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { StageEvent, StageLink } from '../../core/ports/stage-link.ts';
import { isIdleTalk, isMissingFile } from './engine-noise.ts';
import { createEngineProtocol, type EngineProtocol, NEWER_PROTOCOL } from './engine-protocol.ts';
import { createMessageQueue } from './message-queue.ts';
import { BRIDGE_PATH } from './stage-bridge-script.ts';
import type { OpenStage, StageServer } from './stage-server.ts';

/** The path where every engine since 4.0 connects to its editor. */
const ENGINE_PATH = '/api/webgalsync';
/** A scene name with this query belongs to the text of one jump. */
const JUMP_QUERY = 'jump';
/** Texts of past jumps stay for a story that returns into them. */
const MAX_PAST_JUMPS = 16;
/** Engines send their whole state in one frame, which has some tens of kilobytes. */
const MAX_FRAME_BYTES = 1024 * 1024;
/** A page has two sockets; several browser windows may show the stage. */
const MAX_SOCKETS = 16;
const MAX_TEXT_LENGTH = 2000;

const BridgeFrame = z.object({
  kind: z.literal('trouble'),
  level: z.enum(['error', 'exception', 'warning', 'blocked']),
  // Before any pattern is applied to it.
  text: z.string().transform((text) => text.slice(0, MAX_TEXT_LENGTH)),
});

interface Engine {
  protocol: EngineProtocol;
  isReady: boolean;
}

/** Creates the connection to the engine of one open game: serves it, sends it jumps, and reports its state. */
export function createStageLink({
  server,
  root,
}: {
  server: StageServer;
  root: string;
}): StageLink & { close(): Promise<void> } {
  const listeners = new Set<(event: StageEvent) => void>();
  const engines = new Map<WebSocket, Engine>();
  const bridges = new Set<WebSocket>();
  const jumpTexts = new Map<string, string>();
  let overlay: ReadonlyMap<string, string> = new Map();
  let lastJump: { scene: string; line: number } | null = null;
  let jumps = 0;
  let starting: Promise<OpenStage> | null = null;
  let isClosed = false;

  const emit = (event: StageEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const messages = createMessageQueue();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    handleProtocols: (offered) => (offered.has(NEWER_PROTOCOL) ? NEWER_PROTOCOL : false),
  });

  const jumpNow = (socket: WebSocket, engine: Engine): void => {
    if (lastJump && engine.isReady) socket.send(engine.protocol.jump(lastJump.scene, lastJump.line));
  };

  const greet = (socket: WebSocket, engine: Engine): void => {
    if (engine.isReady) return;
    engine.isReady = true;
    emit({ kind: 'connected' });
    jumpNow(socket, engine);
  };

  const acceptEngine = (socket: WebSocket): void => {
    const engine: Engine = { protocol: createEngineProtocol(socket.protocol), isReady: false };
    engines.set(socket, engine);
    messages.read(socket, (text) => {
      const message = engine.protocol.read(text);
      if (message?.kind === 'hello') socket.send(message.answer);
      if (!message || message.kind === 'hello') return;
      greet(socket, engine);
      if (message.kind !== 'snapshot') return;
      emit({ ...message, scene: message.scene.replace(/\?.*$/s, ''), jumped: message.scene === lastJump?.scene });
    });
    socket.on('close', () => {
      engines.delete(socket);
      if (engine.isReady && ![...engines.values()].some((other) => other.isReady)) emit({ kind: 'disconnected' });
    });
  };

  const acceptBridge = (socket: WebSocket): void => {
    bridges.add(socket);
    socket.on('close', () => bridges.delete(socket));
    messages.read(socket, (text) => {
      const { data: frame } = BridgeFrame.safeParse(toJson(text));
      if (frame && !isIdleTalk(frame.text)) emit(frame);
    });
  };

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
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
  };

  const openStage = (): Promise<OpenStage> =>
    server.open({
      root,
      overlay: (path, query) => {
        const jump = query.get(JUMP_QUERY);
        return (jump === null ? undefined : jumpTexts.get(`${path}?${jump}`)) ?? overlay.get(path);
      },
      onMissing: (path) => {
        if (isMissingFile(path)) emit({ kind: 'missing', path });
      },
      onUpgrade,
    });

  const start = async (): Promise<{ url: string }> => {
    starting ??= openStage().catch((error: unknown) => {
      // The next call tries again.
      starting = null;
      throw error;
    });
    const stage = await starting;
    if (isClosed) stage.close();
    return { url: stage.origin };
  };

  return {
    start,
    async move() {
      const old = starting;
      starting = null;
      // First: a host without a page has one address for all stages.
      (await old?.catch(() => null))?.close();
      for (const socket of sockets.clients) socket.terminate();
      return start();
    },
    setOverlay(texts) {
      overlay = new Map(texts);
    },
    jump(scene, line, text) {
      jumps += 1;
      lastJump = { scene, line };
      if (text !== undefined) {
        jumpTexts.set(`game/scene/${scene}?${jumps}`, text);
        lastJump.scene = `${scene}?${JUMP_QUERY}=${jumps}`;
        for (const key of jumpTexts.keys()) {
          if (jumpTexts.size <= MAX_PAST_JUMPS) break;
          jumpTexts.delete(key);
        }
      }
      for (const [socket, engine] of engines) jumpNow(socket, engine);
    },
    reload() {
      for (const socket of bridges) socket.send('reload');
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      listeners.clear();
      for (const socket of sockets.clients) socket.terminate();
      const stage = await starting?.catch(() => null);
      stage?.close();
    },
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
