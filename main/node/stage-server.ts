import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import mime from 'mime';
import { AppError } from '../../shared/errors.ts';
import { type ByteRange, toByteRange } from './byte-range.ts';
import { openServedFile, type ServedFile } from './served-file.ts';
import { createStagePage } from './stage-page.ts';

/** Scripts of the engine that must not run here: it would keep old files from us. */
const REFUSED = new Set(['webgal-serviceworker.js']);

const SEALED = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'";

/** What one stage shows. */
export interface StageContent {
  /** The project's root, the folder that holds `game`. */
  root: string;
  /** A text to answer with instead of the disk's; `path` as asked for, without a leading slash. */
  overlay(path: string, query: URLSearchParams): string | undefined;
  /** Something under the project was asked for that is not there. */
  onMissing(path: string): void;
  /** The stage's own page opens a socket; host and origin are checked. */
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface OpenStage {
  /** `http://<random name>.localhost:<port>`. */
  origin: string;
  close(): void;
}

/**
 * Serves games to the engine: project files over engine files, texts in memory over both. One loopback port for the
 * whole run, so that the app's page can name it in its policy before a game is open. Each open game gets a host name of
 * its own below `localhost`, which browsers resolve without asking anybody: another origin, cookie jar and storage than
 * the app's page on 127.0.0.1 and than every other game. Requests by any other name are refused. What is not there is a
 * plain 404: the engine would read any other answer as a script.
 */
export interface StageServer {
  /** Starts listening unless it does. Resolves to a source expression for a content security policy that matches every stage. */
  listen(): Promise<string>;
  /** Throws `E_PREVIEW_FAIL` (`stage.noServer`, `stage.noEngine`). */
  open(content: StageContent): Promise<OpenStage>;
  /** Names the one origin whose pages may show stages in a frame. None by default. */
  embedIn(origin: string): void;
  close(): Promise<void>;
}

/**
 * `engineDirectory` holds the built engine. With `isPlain` the one stage goes by 127.0.0.1: for hosts without a page of ours,
 * whose clients open the address themselves and may resolve no name below `localhost`.
 */
export function createStageServer({
  engineDirectory,
  isPlain = false,
}: {
  engineDirectory: string;
  isPlain?: boolean;
}): StageServer {
  const stages = new Map<string, StageContent>();
  let embedder = "'none'";
  let listening: Promise<number> | null = null;

  const server = createServer((request, response) => {
    const content = stages.get(request.headers.host ?? '');
    if (!content) {
      redirectOrRefuse(request, response);
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
    // A worker of any kind could answer the page in our place, without our headers.
    if (request.headers['service-worker'] !== undefined) return refuse(response, 403);
    const exchange = { request, response, content, engineDirectory, embedder };
    void answer(exchange).catch(() => {
      // The file vanished or could not be read while it was being sent; the engine sees a failed load.
      if (response.headersSent) response.destroy();
      else refuse(response, 500);
    });
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const host = request.headers.host ?? '';
    const content = stages.get(host);
    if (!content || request.headers.origin !== `http://${host}`) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    try {
      content.onUpgrade(request, socket, head);
    } catch {
      // Exceptions in a listener are uncaught; destroy only this socket.
      socket.destroy();
    }
  });

  /** The address that tools answer with names no stage: it leads to the newest one. */
  const redirectOrRefuse = (request: IncomingMessage, response: ServerResponse): void => {
    const newest = [...stages.keys()].at(-1);
    const port = newest?.split(':')[1];
    const isAsked = request.headers.host === `localhost:${port}` || request.headers.host === `127.0.0.1:${port}`;
    const url = URL.parse(request.url ?? '/', 'http://stage');
    if (newest !== undefined && isAsked && request.method === 'GET' && url?.pathname === '/') {
      setCommonHeaders(response);
      response.writeHead(302, { location: `http://${newest}/${url.search}` }).end();
    } else refuse(response, 403);
  };

  const start = (): Promise<number> =>
    new Promise((resolve, reject) => {
      server.once('error', (cause) =>
        reject(
          new AppError('E_PREVIEW_FAIL', 'The stage could not be started on this machine.', {
            reason: 'stage.noServer',
            cause,
          }),
        ),
      );
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  const listen = (): Promise<number> => {
    listening ??= start().catch((error: unknown) => {
      // The next call tries again.
      listening = null;
      throw error;
    });
    return listening;
  };

  return {
    listen: async () => `http://*.localhost:${await listen()}`,
    async open(content) {
      await readEngineHtml(engineDirectory);
      const name = isPlain ? '127.0.0.1' : `stage-${randomBytes(8).toString('hex')}.localhost`;
      const host = `${name}:${await listen()}`;
      stages.set(host, content);
      return { origin: `http://${host}`, close: () => stages.delete(host) };
    },
    embedIn(origin) {
      embedder = origin;
    },
    close: async () => {
      stages.clear();
      // One that never listened has nothing to close.
      if (!(await listening?.catch(() => null))) return;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function readEngineHtml(engineDirectory: string): Promise<string> {
  try {
    return await readFile(join(engineDirectory, 'index.html'), 'utf8');
  } catch (cause) {
    throw new AppError('E_PREVIEW_FAIL', 'The game engine is missing from the app.', {
      hint: 'Build or install the app again.',
      reason: 'stage.noEngine',
      cause,
    });
  }
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  content: StageContent;
  engineDirectory: string;
  embedder: string;
}

async function answer({ request, response, content, engineDirectory, embedder }: Exchange): Promise<void> {
  const url = URL.parse(request.url ?? '/', 'http://stage');
  const path = url && decodePath(url.pathname);
  if (url === null || path === null) return refuse(response, 400);
  if (path === '' || path === 'index.html') {
    const html = await readEngineHtml(engineDirectory);
    const page = createStagePage(html, { origin: `http://${request.headers.host}`, embedder });
    response.setHeader('content-security-policy', page.contentSecurityPolicy);
    return send({ request, response, type: 'text/html; charset=utf-8' }, page.html);
  }
  const overlaid = content.overlay(path, url.searchParams);
  if (overlaid !== undefined) return send({ request, response, type: toContentType(path) }, Buffer.from(overlaid));
  const file = REFUSED.has(path) ? null : await openServedFile({ engineDirectory, root: content.root }, path);
  if (!file) {
    // The app's page shows pictures from here, too, those of texts that play nowhere; only the engine's own asking tells
    // of the stage. A browser too old to say where it asks from is taken for the engine.
    const asker = request.headers['sec-fetch-site'] ?? 'same-origin';
    if (asker === 'same-origin' || asker === 'none') content.onMissing(path);
    return refuse(response, 404);
  }
  try {
    await sendFile({ request, response, type: toContentType(path) }, file);
  } finally {
    await file.handle.close();
  }
}

/** Null for what no browser sends: broken escapes, or escapes that hide what a path means. */
function decodePath(pathname: string): string | null {
  try {
    const path = decodeURIComponent(pathname).slice(1);
    return path.includes('\0') || path.includes('\\') ? null : path;
  } catch {
    return null;
  }
}

function toContentType(path: string): string {
  const type = mime.getType(path) ?? 'application/octet-stream';
  return /^text\/|json$|javascript$/.test(type) ? `${type}; charset=utf-8` : type;
}

interface Sending {
  request: IncomingMessage;
  response: ServerResponse;
  type: string;
}

function writeHead({ request, response, type }: Sending, bytes: number): ByteRange | null | 'done' {
  setCommonHeaders(response);
  // The app's page, another origin, shows the game's pictures and plays its sounds; words and scripts stay here.
  const isMedia = /^(image|audio|video)\//.test(type);
  response.setHeader('cross-origin-resource-policy', isMedia ? 'cross-origin' : 'same-origin');
  response.setHeader('content-type', type);
  response.setHeader('accept-ranges', 'bytes');
  const range = toByteRange(request.headers.range, bytes);
  if (range === 'unsatisfiable') {
    response.writeHead(416, { 'content-range': `bytes */${bytes}` }).end();
    return 'done';
  }
  if (range) {
    response.writeHead(206, {
      'content-range': `bytes ${range.start}-${range.end}/${bytes}`,
      'content-length': range.end - range.start + 1,
    });
  } else response.writeHead(200, { 'content-length': bytes });
  if (request.method === 'HEAD') {
    response.end();
    return 'done';
  }
  return range;
}

function send(sending: Sending, body: Buffer): void {
  const range = writeHead(sending, body.length);
  if (range === 'done') return;
  sending.response.end(range ? body.subarray(range.start, range.end + 1) : body);
}

async function sendFile(sending: Sending, { handle, bytes }: ServedFile): Promise<void> {
  const range = writeHead(sending, bytes);
  if (range === 'done') return;
  const { response } = sending;
  if (bytes === 0) {
    response.end();
    return;
  }
  // No longer than announced, should the file be growing.
  const stream = handle.createReadStream({ ...(range ?? { start: 0, end: bytes - 1 }), autoClose: false });
  try {
    await pipeline(stream, response);
  } catch {
    // The player went away, or the file could not be read to its end; the head is sent already.
    response.destroy();
  }
}

function refuse(response: ServerResponse, status: number): void {
  setCommonHeaders(response);
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end();
}

function setCommonHeaders(response: ServerResponse): void {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'same-origin');
  response.setHeader('x-dns-prefetch-control', 'off');
  // For a game's file opened by itself: it must not become a page that runs.
  if (!response.hasHeader('content-security-policy')) response.setHeader('content-security-policy', SEALED);
  // Asks the browser to run the stage apart from the app's page, so that a game which hangs does not hang the app.
  response.setHeader('origin-agent-cluster', '?1');
}
