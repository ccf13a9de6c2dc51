import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import mime from 'mime';
import { AppError } from '../../../shared/errors.ts';
import { type ByteRange, toByteRange } from './byte-range.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';
import { isGamePath, openServedFile, type ServedFile } from './served-file.ts';
import { SCRIPT_PRELUDE } from './stage-bridge-script.ts';
import { createStagePage } from './stage-page.ts';

/** Engine scripts that must not run here: a service worker would serve old files. */
const REFUSED = new Set(['webgal-serviceworker.js']);

const STRICT_CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'";

/**
 * Permissions that a browser would grant a frame by default, or request from the user for it. No engine needs any of
 * them.
 */
const DENIED_FEATURES = [
  ...['attribution-reporting', 'browsing-topics', 'camera', 'clipboard-read', 'clipboard-write', 'deferred-fetch'],
  ...['deferred-fetch-minimal', 'display-capture', 'fullscreen', 'geolocation', 'hid', 'identity-credentials-get'],
  ...['idle-detection', 'join-ad-interest-group', 'local-fonts', 'microphone', 'midi', 'payment', 'picture-in-picture'],
  ...['private-aggregation', 'private-state-token-issuance', 'private-state-token-redemption', 'run-ad-auction'],
  ...['screen-wake-lock', 'serial', 'shared-storage', 'shared-storage-select-url', 'storage-access', 'usb'],
  ...['window-management', 'xr-spatial-tracking'],
]
  .map((name) => `${name}=()`)
  .join(', ');

/** Maximum time for a request to arrive, in milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Per address. A browser opens 6 for files and 255 for sockets; the app has other uses for its file handles. */
const MAX_CONNECTIONS = 512;

/** The content of one stage. */
export interface StageContent {
  /** The project's root, the folder that holds `game`. */
  root: string;
  /** Returns a text that replaces the file on the disk; `path` as requested, without a leading slash. */
  overlay(path: string, query: URLSearchParams): string | undefined;
  /** Called when a requested path of the project does not exist. */
  onMissing(path: string): void;
  /** Called when the stage's own page opens a socket; host and origin are verified. */
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface OpenStage {
  /** `http://<random name>.localhost:<port>`. */
  origin: string;
  close(): void;
}

/**
 * Serves games to the engine: project files override engine files, texts in memory override both. One loopback port for
 * the whole run, so that the app's page can name it in its content security policy before a game is open. Each open game
 * has a host name of its own below `localhost`, which browsers resolve without a DNS query: its origin, cookie jar and
 * storage differ from those of the app's page on 127.0.0.1 and of every other game. Requests by any other name are
 * refused. A missing file is a plain 404: the engine would read any other answer as a script.
 */
export interface StageServer {
  /**
   * Starts listening unless it does already. Resolves to a source expression for a content security policy that matches
   * every stage.
   */
  listen(): Promise<string>;
  /** Throws `E_PREVIEW_FAIL` (`stage.noServer`, `stage.noEngine`). */
  open(content: StageContent): Promise<OpenStage>;
  /** Sets the one origin whose pages may show stages in a frame. None by default. */
  embedIn(origin: string): void;
  close(): Promise<void>;
}

/**
 * Creates the server. `engineDirectory` holds the built engine. With `isPlain` the one stage uses 127.0.0.1: for hosts
 * without a page of the app, whose clients open the address themselves and may not resolve names below `localhost`.
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
  let listening: ReturnType<typeof listenOnLoopback> | null = null;

  const server = createServer((request, response) => {
    const content = stages.get(request.headers.host ?? '');
    if (!content) {
      redirectOrRefuse(request, response);
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
    if (isForWorker(request)) return refuse(response, 403);
    const exchange = { request, response, content, engineDirectory, embedder };
    void answer(exchange).catch(() => {
      // The file vanished or could not be read while it was being sent; the engine sees a failed load.
      if (response.headersSent) response.destroy();
      else refuse(response, 500);
    });
  });
  // A page sends its request at once; a connection that stays silent only occupies a place.
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = HEADERS_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
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

  /**
   * The address in tool results names no stage: it redirects to the newest one. Not for a web site, which would open the
   * game in a window that it shares with the site.
   */
  const redirectOrRefuse = (request: IncomingMessage, response: ServerResponse): void => {
    const newest = [...stages.keys()].at(-1);
    const port = newest?.split(':')[1];
    const isAsked = request.headers.host === `localhost:${port}` || request.headers.host === `127.0.0.1:${port}`;
    const url = URL.parse(request.url ?? '/', 'http://stage');
    const asker = request.headers['sec-fetch-site'] ?? 'none';
    if (newest !== undefined && isAsked && asker === 'none' && request.method === 'GET' && url?.pathname === '/') {
      setCommonHeaders(response);
      response.writeHead(302, { location: `http://${newest}/${url.search}` }).end();
    } else refuse(response, 403);
  };

