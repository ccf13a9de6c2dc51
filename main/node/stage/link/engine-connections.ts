import type { WebSocket } from 'ws';
import type { StageEvent } from '../../../core/ports/stage-link.ts';
import { createEngineProtocol, type EngineProtocol } from './engine-protocol.ts';
import type { Jump } from './jump-texts.ts';
import type { MessageQueue } from './message-queue.ts';

interface Engine {
  protocol: EngineProtocol;
  isReady: boolean;
}

/** The sockets of the running engines. */
export interface EngineConnections {
  accept(socket: WebSocket): void;
  /** Sends the last jump to every engine that is ready; the others receive it when they are. */
  jump(): void;
  /** Has every engine that is ready load the styles of its template anew. */
  reloadStyles(): void;
  /** Runs statements on every engine that is ready. */
  run(statements: string): void;
}

export function createEngineConnections(options: {
  messages: MessageQueue;
  lastJump: () => Jump | null;
  emit: (event: StageEvent) => void;
}): EngineConnections {
  const { messages, lastJump, emit } = options;
  const engines = new Map<WebSocket, Engine>();

  const jumpNow = (socket: WebSocket, engine: Engine): void => {
    const jump = lastJump();
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
      messages.read(socket, (text) => {
        const message = engine.protocol.read(text);
        if (message?.kind === 'hello') socket.send(message.answer);
        if (!message || message.kind === 'hello') return;
        greet(socket, engine);
        if (message.kind !== 'snapshot') return;
        emit({ ...message, scene: message.scene.replace(/\?.*$/s, ''), jumped: message.scene === lastJump()?.scene });
      });
      socket.on('close', () => {
        engines.delete(socket);
        if (engine.isReady && ![...engines.values()].some((other) => other.isReady)) emit({ kind: 'disconnected' });
      });
    },
    jump() {
      for (const [socket, engine] of engines) jumpNow(socket, engine);
    },
    reloadStyles() {
      for (const [socket, { protocol, isReady }] of engines) if (isReady) socket.send(protocol.reloadStyles());
    },
    run(statements) {
      for (const [socket, { protocol, isReady }] of engines) {
        if (isReady) for (const frame of protocol.run(statements)) socket.send(frame);
      }
    },
  };
}
