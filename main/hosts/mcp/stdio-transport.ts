import type { Readable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

const FEED = 0x0a;
/** The longest text a tool takes is 5 MiB, and JSON may write each of its bytes as six. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** What may be asked before `initialize`. */
const AT_ONCE: ReadonlySet<string> = new Set(['initialize', 'ping']);

export interface StdioTransport extends Transport {
  /** Resolves when every request so far has its answer, or once `signal` aborts. */
  idle(signal: AbortSignal): Promise<void>;
}

interface StdioPorts {
  input: Readable;
  /** The one way to the client; resolves when the bytes are handed over, rejects when nobody reads any more. */
  write(text: string): Promise<void>;
  /** The client has closed its side; what it asked before is still answered. */
  onEnd(): void;
}

/**
 * One JSON-RPC message per line. Own code instead of the library's transport, which drops what it cannot read without a
 * word, copies a long message once per piece of it, gives up for good on one that is too long, and does not notice that
 * its input has ended. Here junk gets an error and the next line its turn.
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

  /** Why a request is not handed on; null when it is. */
  const findObjection = (id: RequestId, method: string): string | null => {
    if (answering.has(id)) return 'This id is in use by a request under way.';
    if (!isInitialized && !AT_ONCE.has(method)) {
      return `Nothing but initialize can be asked yet; "${method.slice(0, 100)}" was not run.`;
    }
    return isInitialized && method === 'initialize' ? 'This session has been initialized already.' : null;
  };

  const hear = (line: Buffer): void => {
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
      // The library answers a cancelled request no more.
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
    if (!wasSkipping && line.some((byte) => byte > 0x20)) hear(line);
  };

  const onData = (chunk: Buffer): void => {
    let start = 0;
    for (let feed = chunk.indexOf(FEED); feed !== -1 && !isClosed; feed = chunk.indexOf(FEED, start)) {
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
    // A last line without its line break is a message all the same.
    endLine();
    onEnd();
  };

  const transport: StdioTransport = {
    async start() {
      input.on('data', onData);
      input.on('error', onError);
      input.once('end', onInputEnd);
      // An input that fails has no end; the client is gone all the same, and its lock must not stay.
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

/** JSON-RPC wants a null id where the request's own could not be made out; the library's type has no place for that. */
interface RefusalMessage {
  jsonrpc: '2.0';
  id: RequestId | null;
  error: { code: number; message: string };
}

function toJson(line: Buffer): { value?: unknown; isJson: boolean } {
  try {
    // Broken bytes would become other characters unnoticed, and be written into the game.
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)), isJson: true };
  } catch {
    // Said to the client, who alone can do something about it.
    return { isJson: false };
  }
}

function toRequestId(value: unknown): RequestId | null {
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : undefined;
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}
