import { randomUUID } from 'node:crypto';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { parseBoundedJson } from '../../../../shared/text/bounded-json.ts';
import { createOutputTail, type OutputTail } from '../../process/output-tail.ts';
import { type ProcessTree, startProgram } from '../../process/process-tree.ts';
import { MESSAGE_BOUNDS } from './message-bounds.ts';
import { findAnswered, toProblem, toUnreadableAnswer } from './unreadable-answer.ts';

/** Longest line; a picture of 4,096 × 4,096 pixels is about half of it. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Messages that are read in one second; more wait in the pipe, where the program has to wait with them. */
const MAX_MESSAGES = 2000;
const SECOND_MS = 1000;
const MAX_TAIL = 8 * 1024;

export interface StdioOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
}

export interface StdioTransport extends Transport {
  /** The last lines that the program wrote to its standard error. */
  errors: OutputTail;
}

/**
 * Creates the connection to a program that is started for it. It ends with this process, however that ends. The SDK's own transport
 * has neither a process group nor a limit of messages in a time.
 */
export function createStdioTransport({ command, args, cwd, env }: StdioOptions): StdioTransport {
  const errors = createOutputTail(MAX_TAIL);
  let tree: ProcessTree | null = null;
  let isClosed = false;
  const transport: StdioTransport = {
    errors,
    start: () =>
      new Promise((resolve, reject) => {
        tree = startProgram([command, ...args], { cwd, env, id: randomUUID() });
        const { child } = tree;
        child.once('error', reject);
        child.once('spawn', resolve);
        child.once('exit', () => void close());
        child.stdin?.on('error', (error) => transport.onerror?.(error));
        child.stderr?.setEncoding('utf8').on('data', errors.add);
        if (child.stdout)
          readLines(child.stdout, { transport, errors, isClosed: () => isClosed, close: () => void close() });
      }),
    async send(message) {
      const input = tree?.child.stdin;
      if (isClosed || !input?.writable) throw new Error('The program has ended.');
      if (!input.write(serializeMessage(message))) {
        await new Promise<void>((resolve) => {
          input.once('drain', resolve);
          input.once('close', resolve);
        });
      }
    },
    close: () => close(),
  };

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    await tree?.end();
    transport.onclose?.();
  }

  return transport;
}

/** Returns the message of a line, or one that ends the call whose answer cannot be read. Throws for a line that is neither. */
function readMessage(line: string): JSONRPCMessage {
  try {
    return JSONRPCMessageSchema.parse(parseBoundedJson(line, MESSAGE_BOUNDS));
  } catch (error) {
    const id = findAnswered(line);
    const problem = toProblem(error);
    if (id === null || problem === null) throw error;
    return toUnreadableAnswer(id, problem);
  }
}

interface Reading {
  transport: Transport;
  errors: OutputTail;
  isClosed: () => boolean;
  close: () => void;
}

/** Passes each line on as a message; pauses the stream where there are too many, and closes at a line that is too long. */
function readLines(stream: NodeJS.ReadableStream, { transport, errors, isClosed, close }: Reading): void {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let waiting: Buffer[] = [];
  let since = Date.now();
  let count = 0;

  function pass(line: Buffer): void {
    try {
      transport.onmessage?.(readMessage(line.toString('utf8')));
    } catch (error) {
      // Some programs write other lines; a message that is none is skipped.
      transport.onerror?.(error instanceof Error ? error : new Error('The line is not a message.'));
    }
  }

  function drain(): void {
    for (let line = waiting.shift(); line !== undefined && !isClosed(); line = waiting.shift()) {
      if (Date.now() - since >= SECOND_MS) {
        since = Date.now();
        count = 0;
      }
      count += 1;
      pass(line);
      if (count < MAX_MESSAGES) continue;
      stream.pause();
      setTimeout(drain, Math.max(1, since + SECOND_MS - Date.now())).unref();
      return;
    }
    if (isClosed()) waiting = [];
    else stream.resume();
  }

  stream.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...pieces, chunk.subarray(start, end)]);
      if (line.length > 1) waiting.push(line);
      pieces = [];
      bytes = 0;
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    pieces.push(rest);
    bytes += rest.length;
    if (bytes > MAX_LINE_BYTES) {
      pieces = [];
      errors.add(`\nIt sent a line of more than ${MAX_LINE_BYTES / 1024 / 1024} MB, so it was ended.\n`);
      close();
      return;
    }
    drain();
  });
}
