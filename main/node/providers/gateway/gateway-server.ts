import { mkdir, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError } from '../../../../shared/errors.ts';
import { writeDurably } from '../../files/durable-file.ts';
import { listenOnLoopback } from '../../stage/listen-on-loopback.ts';
import { watchConnection } from './connection-watch.ts';
import { createFlowLimit, FLOW_LIMITS } from './flow-limit.ts';

/** The file in the app's data folder with the address, which providers may read. It holds no token. */
const GATEWAY_FILE = 'gateway.json';
export const MAX_FRAME_BYTES = 4 * 1024 * 1024;
const MAX_CONNECTIONS = 128;
/** Connections of one provider that wait to be told who they are; a token that is tried out is not of use. */
const MAX_PER_PROVIDER = 4;
/** Bytes that may wait for a provider that does not read; one with more is disconnected. */
const MAX_BUFFERED_BYTES = 32 * 1024 * 1024;
/** Milliseconds that a closing connection may take. */
const CLOSE_WITHIN_MS = 1000;

export interface GatewaySocket {
  send(text: string): void;
  /** Closes with a code; what was sent before arrives first. */
  close(code: number): void;
  drop(): void;
  /** Drops the connection unless the program answers within so many milliseconds. */
  probe(within: number): void;
  /** True while nothing is read, because the provider sends too fast. */
  isPaused(): boolean;
}

export interface GatewaySocketHandler {
  receive(text: string): void;
  /** `isHonest`: false where the connection was ended for what the provider sent. */
  closed(isHonest: boolean): void;
}

interface ServerOptions {
  folder: string;
  now: () => number;
  /** Returns the provider that a token is of. */
  find(token: string): Promise<string | null>;
  connect(provider: string, socket: GatewaySocket): GatewaySocketHandler;
}

/**
 * Listens on a free port of the loopback addresses and writes the address to `gateway.json`. Connections of web pages, for another
 * host or without a token are refused before anything of them is read.
 */
export async function listenForProviders(options: ServerOptions): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer({ maxHeaderSize: 8 * 1024 }, (_request, response) => {
    response.writeHead(426, { 'content-type': 'text/plain' }).end('This is a WebSocket for providers.\n');
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.requestTimeout = 10_000;
  const { port, close } = await listenOnLoopback(server).catch((cause: unknown) => {
    throw new AppError('E_IO', 'No port is free for providers.', { cause });
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
  const counts = new Map<string, number>();
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    void admit(request, { port, find: options.find }).then((found) => {
      if (socket.destroyed) return;
      if (found.provider === null) return refuse(socket, found.status);
      const { provider } = found;
      const count = counts.get(provider) ?? 0;
      if (count >= MAX_PER_PROVIDER) return refuse(socket, 429);
      counts.set(provider, count + 1);
      socket.once('close', () => counts.set(provider, (counts.get(provider) ?? 1) - 1));
      sockets.handleUpgrade(request, socket, head, (client) => attach(client, provider, options));
    });
  });
  const url = `ws://127.0.0.1:${port}`;
  const file = path.join(options.folder, GATEWAY_FILE);
  const text = `${JSON.stringify({ url })}\n`;
  await mkdir(options.folder, { recursive: true });
  await writeDurably(file, text, 0o600);
  return {
    url,
    async close() {
      close();
      for (const client of sockets.clients) client.terminate();
      await closeServer(server);
      // Another window may have written its own since.
      if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true });
    },
  };
}

type Admission = { provider: string } | { provider: null; status: number };

/** A browser names the page as `Origin`, and the host that it believes to talk to; neither is what a program sends. */
async function admit(
  { headers }: IncomingMessage,
  { port, find }: Pick<ServerOptions, 'find'> & { port: number },
): Promise<Admission> {
  const { host = '', origin, authorization = '' } = headers;
  const isHere = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].includes(host);
  if (origin !== undefined || headers['sec-fetch-mode'] !== undefined || !isHere) {
    return { provider: null, status: 403 };
  }
  const token = /^Bearer ([\w-]{1,100})$/.exec(authorization)?.[1];
  const provider = token === undefined ? null : await find(token).catch(() => null);
  return provider === null ? { provider, status: 401 } : { provider };
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function attach(client: WebSocket, provider: string, { connect, now }: ServerOptions): void {
  const takeFlow = createFlowLimit(FLOW_LIMITS, now);
  let isHonest = true;
  let resuming: NodeJS.Timeout | undefined;
  let closing: NodeJS.Timeout | undefined;
  const isPaused = () => resuming !== undefined;
  const watch = watchConnection(client, isPaused);
  const handler = connect(provider, {
    send(text) {
      if (client.readyState !== client.OPEN) return;
      client.send(text);
      if (client.bufferedAmount > MAX_BUFFERED_BYTES) client.terminate();
    },
    close(code) {
      isHonest = false;
      client.close(code);
      closing ??= setTimeout(() => client.terminate(), CLOSE_WITHIN_MS);
    },
    drop: () => client.terminate(),
    probe: watch.probe,
    isPaused,
  });
  client.on('message', (data: Buffer, isBinary) => {
    if (client.readyState !== client.OPEN) return;
    if (isBinary) {
      isHonest = false;
      client.close(1003);
      return;
    }
    const wait = takeFlow(data.length);
    if (wait > 0 && !isPaused()) {
      client.pause();
      watch.paused();
      resuming = setTimeout(() => {
        resuming = undefined;
        client.resume();
      }, wait);
    }
    handler.receive(data.toString());
  });
  client.on('close', () => {
    clearTimeout(resuming);
    clearTimeout(closing);
    watch.stop();
    handler.closed(isHonest);
  });
  // A frame that is too large or broken.
  client.on('error', () => {
    isHonest = false;
    client.terminate();
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
