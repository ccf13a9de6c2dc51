import type { WebSocket } from 'ws';
import type { StageEvent } from '../../../core/ports/stage-link.ts';
import { PICTURE_TIMEOUT_MS } from '../scripts/stage-picture-script.ts';
import { type BridgeAnswer, readBridgeFrame } from './bridge-frames.ts';
import { isIdleTalk } from './engine-noise.ts';
import type { JumpTexts } from './jump-texts.ts';
import type { MessageQueue } from './message-queue.ts';

/** An order to a page; it fails by itself a little earlier (`ORDER_TIMEOUT_MS`). */
const ANSWER_TIMEOUT_MS = 2_000;
/** The same for a picture, which the page has to draw. */
const PICTURE_ANSWER_TIMEOUT_MS = PICTURE_TIMEOUT_MS + 500;

export type Order =
  | { order: 'state' }
  | { order: 'picture' }
  | { order: 'step' }
  | { order: 'choose'; option: number }
  | { order: 'type'; text: string };

/** The sockets of the script that the server adds to each stage page (`stage-bridge-script.ts`). */
export interface BridgeConnections {
  accept(socket: WebSocket): void;
  reload(): void;
  /** Resolves to `closed` without a page, and to `no-answer` when it does not answer in time. */
  order(order: Order): Promise<BridgeAnswer | 'closed' | 'no-answer'>;
}

interface Bridge {
  isVisible: boolean;
  /** By the number of the order. Only the page that received an order can answer it. */
  waiting: Map<number, (answer: BridgeAnswer | 'no-answer') => void>;
}

export function createBridgeConnections(options: {
  messages: MessageQueue;
  toReported: JumpTexts['toReported'];
  emit: (event: StageEvent) => void;
}): BridgeConnections {
  const { messages, toReported, emit } = options;
  const bridges = new Map<WebSocket, Bridge>();
  let orders = 0;

  /** The page that acts: the visible one that connected last. */
  const findActive = () => {
    const all = [...bridges].reverse();
    return all.find(([, { isVisible }]) => isVisible) ?? all[0];
  };

  return {
    accept(socket) {
      const bridge: Bridge = { isVisible: true, waiting: new Map() };
      bridges.set(socket, bridge);
      socket.on('close', () => {
        bridges.delete(socket);
        for (const answer of bridge.waiting.values()) answer('no-answer');
      });
      messages.read(socket, (text) => {
        const frame = readBridgeFrame(text);
        if (frame?.kind === 'answer') bridge.waiting.get(frame.id)?.(frame);
        else if (frame?.kind === 'seen') bridge.isVisible = frame.isVisible;
        else if (frame?.kind === 'chose' || frame?.kind === 'typed' || frame?.kind === 'title') emit(frame);
        else if (frame?.kind === 'globals') emit(frame);
        else if (frame && !isIdleTalk(frame.text)) {
          const { at, ...trouble } = frame;
          emit(at ? { ...trouble, at: { ...at, ...toReported(at.file) } } : trouble);
        }
      });
    },
    reload() {
      for (const socket of bridges.keys()) socket.send('reload');
    },
    async order(order) {
      const active = findActive();
      if (!active) return 'closed';
      const [socket, { waiting }] = active;
      orders += 1;
      const id = orders;
      let timer: NodeJS.Timeout | undefined;
      const answer = new Promise<BridgeAnswer | 'no-answer'>((resolve) => {
        waiting.set(id, resolve);
        const patience = order.order === 'picture' ? PICTURE_ANSWER_TIMEOUT_MS : ANSWER_TIMEOUT_MS;
        timer = setTimeout(resolve, patience, 'no-answer');
      });
      socket.send(JSON.stringify({ id, sentAt: Date.now(), ...order }));
      const received = await answer;
      clearTimeout(timer);
      waiting.delete(id);
      return received;
    },
  };
}
