import { AppError } from '../../../../shared/errors.ts';
import type { EventPayload } from '../../../../shared/model/capability/message-frame.ts';
import { isGranted, type Role } from '../../../../shared/model/capability/role.ts';
import { toPermission } from '../catalog/to-manifest.ts';
import { type CapabilityEvent, EVENT_IDS, isEventId, MAX_SUBSCRIPTIONS, toFilterSchema } from './event-catalog.ts';

/** Events that wait for a slow receiver; of more, the oldest are left out and counted. */
const MAX_WAITING = 256;

/** The events of one connection. */
export interface EventConnection {
  /**
   * Starts a subscription and returns its id. Throws `E_UNSUPPORTED` for an unknown event, `E_BAD_ARGS` for an invalid filter,
   * `E_POLICY_VIOLATION` for a role that does not include it, `E_TOO_LARGE` for too many.
   */
  subscribe(request: { eventId: string; filter?: unknown; role: Role }): string;
  /** Throws `E_NOT_FOUND` if there is no such subscription. */
  unsubscribe(subscription: string): void;
  close(): void;
}

export interface EventHub {
  publish(event: CapabilityEvent): void;
  /** `send` passes one event on and resolves when the receiver took it. */
  connect(send: (subscription: string, event: EventPayload) => Promise<void>): EventConnection;
}

interface Subscription {
  eventId: string;
  paths: readonly string[] | null;
  waiting: EventPayload[];
  lost: number;
  isSending: boolean;
}

export function createEventHub(id: () => string): EventHub {
  const connections = new Set<(event: CapabilityEvent) => void>();
  return {
    publish(event) {
      for (const receive of connections) receive(event);
    },
    connect(send) {
      const subscriptions = new Map<string, Subscription>();

      async function drain(key: string, subscription: Subscription): Promise<void> {
        if (subscription.isSending) return;
        subscription.isSending = true;
        try {
          for (let next = subscription.waiting.shift(); next; next = subscription.waiting.shift()) {
            const { lost } = subscription;
            subscription.lost = 0;
            await send(key, { ...next, lost });
          }
        } catch {
          // The receiver is gone; its connection is closed by the host.
          subscriptions.delete(key);
        } finally {
          subscription.isSending = false;
        }
      }

      const receive = (event: CapabilityEvent): void => {
        for (const [key, subscription] of subscriptions) {
          const data = subscription.eventId === event.id ? toNarrowed(event, subscription.paths) : null;
          if (data === null) continue;
          subscription.waiting.push({ eventId: event.id, data, lost: 0 });
          if (subscription.waiting.length > MAX_WAITING) {
            subscription.waiting.shift();
            subscription.lost += 1;
          }
          void drain(key, subscription);
        }
      };
      connections.add(receive);

      return {
        subscribe({ eventId, filter = {}, role }) {
          const paths = toPaths(eventId, filter, role);
          if (subscriptions.size >= MAX_SUBSCRIPTIONS) {
            throw new AppError('E_TOO_LARGE', `A connection can have ${MAX_SUBSCRIPTIONS} subscriptions.`);
          }
          const key = id();
          subscriptions.set(key, { eventId, paths, waiting: [], lost: 0, isSending: false });
          return key;
        },
        unsubscribe(key) {
          if (!subscriptions.delete(key)) throw new AppError('E_NOT_FOUND', 'There is no such subscription.');
        },
        close() {
          connections.delete(receive);
          subscriptions.clear();
        },
      };
    },
  };
}

/** Checks what is subscribed to, and returns the paths that the filter names; null for all. */
function toPaths(eventId: string, filter: unknown, role: Role): readonly string[] | null {
  if (!isEventId(eventId)) {
    throw new AppError('E_UNSUPPORTED', `There is no event called ${JSON.stringify(eventId.slice(0, 100))}.`, {
      hint: `The events are: ${EVENT_IDS.join(', ')}.`,
      reason: 'tool.unknown',
    });
  }
  if (!isGranted(role, toPermission(eventId, 'event'))) {
    throw new AppError('E_POLICY_VIOLATION', `The role ${role} does not include ${eventId}.`, { reason: 'tool.role' });
  }
  const parsed = toFilterSchema(eventId).safeParse(filter);
  if (!parsed.success) throw new AppError('E_BAD_ARGS', `The filter of ${eventId} is not valid.`);
  return parsed.data.paths ?? null;
}

/** Returns the data of an event as far as it is in one of the paths; null for nothing. */
function toNarrowed({ data }: CapabilityEvent, paths: readonly string[] | null): EventPayload['data'] | null {
  if (paths === null) return data;
  const isIn = (path: string) =>
    paths.some((place) => path === place || path.startsWith(`${place.replace(/\/$/, '')}/`));
  if ('paths' in data) {
    const named = data.paths.filter(isIn);
    return named.length === 0 ? null : { ...data, paths: named };
  }
  return 'path' in data && data.path !== null && isIn(data.path) ? data : null;
}
