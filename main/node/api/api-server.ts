import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { AppError } from '../../../shared/errors.ts';
import { type LayeredCode, toHttpStatus } from '../../../shared/model/capability/layered-error.ts';
import { CALL_BOUNDS } from '../../../shared/model/capability/message-frame.ts';
import { JsonBoundsError, parseBoundedJson } from '../../../shared/text/bounded-json.ts';
import type { ApiServer, ApiServerHandlers, LocalRequest } from '../../core/ports/servers/api-server.ts';
import { listenOnLoopback } from '../stage/listen-on-loopback.ts';
import { API_FILE, writeApiFile } from './api-file.ts';
import { GREETING_PATH, toProof } from './api-greeting.ts';

/** A whole text file as an argument, with room for its escapes. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const MAX_FRAME_BYTES = 16 * 1024 * 1024;
const MAX_CONNECTIONS = 64;
/** Bytes that may wait for a slow receiver before its events wait in their queue. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/** Creates the server of the discovery API. `folder`: the app's data folder. */
export function createApiServer(folder: string): ApiServer {
  return {
    async start(handlers) {
      const token = randomBytes(32).toString('base64url');
      const server = createServer({ maxHeaderSize: 16 * 1024 });
      server.maxConnections = MAX_CONNECTIONS;
      server.requestTimeout = 60_000;
      const { port, close } = await listenOnLoopback(server).catch((cause: unknown) => {
        throw new AppError('E_IO', 'No port is free for the discovery API.', { cause });
      });
      const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });
      const isAdmitted = (request: IncomingMessage) => findRefusal(request, { port, token });
      server.on('request', (request, response) => {
        const proof = findForeign(request, port) === null ? toGreeting(request, { port, token }) : null;
        if (proof === null) void answer(request, response, { handlers, isAdmitted });
        else send(response, 200, { proof });
      });
      server.on('upgrade', (request, socket, head) => {
        upgrade(request, { socket, head, sockets, handlers, refusal: isAdmitted(request) });
      });
      const removeFile = await writeApiFile(folder, { url: `http://127.0.0.1:${port}`, token, process: process.pid });
      return {
        async close() {
          close();
          for (const client of sockets.clients) client.terminate();
          await closeServer(server);
          await removeFile();
        },
      };
    },
  };
}

interface Refusal {
  code: LayeredCode;
  message: string;
}

/** Returns why a request is refused that may not come here at all: a page's, or one for another host (DNS rebinding). */
function findForeign({ headers: { host = '', origin } }: IncomingMessage, port: number): Refusal | null {
  const isOurs = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].includes(host);
  if (origin === undefined && isOurs) return null;
  return { code: 'PERMISSION.DENIED', message: 'Web pages and other hosts are refused.' };
}

/** Returns the answer to a greeting, which has no token; null for any other request, and for a challenge that is none. */
function toGreeting({ method, url = '' }: IncomingMessage, own: { port: number; token: string }): string | null {
  const greeting = URL.parse(url, 'http://127.0.0.1');
  if (method !== 'GET' || greeting?.pathname !== GREETING_PATH) return null;
  return toProof(greeting.searchParams.get('challenge') ?? '', own);
}

/** Returns why a request is refused: where it comes from, or that it has no token. */
function findRefusal(request: IncomingMessage, { port, token }: { port: number; token: string }): Refusal | null {
  const foreign = findForeign(request, port);
  if (foreign) return foreign;
  const { authorization = '' } = request.headers;
  if (authorization === '') return { code: 'AUTH.UNAUTHORIZED', message: `Send the token of ${API_FILE}.` };
  const isToken = isSame(authorization, `Bearer ${token}`);
  return isToken ? null : { code: 'AUTH.TOKEN_INVALID', message: `This is not the token of ${API_FILE}.` };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { handlers, isAdmitted }: { handlers: ApiServerHandlers; isAdmitted: (request: IncomingMessage) => Refusal | null },
): Promise<void> {
  const refuse = ({ code, message }: Refusal): void => {
    const { status, body } = handlers.refuse(code, message);
    send(response, status, body);
  };
  const refusal = isAdmitted(request);
  if (refusal) return refuse(refusal);
  const ended = new AbortController();
  response.on('close', () => ended.abort());
  try {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const local: LocalRequest = {
      method: request.method ?? 'GET',
      path: decodeURIComponent(url.pathname),
      query: Object.fromEntries(url.searchParams),
      body: await readBody(request),
      signal: ended.signal,
    };
    const { status, body } = await handlers.request(local);
    send(response, status, body);
  } catch (error) {
    const bound = error instanceof JsonBoundsError ? `The request is not taken: ${error.message}.` : null;
    const message = bound ?? 'The request is no valid JSON, or too large.';
    refuse({ code: 'PROTOCOL.INVALID_REQUEST', message });
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('too large');
    chunks.push(chunk);
  }
  return size === 0 ? undefined : parseBoundedJson(Buffer.concat(chunks).toString('utf8'), CALL_BOUNDS);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(JSON.stringify(body));
}

function upgrade(
  request: IncomingMessage,
  options: {
    socket: Duplex;
    head: Buffer;
    sockets: WebSocketServer;
    handlers: ApiServerHandlers;
    refusal: Refusal | null;
  },
): void {
  const { socket, head, sockets, handlers, refusal } = options;
  // Without a listener the error of a connection that breaks would end the app.
  socket.on('error', () => socket.destroy());
  const place = URL.parse(request.url ?? '/', 'http://127.0.0.1')?.pathname;
  if (refusal || place === undefined) {
    const status = refusal ? toHttpStatus(refusal.code) : 400;
    socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\n\r\n`, () => socket.destroy());
    return;
  }
  sockets.handleUpgrade(request, socket, head, (client) => attach(client, place, handlers));
}

function attach(client: WebSocket, place: string, handlers: ApiServerHandlers): void {
  // An invalid frame closes the connection, which is reported as `close`.
  client.on('error', () => client.terminate());
  const handler = handlers.connect(place, {
    send: (text) => sendFrame(client, text),
    close: () => client.close(),
  });
  if (handler === null) {
    client.close(1008);
    return;
  }
  client.on('message', (data) => handler.receive(data.toString()));
  client.on('close', () => handler.closed());
}

/** Resolves when the text was passed on and little waits before it, so that a slow receiver slows its own queue only. */
function sendFrame(client: WebSocket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (client.readyState !== client.OPEN) {
      reject(new Error('closed'));
      return;
    }
    client.send(text, (error) => (error ? reject(error) : resolve()));
    if (client.bufferedAmount < MAX_BUFFERED_BYTES) resolve();
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Compares two secrets in constant time. */
function isSame(offered: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(offered), digest(secret));
}
