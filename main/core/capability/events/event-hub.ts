import { z } from 'zod';
import { AppError } from '../../../../shared/errors.ts';
import type { EventPayload } from '../../../../shared/model/capability/message-frame.ts';
import { CapabilityId } from '../../../../shared/model/capability/namespace.ts';
import { isGranted, type Role } from '../../../../shared/model/capability/role.ts';
import { toPermission } from '../catalog/to-manifest.ts';
import {
  type CapabilityEvent,
  EVENT_IDS,
  ExternalFilter,
  isEventId,
  MAX_SUBSCRIPTIONS,
  toFilterSchema,
} from './event-catalog.ts';

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

/** Most characters of an event of another program; a larger one is left out and counted as lost. */
const MAX_EXTERNAL_CHARACTERS = 16 * 1024;

type PublishedEvent = CapabilityEvent | { id: `ext.${string}`; data: Record<string, unknown> };

export interface EventHub {
  /** An event of the app, or of another program (`ext.…`), whose data is hostile text. */
  publish(event: PublishedEvent): void;
  /** `send` passes one event on and resolves when the receiver took it. */
  connect(send: (subscription: string, event: EventPayload) => Promise<void>): EventConnection;
}

/** Returns the data of an event as far as a subscription asked for it; null for nothing. */
type Narrow = (event: PublishedEvent) => EventPayload['data'] | null;

interface Subscription {
  eventId: string;
  narrow: Narrow;
  waiting: EventPayload[];
  lost: number;
  isSending: boolean;
}

export function createEventHub(id: () => string): EventHub {
  const connections = new Set<(event: PublishedEvent, isTooLarge: boolean) => void>();
  return {
    publish(event) {
      const isTooLarge = isExternal(event.id) && JSON.stringify(event.data).length > MAX_EXTERNAL_CHARACTERS;
      for (const receive of connections) receive(event, isTooLarge);
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

      const receive = (event: PublishedEvent, isTooLarge: boolean): void => {
        for (const [key, subscription] of subscriptions) {
          const data = subscription.eventId === event.id ? subscription.narrow(event) : null;
          if (data === null) continue;
          if (isTooLarge) {
            subscription.lost += 1;
            continue;
          }
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
          const narrow = toNarrow(eventId, filter, role);
          if (subscriptions.size >= MAX_SUBSCRIPTIONS) {
            throw new AppError('E_TOO_LARGE', `A connection can have ${MAX_SUBSCRIPTIONS} subscriptions.`);
          }
          const key = id();
          subscriptions.set(key, { eventId, narrow, waiting: [], lost: 0, isSending: false });
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

/** Checks what is subscribed to. */
function toNarrow(eventId: string, filter: unknown, role: Role): Narrow {
  // The program that reports it need not be connected yet.
  if (isExternal(eventId) && CapabilityId.safeParse(eventId).success) {
    requireGranted(role, eventId);
    const wanted = ExternalFilter.safeParse(filter);
    if (!wanted.success) throw toBadFilter(eventId);
    return toMatching(wanted.data);
  }
  if (!isEventId(eventId)) {
    throw new AppError('E_UNSUPPORTED', `There is no event called ${JSON.stringify(eventId.slice(0, 100))}.`, {
      hint: `The events are: ${EVENT_IDS.join(', ')}.`,
      reason: 'tool.unknown',
    });
  }
  requireGranted(role, eventId);
  const parsed = toFilterSchema(eventId).safeParse(filter);
  if (!parsed.success) throw toBadFilter(eventId, `: ${z.prettifyError(parsed.error).slice(0, 300)}`);
  const { paths = null } = parsed.data;
  return (event) => toNarrowed(event, paths);
}

/** Returns the whole data of events whose fields have one of the wanted values; what lacks a field does not match. */
function toMatching(wanted: ExternalFilter): Narrow {
  const fields = Object.entries(wanted).map(([name, values]) => [name, [values].flat()] as const);
  return ({ data }) => {
    const known = data as Record<string, unknown>;
    const fits = fields.every(
      ([name, values]) => Object.hasOwn(known, name) && values.some((value) => value === known[name]),
    );
    return fits ? known : null;
  };
}

/** `why`: the end of the sentence. */
function toBadFilter(eventId: string, why = '.'): AppError {
  return new AppError('E_BAD_ARGS', `The filter of ${eventId} is not valid${why}`, {
    ...(isExternal(eventId) && {
      hint: 'Name fields of the event, each with the value or the values that it may have.',
    }),
  });
}

function isExternal(eventId: string): eventId is `ext.${string}` {
  return eventId.startsWith('ext.');
}

function requireGranted(role: Role, eventId: string): void {
  if (isGranted(role, toPermission(eventId, 'event'))) return;
  throw new AppError('E_POLICY_VIOLATION', `The role ${role} does not include ${eventId}.`, { reason: 'tool.role' });
}

/** Returns the data of an event as far as it is in one of the paths; null for nothing. */
function toNarrowed(event: PublishedEvent, paths: readonly string[] | null): EventPayload['data'] | null {
  const { data } = event;
  if (paths === null) return data;
  const isIn = (path: string) =>
    paths.some((place) => path === place || path.startsWith(`${place.replace(/\/$/, '')}/`));
  if (event.id === 'project.file.changed') {
    const { data } = event;
    const named = data.paths.filter(isIn);
    return named.length === 0 ? null : { ...data, paths: named };
  }
  return 'path' in data && typeof data.path === 'string' && isIn(data.path) ? data : null;
}
