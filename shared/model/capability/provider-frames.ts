import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { JsonBoundsError, parseBoundedJson } from '../../text/bounded-json.ts';
import { Permission } from '../capability.ts';
import { Locale } from '../local-text.ts';
import { Caller } from './caller.ts';
import { LayeredCode } from './layered-error.ts';
import { CapabilityManifest, ManifestProvider, RateLimit, RiskStatement } from './manifest.ts';
import { EventPayload, InvokePayload, MessageFrame } from './message-frame.ts';
import { CapabilityId } from './namespace.ts';

/** The version of the protocol between the gateway and its providers. */
export const PROTOCOL_VERSION = '1.0.0';

/** Capabilities that one provider may offer at a time. */
export const MAX_OFFERED = 500;
/** Calls that a provider names when it comes back: those under way, and answers that may not have arrived. */
const MAX_RUNNING = 128;
/** Levels of objects and lists in a frame, and members of all of them; no honest schema or result has more. */
const BOUNDS = { depth: 32, members: 40_000 };

/** What a provider declares of a capability; namespace, role and approval are judged by the app. */
export const OfferedCapability = CapabilityManifest.pick({
  ...{ id: true, version: true, type: true, name: true, description: true, parameters: true },
  ...{ deprecated: true },
}).extend({
  returns: z.record(z.string(), z.unknown()).default({}),
  risk: RiskStatement,
  /** What it touches of the machine; shown to the user. */
  effects: z.array(Permission).max(20).default([]),
  rateLimit: RateLimit.optional(),
  tags: z.array(z.string().min(1).max(60)).max(30).default([]),
  examples: CapabilityManifest.shape.examples.default([]),
  /** Milliseconds that a call may take. */
  timeoutMs: z.int().min(100).max(600_000).default(60_000),
});
export type OfferedCapability = z.infer<typeof OfferedCapability>;

const Offered = z.array(OfferedCapability).max(MAX_OFFERED);

/** What a provider says about itself: the payload of its frame `register`, and the content of a file that is checked. */
export const ProviderDescription = z.strictObject({ provider: ManifestProvider, capabilities: Offered });
export type ProviderDescription = z.infer<typeof ProviderDescription>;

export const RegisterPayload = ProviderDescription.extend({
  protocol: z.string().regex(/^\d{1,4}\.\d{1,4}\.\d{1,4}$/),
  /** Continues a session after its connection broke. `running`: requests that it received and has not lost. */
  resume: z
    .strictObject({
      sessionId: z.string().min(1).max(100),
      running: z.array(z.string().min(1).max(100)).max(MAX_RUNNING),
    })
    .optional(),
});
export type RegisterPayload = z.infer<typeof RegisterPayload>;

/** The answer of the gateway. Times are in milliseconds. */
const RegisterAckPayload = z.strictObject({
  success: z.literal(true),
  protocol: z.string(),
  sessionId: z.string(),
  /** True if the session was continued; false: calls of the earlier one have ended. */
  resumed: z.boolean(),
  config: z.strictObject({
    heartbeatInterval: z.int(),
    /** How long a session waits for its provider after the connection broke. */
    resumeWindow: z.int(),
    maxFrameBytes: z.int(),
    maxCalls: z.int(),
  }),
});

export const UpdatePayload = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('add'), capabilities: Offered.min(1) }),
  z.strictObject({ action: z.literal('update'), capabilities: Offered.min(1) }),
  z.strictObject({ action: z.literal('remove'), ids: z.array(CapabilityId).min(1).max(MAX_OFFERED) }),
]);
export type UpdatePayload = z.infer<typeof UpdatePayload>;

const HeartbeatPayload = z.strictObject({ healthy: z.boolean().default(true), note: z.string().max(200).optional() });

export const ProgressPayload = z.strictObject({
  /** From 0 to 1; absent where it is unknown. */
  fraction: z.number().min(0).max(1).optional(),
  note: z.string().max(200).optional(),
});
export type ProgressPayload = z.infer<typeof ProgressPayload>;

/** A failure as a provider reports it. A code that the app does not know is read as a failed operation. */
const ProviderFailure = z.strictObject({
  code: LayeredCode.catch('BUSINESS.OPERATION_FAILED'),
  message: z.string().min(1).max(2000),
  suggestion: z.string().max(1000).optional(),
});

