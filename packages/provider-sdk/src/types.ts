/** A value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
/** JSON Schema, draft 2020-12. */
export type JsonSchema = Record<string, unknown>;

/** The codes that a provider may report; others are read as `BUSINESS.OPERATION_FAILED`. */
export type FailureCode =
  | 'SYSTEM.INTERNAL_ERROR'
  | 'SYSTEM.SERVICE_UNAVAILABLE'
  | 'SYSTEM.TIMEOUT'
  | 'SYSTEM.RATE_LIMITED'
  | 'PROTOCOL.CAPABILITY_NOT_FOUND'
  | 'PROTOCOL.VERSION_MISMATCH'
  | 'PROTOCOL.SCHEMA_VALIDATION_FAILED'
  | 'BUSINESS.FILE_NOT_FOUND'
  | 'BUSINESS.TOO_LARGE'
  | 'BUSINESS.CONFLICT'
  | 'BUSINESS.OPERATION_FAILED';

/** How bad a mistake would be. The app asks the user accordingly; what cannot be undone is asked for from `medium` on. */
export interface Risk {
  level: 'low' | 'medium' | 'high' | 'critical';
  reason: string;
  /** True if the effect can be undone. */
  rollbackSupported?: boolean;
  /** Ask for each call, also where the level does not demand it. */
  approvalRequired?: boolean;
}

interface Described {
  /** The name that the user sees. */
  name: string;
  /** What it does and when to use it, for the model. */
  description: string;
  /** Default: `1.0.0`. */
  version?: string;
  risk: Risk;
  /** What it touches of the machine, such as `net.connect`; shown to the user. */
  effects?: readonly ('fs.read' | 'fs.write' | 'fs.delete' | 'proc.exec' | 'net.connect')[];
  tags?: readonly string[];
}

/** `model`: the assistant in the app; `client`: another program, for which the app carries the call out. */
export type CallerKind = (typeof CALLER_KINDS)[number];
export const CALLER_KINDS = ['model', 'user', 'system', 'client', 'provider'] as const;

/** What a running call may use. An app of an earlier version does not tell who calls. */
export interface CallContext {
  /** Aborts when the call was cancelled, took too long, or the connection was given up. */
  signal: AbortSignal;
  /** A UUID that names this call. */
  requestId: string;
  /** The version of the capability that was negotiated with the caller; the parameters have its shape. Null: not told. */
  version: string | null;
  /** Who calls. Null: not told. */
  caller: CallerKind | null;
  /** A UUID of the conversation's turn, or of the program's session, that the call belongs to. Null: not told. */
  traceId: string | null;
  /** The language of the user, such as `zh-CN`. Null: not told. */
  language: string | null;
  /** Reports progress: a number from 0 to 1, a short text, or both. */
  progress(fraction: number | null, note?: string): void;
}

/** `context` reads and has no side effects; `action` has some. */
export interface CallableCapability extends Described {
  type: 'context' | 'action';
  /** The arguments: a schema of an object. */
  parameters: JsonSchema;
  /** The result; an object. */
  returns?: JsonSchema;
  examples?: readonly { name: string; parameters: JsonObject; response?: Json }[];
  /** Milliseconds; default one minute. */
  timeoutMs?: number;
  rateLimit?: { requests: number; period: 'second' | 'minute' | 'hour' | 'day' };
  /** It will be removed: it is not offered to models any more, and the app refuses it from the day `sunset` (ISO 8601) on. */
  deprecated?: {
    since: string;
    removalVersion: string;
    reason?: string;
    replacement?: string;
    date?: string;
    sunset?: string;
  };
  run(parameters: JsonObject, context: CallContext): JsonObject | Promise<JsonObject>;
}

/** Something that happens at the provider; sent with `emit`. */
export interface EventCapability extends Described {
  type: 'event';
  /** The data of an event. */
  returns: JsonSchema;
}

export type Capability = CallableCapability | EventCapability;

/** A frame of the protocol, as both sides send it. */
export interface Frame {
  id: string;
  type: string;
  timestamp: string;
  correlationId?: string;
  payload?: JsonObject;
}

/** Throw it from `run` for a failure that the user or the model can understand. */
export class CapabilityFailure extends Error {
  override readonly name = 'CapabilityFailure';
  readonly code: FailureCode;
  readonly suggestion: string | undefined;

  constructor(code: FailureCode, message: string, suggestion?: string) {
    super(message);
    this.code = code;
    this.suggestion = suggestion;
  }
}
