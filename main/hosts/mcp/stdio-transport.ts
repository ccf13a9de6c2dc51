import type { Readable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { createLineReader } from './line-reader.ts';
import { createRequestGate, type Refusal } from './request-gate.ts';

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
  const gate = createRequestGate();
  let isOver = false;
  let isClosed = false;

  const send = async (message: JSONRPCMessage | RefusalMessage): Promise<void> => {
    if (isClosed) return;
    await write(`${JSON.stringify(message)}\n`);
  };

  const refuse = ({ id, ...error }: Refusal): void => {
    send({ jsonrpc: '2.0', id, error }).catch((cause: Error) => transport.onerror?.(cause));
  };

  const lines = createLineReader({
    onLine(line) {
      const checked = gate.check(line);
      if ('refusal' in checked) refuse(checked.refusal);
      else transport.onmessage?.(checked.message);
    },
    onTooLong(bytes) {
      refuse({ id: null, code: ErrorCode.InvalidRequest, message: `The message is longer than ${bytes} bytes.` });
    },
    isClosed: () => isClosed,
  });

  const onError = (error: Error): void => transport.onerror?.(error);
  const onInputEnd = (): void => {
    if (isOver) return;
    isOver = true;
    // A last line without a line break is a message, too.
    lines.endLine();
    onEnd();
  };

  const transport: StdioTransport = {
    async start() {
      input.on('data', lines.read);
      input.on('error', onError);
      input.once('end', onInputEnd);
      // A failed input emits no `end`, but the client is gone and its lock must be released.
      input.once('close', onInputEnd);
    },
    async send(message) {
      try {
        await send(message);
      } finally {
        if ('id' in message && message.id !== undefined && !('method' in message)) gate.settle(message.id);
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      input.off('data', lines.read);
      input.off('error', onError);
      input.off('end', onInputEnd);
      input.off('close', onInputEnd);
      input.pause();
      transport.onclose?.();
    },
    idle: gate.idle,
  };
  return transport;
}

/** JSON-RPC requires a null id if the request's id is unknown; the library's type does not allow it. */
interface RefusalMessage {
  jsonrpc: '2.0';
  id: Refusal['id'];
  error: { code: number; message: string };
}
