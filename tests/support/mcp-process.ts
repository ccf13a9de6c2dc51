import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';

const ROOT = path.join(import.meta.dirname, '..', '..');
const CLI = path.join(ROOT, 'main', 'cli.ts');

/** A small game in its own folder, with a separate data folder for the app. */
export interface McpProjectFolder {
  root: string;
  environment: Record<string, string>;
  text(file: string): Promise<string | null>;
  put(file: string, content: string | Uint8Array): Promise<void>;
  /** Returns the current lines of the audit log. */
  audit(): Promise<{ tool: string; ok: boolean; code: string | null }[]>;
  dispose(): Promise<void>;
}

export async function createMcpProject(files: Record<string, string | Uint8Array>): Promise<McpProjectFolder> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'mcp-game-')));
  const home = await mkdtemp(path.join(tmpdir(), 'mcp-home-'));
  const put = async (file: string, content: string | Uint8Array) => {
    const absolute = path.join(root, file);
    await mkdir(path.dirname(absolute), { recursive: true });
    await writeFile(absolute, content);
  };
  for (const [file, content] of Object.entries(files)) await put(file, content);
  const text = (file: string) => readFile(path.join(root, file), 'utf8').catch(() => null);
  return {
    root,
    environment: {
      WEBGAL_AGENT_HOME: home,
      WEBGAL_AGENT_LANG: 'en',
      PATH: process.env.PATH ?? '',
      // The program is started from source many times; caches the compiled code.
      NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules', '.cache', 'compiled'),
    },
    text,
    put,
    async audit() {
      const lines = ((await text('.webgal_agent/audit.jsonl')) ?? '').split('\n');
      return lines.filter(Boolean).map((line) => JSON.parse(line));
    },
    async dispose() {
      for (const folder of [root, home]) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Connects the official client to the real program. With `answer` it supports elicitation. */
export async function connectClient(
  game: Pick<McpProjectFolder, 'root' | 'environment'>,
  {
    args = [],
    answer,
    roots,
    prepare,
  }: {
    args?: string[];
    answer?: (params: ElicitRequest['params']) => ElicitResult;
    /** The folders that the client has open; with them, the program is not told its game unless `args` names it. */
    roots?: () => string[];
    /** Adds handlers before the connection is made. */
    prepare?: (client: Client) => void;
  } = {},
): Promise<Client> {
  const client = new Client(
    { name: 'test client', version: '1.0.0' },
    { capabilities: { ...(answer && { elicitation: {} }), ...(roots && { roots: { listChanged: true } }) } },
  );
  if (roots) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots().map((folder) => ({ uri: pathToFileURL(folder).href })),
    }));
  }
  prepare?.(client);
  if (answer) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [CLI, 'mcp', ...(roots ? [] : ['--project', game.root]), ...args],
      env: game.environment,
      stderr: 'ignore',
    }),
  );
  return client;
}

/** The real program without a client library: raw lines in and out. */
export interface RawMcp {
  child: ChildProcessWithoutNullStreams;
  /** Sends a message, or raw bytes. */
  send(message: object | string | Uint8Array): void;
  /** Resolves to the next message that matches the filter; rejects if the program ends first. */
  next(filter?: (message: RawMessage) => boolean): Promise<RawMessage>;
  /** Performs the initialization handshake. */
  hello(): Promise<void>;
  /** Lines on standard output that were not JSON-RPC. */
  stray: string[];
  errors(): string;
  exited: Promise<{ code: number | null; signal: string | null }>;
}

export interface RawMessage {
  jsonrpc: string;
  id?: number | string | null;
  method?: string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export function startRaw(game: McpProjectFolder, args: string[] = []): RawMcp {
  const child = spawn(process.execPath, [CLI, 'mcp', '--project', game.root, ...args], { env: game.environment });
  const messages: RawMessage[] = [];
  const waiting = new Set<() => void>();
  const stray: string[] = [];
  let buffer = '';
  let words = '';
  const wake = () => {
    for (const look of [...waiting]) look();
  };
  child.stdin.on('error', () => undefined); // The program may have exited already; the test detects that.
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    words += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    buffer += text;
    const lines = buffer.split('\n');
    buffer = lines.pop() ?? '';
    for (const line of lines) {
      const message = toMessage(line);
      if (message) messages.push(message);
      else stray.push(line);
    }
    wake();
  });
  let isOver = false;
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('close', (code, signal) => {
      isOver = true;
      if (buffer !== '') stray.push(buffer);
      wake();
      resolve({ code, signal });
    });
  });
  const raw: RawMcp = {
    child,
    stray,
    exited,
    errors: () => words,
    send(message) {
      const isBytes = typeof message === 'string' || message instanceof Uint8Array;
      child.stdin.write(isBytes ? message : `${JSON.stringify(message)}\n`);
    },
    next: (filter = () => true) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const index = messages.findIndex(filter);
          const [found] = index === -1 ? [] : messages.splice(index, 1);
          if (!found && !isOver) return;
          waiting.delete(look);
          if (found) resolve(found);
          else reject(new Error(`The program has ended. ${words}`));
        };
        waiting.add(look);
        look();
      }),
    async hello() {
      const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
      raw.send({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params });
      await raw.next(({ id }) => id === 'hello');
      raw.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    },
  };
  return raw;
}

function toMessage(line: string): RawMessage | null {
  try {
    const message = JSON.parse(line);
    return message.jsonrpc === '2.0' ? message : null;
  } catch {
    return null;
  }
}
