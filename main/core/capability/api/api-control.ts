import { createSerialQueue } from '../../../../shared/async.ts';
import { AppError, toErrorData } from '../../../../shared/errors.ts';
import { toCapabilityError } from '../../../../shared/model/capability/layered-error.ts';
import { CALL_BOUNDS, type FRAME_TYPES, MessageFrame } from '../../../../shared/model/capability/message-frame.ts';
import type { Role } from '../../../../shared/model/capability/role.ts';
import type { Settings } from '../../../../shared/model/settings.ts';
import { parseBoundedJson } from '../../../../shared/text/bounded-json.ts';
import type { ApiServer, LocalSocket, LocalSocketHandler } from '../../ports/servers/api-server.ts';
import type { EventHub } from '../events/event-hub.ts';
import { API_BASE, type ApiService } from './api-service.ts';

/** Starts and stops the discovery API as the user's settings say. */
export interface ApiControl {
  follow(settings: Pick<Settings, 'discoveryApi'>): void;
  dispose(): Promise<void>;
}

interface ApiControlOptions {
  server: ApiServer | null;
  service: ApiService;
  hub: EventHub;
  role: () => Promise<Role>;
  now: () => number;
  onFault: (fault: { where: string; error: unknown }) => void;
}

/** Calls that one connection may have under way. */
const MAX_CALLS = 16;

export function createApiControl(options: ApiControlOptions): ApiControl {
  const { server, onFault } = options;
  const queue = createSerialQueue();
  let running: { close(): Promise<void> } | null = null;

  const stop = async (): Promise<void> => {
    await running?.close();
    running = null;
  };

  const start = async (api: ApiServer): Promise<void> => {
    running ??= await api.start({
      request: (request) => options.service.handle(request),
      refuse: options.service.refuse,
      connect: (path, socket) => (path === `${API_BASE}/events` ? connectEvents(socket, options) : null),
    });
  };

  return {
    follow({ discoveryApi }) {
      if (server === null) return;
      queue
        .run(() => (discoveryApi ? start(server) : stop()))
        .catch((error: unknown) => onFault({ where: 'discovery API', error }));
    },
    dispose: () => queue.run(stop),
  };
}

/** Serves the frames of one connection: subscriptions and calls. */
function connectEvents(socket: LocalSocket, { hub, service, role, now }: ApiControlOptions): LocalSocketHandler {
  const ended = new AbortController();
  let calls = 0;

  const send = (type: (typeof FRAME_TYPES)[number], correlationId: string, payload: Record<string, unknown>) => {
    const frame = { id: crypto.randomUUID(), type, timestamp: new Date(now()).toISOString(), correlationId, payload };
    return socket.send(JSON.stringify(frame));
  };
  const connection = hub.connect((subscription, event) => send('event', subscription, { ...event }));

  async function handle(frame: MessageFrame): Promise<void> {
    const { id, type, payload = {} } = frame;
    if (type === 'subscribe') {
      const request = { eventId: String(payload.eventId), filter: payload.filter, role: await role() };
      return send('response', id, { success: true, subscription: connection.subscribe(request) });
    }
    if (type === 'unsubscribe') {
      connection.unsubscribe(String(payload.subscription));
      return send('response', id, { success: true });
    }
    if (type === 'heartbeat') return send('heartbeat_ack', id, {});
    if (type !== 'request') throw new AppError('E_UNSUPPORTED', `A frame "${type}" is not understood here.`);
    if (calls >= MAX_CALLS) throw new AppError('E_POLICY_VIOLATION', 'Too many calls.', { reason: 'tool.tooOften' });
    calls += 1;
    const response = await service.invoke(payload, ended.signal).finally(() => {
      calls -= 1;
    });
    return send('response', id, { ...response });
  }

  return {
    receive(text) {
      let id = '';
      const answer = async () => {
        const frame = MessageFrame.parse(parseBoundedJson(text, CALL_BOUNDS));
        id = frame.id;
        await handle(frame);
      };
      answer().catch((failure: unknown) => {
        const known = failure instanceof AppError ? failure : new AppError('E_BAD_ARGS', 'This is no valid frame.');
        send('error', id, { error: toCapabilityError(toErrorData(known)) }).catch(() => undefined);
      });
    },
    closed() {
      ended.abort();
      connection.close();
    },
  };
}
