import type { WebSocket } from 'ws';
import { z } from 'zod';
import type { StageEvent } from '../../../core/ports/stage-link.ts';
import { isIdleTalk } from './engine-noise.ts';
import type { MessageQueue } from './message-queue.ts';

const MAX_TEXT_LENGTH = 2000;

const BridgeFrame = z.object({
  kind: z.literal('trouble'),
  level: z.enum(['error', 'exception', 'warning', 'blocked']),
  // Before any pattern is applied to it.
  text: z.string().transform((text) => text.slice(0, MAX_TEXT_LENGTH)),
});

/** The sockets of the script that the server adds to each stage page (`stage-bridge-script.ts`). */
export interface BridgeConnections {
  accept(socket: WebSocket): void;
  reload(): void;
}

export function createBridgeConnections(options: {
  messages: MessageQueue;
  emit: (event: StageEvent) => void;
}): BridgeConnections {
  const { messages, emit } = options;
  const bridges = new Set<WebSocket>();
  return {
    accept(socket) {
      bridges.add(socket);
      socket.on('close', () => bridges.delete(socket));
      messages.read(socket, (text) => {
        const { data: frame } = BridgeFrame.safeParse(toJson(text));
        if (frame && !isIdleTalk(frame.text)) emit(frame);
      });
    },
    reload() {
      for (const socket of bridges) socket.send('reload');
    },
  };
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