  const start = () =>
    listenOnLoopback(server).catch((cause: unknown) => {
      // The next call tries again.
      listening = null;
      throw new AppError('E_PREVIEW_FAIL', 'The stage could not be started on this machine.', {
        reason: 'stage.noServer',
        cause,
      });
    });
  const listen = async (): Promise<number> => {
    listening ??= start();
    return (await listening).port;
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
      // A server that never listened has nothing to close.
      const opened = await listening?.catch(() => null);
      if (!opened) return;
      opened.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/**
 * Request destinations of workers and worklets. One of them could answer the page instead of this server, without its
 * headers.
 */
const WORKERS = /worker$|worklet$/;

/** `worker-src` does not cover worklets; a browser too old to send a destination supports that directive. */
function isForWorker({ headers }: IncomingMessage): boolean {
  return headers['service-worker'] !== undefined || WORKERS.test(String(headers['sec-fetch-dest'] ?? ''));
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
  const sending = { request, response, type: toContentType(path) };
  const prelude = isGamePath(path) && isScript(sending.type) ? SCRIPT_PRELUDE : '';
  if (overlaid !== undefined) return send(sending, Buffer.from(prelude + overlaid));
  const file = REFUSED.has(path) ? null : await openServedFile({ engineDirectory, root: content.root }, path);
  if (!file) {
    // The app's page shows pictures from here too, including those of texts that do not run; only the engine's own
    // requests concern the stage. A browser too old to send the header is treated as the engine.
    const asker = request.headers['sec-fetch-site'] ?? 'same-origin';
    if (asker === 'same-origin' || asker === 'none') content.onMissing(path);
    return refuse(response, 404);
  }
  try {
    await sendFile(sending, file, prelude);
  } finally {
    await file.handle.close();
  }
}

/** Returns null for what no browser sends: broken escapes, or escapes that hide the meaning of a path. */
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

function writeHead({ request, response, type }: Sending, bytes: number, hasRanges = true): ByteRange | null | 'done' {
  setCommonHeaders(response);
  // The app's page, another origin, shows the game's pictures and plays its sounds; it receives no text and no scripts.
  const isMedia = /^(image|audio|video)\//.test(type);
  response.setHeader('cross-origin-resource-policy', isMedia ? 'cross-origin' : 'same-origin');
  response.setHeader('content-type', type);
  response.setHeader('accept-ranges', hasRanges ? 'bytes' : 'none');
  const range = hasRanges ? toByteRange(request.headers.range, bytes) : null;
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

/**
 * Sends a file. `prelude` precedes a script of the game: on its first line, so that line numbers do not change. It
 * contains only ASCII. Such a file is sent whole: no browser requests a part of a script.
 */
async function sendFile(sending: Sending, { handle, bytes }: ServedFile, prelude: string): Promise<void> {
  const range = writeHead(sending, prelude.length + bytes, prelude === '');
  if (range === 'done') return;
  const { response } = sending;
  if (bytes === 0) {
    response.end(prelude);
    return;
  }
  if (prelude !== '') response.write(prelude);
  // No more than announced, in case the file grows.
  const stream = handle.createReadStream({ ...(range ?? { start: 0, end: bytes - 1 }), autoClose: false });
  try {
    await pipeline(stream, response);
  } catch {
    // The player disconnected, or the file could not be read to its end; the headers are sent already.
    response.destroy();
  }
}

/** Returns whether a browser runs the type as a script, whatever the file name. */
function isScript(type: string): boolean {
  return /javascript|ecmascript|jscript|livescript/.test(type);
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
  response.setHeader('permissions-policy', DENIED_FEATURES);
  // For a game's file that is opened by itself: it must not become a page that runs scripts.
  if (!response.hasHeader('content-security-policy')) response.setHeader('content-security-policy', STRICT_CSP);
  // Asks the browser for a separate process, so that a game which hangs does not hang the app.
  response.setHeader('origin-agent-cluster', '?1');
}