export const ResultPayload = z.discriminatedUnion('success', [
  z.strictObject({ success: z.literal(true), data: z.record(z.string(), z.unknown()) }),
  z.strictObject({ success: z.literal(false), error: ProviderFailure }),
]);
export type ResultPayload = z.infer<typeof ResultPayload>;

const head = { id: MessageFrame.shape.id, timestamp: MessageFrame.shape.timestamp };
const answering = { ...head, correlationId: z.string().min(1).max(100) };

/** A frame of a provider. Its events carry no count of lost ones: the app counts what it leaves out. */
export const ProviderFrame = z.discriminatedUnion('type', [
  z.strictObject({ ...head, type: z.literal('register'), payload: RegisterPayload }),
  z.strictObject({ ...head, type: z.literal('heartbeat'), payload: HeartbeatPayload.optional() }),
  z.strictObject({ ...head, type: z.literal('capability_update'), payload: UpdatePayload }),
  z.strictObject({ ...answering, type: z.literal('progress'), payload: ProgressPayload }),
  z.strictObject({ ...answering, type: z.literal('response'), payload: ResultPayload }),
  z.strictObject({ ...head, type: z.literal('event'), payload: EventPayload.omit({ lost: true }) }),
]);
export type ProviderFrame = z.infer<typeof ProviderFrame>;

/** What a provider is told about who calls: kinds and unguessable ids only, nothing that the user, a game or a client has named. */
export const CallOrigin = z.strictObject({
  caller: Caller.shape.type,
  /** The turn of the assistant, or the session of the other program; also in the app's audit log. Absent where it is no UUID. */
  traceId: z.uuid().optional(),
  /** The language of the user. */
  language: Locale,
});
export type CallOrigin = z.infer<typeof CallOrigin>;

/** `version`: the exact one that was negotiated with the caller; the parameters have its shape. */
const RequestPayload = InvokePayload.required({ version: true }).extend({
  version: CapabilityManifest.shape.version,
  context: CallOrigin,
});

/** A frame of the gateway. */
export const GatewayFrame = z.discriminatedUnion('type', [
  z.strictObject({ ...answering, type: z.literal('register_ack'), payload: RegisterAckPayload }),
  z.strictObject({ ...answering, type: z.literal('heartbeat_ack') }),
  /** Answers `capability_update`. */
  z.strictObject({ ...answering, type: z.literal('response'), payload: z.strictObject({ success: z.literal(true) }) }),
  z.strictObject({ ...head, type: z.literal('request'), payload: RequestPayload }),
  z.strictObject({
    ...answering,
    type: z.literal('cancel'),
    payload: z.strictObject({ reason: z.enum(['stopped', 'timeout']) }),
  }),
  /** Refuses a frame; without `correlationId` one that could not be read. */
  z.strictObject({
    ...head,
    correlationId: z.string().max(100).optional(),
    type: z.literal('error'),
    payload: z.strictObject({ error: ProviderFailure }),
  }),
]);
export type GatewayFrame = z.infer<typeof GatewayFrame>;

/** Reads a frame of a provider. Throws `E_BAD_ARGS` with a sentence that names what is wrong. */
export function parseProviderFrame(text: string): ProviderFrame {
  return parseFrame(text, ProviderFrame);
}

/** Reads a frame of the gateway. Throws as `parseProviderFrame` does. @public */
export function parseGatewayFrame(text: string): GatewayFrame {
  return parseFrame(text, GatewayFrame);
}

/** Parses the text of a frame without a look at its shape. Throws `SyntaxError`. */
export function parseFrameText(text: string): unknown {
  return parseBoundedJson(text, BOUNDS);
}

function parseFrame<T>(text: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = parseFrameText(text);
  } catch (error) {
    throw toBadFrame(error instanceof JsonBoundsError ? error.message : 'it is no valid JSON');
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw toBadFrame(`${issue?.path.join('.').slice(0, 200) || 'frame'}: ${issue?.message.slice(0, 300) ?? ''}`);
}

function toBadFrame(problem: string): AppError {
  return new AppError('E_BAD_ARGS', `This is no valid frame: ${problem}.`, { reason: 'provider.badFrame' });
}
