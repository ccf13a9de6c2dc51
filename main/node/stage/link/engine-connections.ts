import type { WebSocket } from 'ws';
import type { StageEvent } from '../../../core/ports/stage-link.ts';
import { createEngineProtocol, type EngineProtocol } from './engine-protocol.ts';
import type { JumpTexts } from './jump-texts.ts';
import type { MessageQueue } from './message-queue.ts';

/** A connection to another program, which takes the engine for a preview of its own. */
export interface EngineRelay {
  /** Receives each frame of the engine's. */
  report(frame: string): void;
  close(): void;
}

/** `send` gives the engine a frame of that program's; `moves`: where the story goes by it. */
export type OpenRelay = (
  protocol: string,
  send: (frame: string, moves: { scene: string | null; line: number } | null) => void,
) => EngineRelay | null;

interface Engine {
  protocol: EngineProtocol;
  isReady: boolean;
}

/** The sockets of the running engines. */
export interface EngineConnections {
  accept(socket: WebSocket): void;
  /** Sends the last jump to every engine that is ready; the others receive it when they are. Returns its number. */
  jump(): number;
  /** Sends frames of its protocol to every engine that is ready. */
  send(toFrames: (protocol: EngineProtocol) => string[]): void;
}

export function createEngineConnections(options: {
  messages: MessageQueue;
  jumps: Pick<JumpTexts, 'last' | 'supersede' | 'toReported'>;
  openRelay: OpenRelay;
  emit: (event: StageEvent) => void;
}): EngineConnections {
  const { messages, jumps, openRelay, emit } = options;
  const engines = new Map<WebSocket, Engine>();

  const jumpNow = (socket: WebSocket, engine: Engine): void => {
    const jump = jumps.last();
    if (jump && engine.isReady) socket.send(engine.protocol.jump(jump.scene, jump.line));
  };

  const greet = (socket: WebSocket, engine: Engine): void => {
    if (engine.isReady) return;
    engine.isReady = true;
    socket.send(engine.protocol.enter());
    emit({ kind: 'connected' });
    jumpNow(socket, engine);
  };

  return {
    accept(socket) {
      const engine: Engine = { protocol: createEngineProtocol(socket.protocol), isReady: false };
      engines.set(socket, engine);
      const relay = openRelay(socket.protocol, (frame, moves) => {
        if (!engine.isReady) return;
        if (moves) {
          jumps.supersede();
          emit({ kind: 'led', ...moves });
        }
        socket.send(frame);
      });
      messages.read(socket, (text) => {
        relay?.report(text);
        const message = engine.protocol.read(text);
        if (message?.kind === 'hello') socket.send(message.answer);
        if (!message || message.kind === 'hello') return;
        greet(socket, engine);
        if (message.kind !== 'snapshot') return;
        emit({ ...message, scene: message.scene.replace(/\?.*$/s, ''), ...jumps.toReported(message.scene) });
      });
      socket.on('close', () => {
        relay?.close();
        engines.delete(socket);
        if (engine.isReady && ![...engines.values()].some((other) => other.isReady)) emit({ kind: 'disconnected' });
      });
    },
    jump() {
      for (const [socket, engine] of engines) jumpNow(socket, engine);
      return jumps.last()?.number ?? 0;
    },
    send(toFrames) {
      for (const [socket, { protocol, isReady }] of engines) {
        if (isReady) for (const frame of toFrames(protocol)) socket.send(frame);
      }
    },
  };
}
