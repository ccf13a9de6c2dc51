import { z } from 'zod';
import type { JsonBounds } from '../../text/bounded-json.ts';
import { CapabilityId } from './namespace.ts';

/** Of a call and its arguments, as JSON. */
export const CALL_BOUNDS: JsonBounds = { depth: 32, members: 10_000 };

export const FRAME_TYPES = [
  'request',
  'response',
  'event',
  'error',
  'heartbeat',
  'heartbeat_ack',
  'register',
  'register_ack',
  'capability_update',
  'subscribe',
  'unsubscribe',
  'progress',
  'cancel',
] as const;

/** A message over a WebSocket. */
export const MessageFrame = z.strictObject({
  id: z.string().min(1).max(100),
  type: z.enum(FRAME_TYPES),
  timestamp: z.iso.datetime(),
  /** The id of the request that it answers, or of the subscription that it belongs to. */
  correlationId: z.string().max(100).optional(),
  payload: z.record(z.string(), z.unknown()).optional(),
});
export type MessageFrame = z.infer<typeof MessageFrame>;

/** The payload of a frame `request`. `version`: the one that the caller was written for, or a range such as `^1.0.0`. */
export const InvokePayload = z.strictObject({
  capabilityId: CapabilityId,
  version: z.string().max(40).optional(),
  parameters: z.record(z.string(), z.unknown()).default({}),
  context: z
    .strictObject({
      caller: z.string().max(100).optional(),
      sessionId: z.string().max(100).optional(),
      traceId: z.string().max(100).optional(),
    })
    .optional(),
});
export type InvokePayload = z.infer<typeof InvokePayload>;

/** The payload of a frame `event`. */
export const EventPayload = z.strictObject({
  eventId: CapabilityId,
  data: z.record(z.string(), z.unknown()),
  /** Number of events of this subscription that were left out before this one, because the receiver was too slow. */
  lost: z.int().min(0),
});
export type EventPayload = z.infer<typeof EventPayload>;
