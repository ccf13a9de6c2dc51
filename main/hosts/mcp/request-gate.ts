import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { withAbort } from '../../../shared/async.ts';

/** Methods that are allowed before initialization. */
const ALLOWED_BEFORE_INITIALIZE: ReadonlySet<string> = new Set(['initialize', 'ping']);

/** A rejected line: the error response to send. The id is null if the request's id is unknown. */
export interface Refusal {
  id: RequestId | null;
  code: number;
  message: string;
}

/** Decides which lines of a client are passed on, and keeps the ids of requests until they are answered. */
export interface RequestGate {
  /** Parses a line. A passed request counts as running until `settle`. */
  check(line: Buffer): { message: JSONRPCMessage } | { refusal: Refusal };
  /** Marks a request as answered. */
  settle(id: RequestId): void;
  /** Resolves when no request is running, or once `signal` aborts. */
  idle(signal: AbortSignal): Promise<void>;
}

export function createRequestGate(): RequestGate {
  const answering = new Set<RequestId>();
  const waiting = new Set<() => void>();
  let isInitialized = false;

  const settle = (id: RequestId): void => {
    answering.delete(id);
    if (answering.size > 0) return;
    for (const done of waiting) done();
    waiting.clear();
  };

  /** Returns why a request is rejected; null if it is accepted. */
  const findObjection = (id: RequestId, method: string): string | null => {
    if (answering.has(id)) return 'This id is in use by a running request.';
    if (!isInitialized && !ALLOWED_BEFORE_INITIALIZE.has(method)) {
      return `Send initialize first; "${method.slice(0, 100)}" was not run.`;
    }
    return isInitialized && method === 'initialize' ? 'This session has been initialized already.' : null;
  };

  return {
    check(line) {
      const { value, isJson } = toJson(line);
      if (!isJson) return refuse(null, ErrorCode.ParseError, 'The message is not JSON in UTF-8.');
      const { data: message } = JSONRPCMessageSchema.safeParse(value);
      if (!message) {
        const what = Array.isArray(value) ? 'Batches are not supported.' : 'The message is not JSON-RPC 2.0.';
        return refuse(toRequestId(value), ErrorCode.InvalidRequest, what);
      }
      if ('method' in message && 'id' in message) {
        const objection = findObjection(message.id, message.method);
        if (objection !== null) return refuse(message.id, ErrorCode.InvalidRequest, objection);
        isInitialized ||= message.method === 'initialize';
        answering.add(message.id);
      } else if ('method' in message && message.method === 'notifications/cancelled') {
        // The library does not answer a cancelled request.
        const id = toRequestId({ id: message.params?.requestId });
        if (id !== null) queueMicrotask(() => settle(id));
      }
      return { message };
    },
    settle,
    async idle(signal) {
      if (answering.size === 0) return;
      const answered = new Promise<void>((resolve) => void waiting.add(resolve));
      await withAbort(answered, signal).catch(() => undefined);
    },
  };
}

function refuse(id: RequestId | null, code: number, message: string): { refusal: Refusal } {
  return { refusal: { id, code, message } };
}

function toJson(line: Buffer): { value?: unknown; isJson: boolean } {
  try {
    // Without `fatal`, invalid bytes would be replaced silently and written into the game.
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)), isJson: true };
  } catch {
    // Reported to the client by the caller.
    return { isJson: false };
  }
}

function toRequestId(value: unknown): RequestId | null {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : undefined;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}
