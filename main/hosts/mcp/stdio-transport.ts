import type { Readable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

const LINE_FEED = 0x0a;
/** The longest text of a tool call is 5 MiB, and JSON may encode each byte as six. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** Methods that are allowed before initialization. */
const ALLOWED_BEFORE_INITIALIZE: ReadonlySet<string> = new Set(['initialize', 'ping']);

export interface StdioTransport extends Transport {
  /** Resolves when every received request was answered, or once `signal` aborts. */
  idle(signal: AbortSignal): Promise<void>;
}

interface StdioPorts {
  input: Readable;
  /** Writes to the client. Resolves when the bytes are written; rejects when the reading end is closed. */
  write(text: string): Promise<void>;
  /** Called when the client has closed its side; earlier requests are still answered. */
  onEnd(): void;
}

/**
 * Creates a transport with one JSON-RPC message per line. Replaces the library's transport, which drops invalid input silently,
 * copies a long message once per chunk, stops permanently at one that is too long, and does not detect the end of its input.
 * Here invalid input gets an error response and the next line is read.
 */
export function createStdioTransport({ input, write, onEnd }: StdioPorts): StdioTransport {
  const answering = new Set<RequestId>();
  const waiting = new Set<() => void>();
  let pieces: Buffer[] = [];
  let bytes = 0;
  let isSkipping = false;
  let isInitialized = false;
  let isOver = false;
  let isClosed = false;

  const send = async (message: JSONRPCMessage | RefusalMessage): Promise<void> => {
    if (isClosed) return;
    await write(`${JSON.stringify(message)}\n`);
  };

  const refuse = (id: RequestId | null, code: number, message: string): void => {
    send({ jsonrpc: '2.0', id, error: { code, message } }).catch((error: Error) => transport.onerror?.(error));
  };

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

  const receive = (line: Buffer): void => {
    const { value, isJson } = toJson(line);
    if (!isJson) {
      refuse(null, ErrorCode.ParseError, 'The message is not JSON in UTF-8.');
      return;
    }
    const { data: message } = JSONRPCMessageSchema.safeParse(value);
    if (!message) {
      const what = Array.isArray(value) ? 'Batches are not supported.' : 'The message is not JSON-RPC 2.0.';
      refuse(toRequestId(value), ErrorCode.InvalidRequest, what);
      return;
    }
    if ('method' in message && 'id' in message) {
      const objection = findObjection(message.id, message.method);
      if (objection !== null) {
        refuse(message.id, ErrorCode.InvalidRequest, objection);
        return;
      }
      isInitialized ||= message.method === 'initialize';
      answering.add(message.id);
    } else if ('method' in message && message.method === 'notifications/cancelled') {
      // The library does not answer a cancelled request.
      const id = toRequestId({ id: message.params?.requestId });
      if (id !== null) queueMicrotask(() => settle(id));
    }
    transport.onmessage?.(message);
  };

  const take = (piece: Buffer): void => {
    if (isSkipping) return;
    pieces.push(piece);
    bytes += piece.length;
    if (bytes <= MAX_LINE_BYTES) return;
    isSkipping = true;
    pieces = [];
    bytes = 0;
    refuse(null, ErrorCode.InvalidRequest, `The message is longer than ${MAX_LINE_BYTES} bytes.`);
  };

  const endLine = (): void => {
    const line = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, bytes);
    const wasSkipping = isSkipping;
    pieces = [];
    bytes = 0;
    isSkipping = false;
    if (!wasSkipping && line.some((byte) => byte > 0x20)) receive(line);
  };

  const onData = (chunk: Buffer): void => {
    let start = 0;
    for (let feed = chunk.indexOf(LINE_FEED); feed !== -1 && !isClosed; feed = chunk.indexOf(LINE_FEED, start)) {
      take(chunk.subarray(start, feed));
      endLine();
      start = feed + 1;
    }
    take(chunk.subarray(start));
  };

  const onError = (error: Error): void => transport.onerror?.(error);
  const onInputEnd = (): void => {
    if (isOver) return;
    isOver = true;
    // A last line without a line break is a message, too.
    endLine();
    onEnd();
  };

  const transport: StdioTransport = {
    async start() {
      input.on('data', onData);
      input.on('error', onError);
      input.once('end', onInputEnd);
      // A failed input emits no `end`, but the client is gone and its lock must be released.
      input.once('close', onInputEnd);
    },
    async send(message) {
      try {
        await send(message);
      } finally {
        if ('id' in message && message.id !== undefined && !('method' in message)) settle(message.id);
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      input.off('data', onData);
      input.off('error', onError);
      input.off('end', onInputEnd);
      input.off('close', onInputEnd);
      input.pause();
      transport.onclose?.();
    },
    idle(signal) {
      return new Promise((resolve) => {
        if (answering.size === 0 || signal.aborted) return resolve();
        waiting.add(resolve);
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    },
  };
  return transport;
}

/** JSON-RPC requires a null id if the request's id is unknown; the library's type does not allow it. */
interface RefusalMessage {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string };
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
