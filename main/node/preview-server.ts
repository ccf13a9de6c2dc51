import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import mime from 'mime';
import { AppError } from '../../shared/errors.ts';
import { type ByteRange, toByteRange } from './byte-range.ts';
import { findServedFile, type ServedFile } from './served-file.ts';
import { createStagePage, type StagePage } from './stage-page.ts';

/** Scripts of the engine that must not run here: it would keep old files from us. */
const REFUSED = new Set(['webgal-serviceworker.js']);

const SEALED = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'";

export interface PreviewServerOptions {
  /** Holds the built engine. */
  engineDirectory: string;
  /** The project's root, the folder that holds `game`. */
  root: string;
  /** A text to answer with instead of the disk's; `path` as asked for, without a leading slash. */
  overlay(path: string, query: URLSearchParams): string | undefined;
  /** Something under the project was asked for that is not there. */
  onMissing(path: string): void;
  /** A page of ours wants a socket; host and origin are checked. */
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

export interface PreviewServer {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  close(): Promise<void>;
}

/**
 * Serves a game to the engine: project files over engine files, texts in memory over both. Loopback, a port of its own,
 * and deaf to whoever does not come by that very address, so that no web site can reach it by a name of its choice.
 * What is not there is a plain 404: the engine would read any other answer as a script.
 */
export async function startPreviewServer(options: PreviewServerOptions): Promise<PreviewServer> {
  const engineHtml = await readFile(join(options.engineDirectory, 'index.html'), 'utf8').catch((cause: unknown) => {
    throw new AppError('E_PREVIEW_FAIL', 'The game engine is missing from the app.', {
      hint: 'Build or install the app again.',
      reason: 'stage.noEngine',
      cause,
    });
  });
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new AppError('E_PREVIEW_FAIL', 'The stage could not be started on this machine.', {
          reason: 'stage.noServer',
          cause,
        }),
      ),
    );
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  const page = createStagePage(engineHtml, origin);

  server.on('request', (request, response) => {
    if (request.headers.host !== host) return refuse(response, 403);
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
    void answer({ request, response, page, options }).catch(() => {
      // The file vanished or could not be read while it was being sent; the engine sees a failed load.
      if (response.headersSent) response.destroy();
      else refuse(response, 500);
    });
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (request.headers.host !== host || request.headers.origin !== origin) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    try {
      options.onUpgrade(request, socket, head);
    } catch {
      // Nobody stands above a listener: what one socket's opening throws must cost that socket, not the process.
      socket.destroy();
    }
  });

  return {
    origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  page: StagePage;
  options: PreviewServerOptions;
}

async function answer({ request, response, page, options }: Exchange): Promise<void> {
  const url = URL.parse(request.url ?? '/', 'http://stage');
  const path = url && decodePath(url.pathname);
  if (url === null || path === null) return refuse(response, 400);
  if (path === '' || path === 'index.html') {
    response.setHeader('content-security-policy', page.contentSecurityPolicy);
    return send({ request, response, type: 'text/html; charset=utf-8' }, page.html);
  }
  const overlaid = options.overlay(path, url.searchParams);
  if (overlaid !== undefined) return send({ request, response, type: toContentType(path) }, Buffer.from(overlaid));
  const file = REFUSED.has(path) ? null : await findServedFile(options, path);
  if (!file) {
    // The app's page shows pictures from here, too, those of texts that play nowhere; only the engine's own asking tells
    // of the stage. A browser too old to say where it asks from is taken for the engine.
    const asker = request.headers['sec-fetch-site'] ?? 'same-origin';
    if (asker === 'same-origin' || asker === 'none') options.onMissing(path);
    return refuse(response, 404);
  }
  sendFile({ request, response, type: toContentType(path) }, file);
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

function sendFile(sending: Sending, file: ServedFile): void {
  const range = writeHead(sending, file.bytes);
  if (range === 'done') return;
  const { response } = sending;
  if (file.bytes === 0) {
    response.end();
    return;
  }
  // No longer than announced, should the file be growing.
  const stream = createReadStream(file.path, range ?? { start: 0, end: file.bytes - 1 });
  stream.on('error', () => response.destroy());
  response.on('close', () => stream.destroy());
  stream.pipe(response);
}

function refuse(response: ServerResponse, status: number): void {
  setCommonHeaders(response);
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end();
}

function setCommonHeaders(response: ServerResponse): void {
  response.setHeader('cache-control', 'no-store');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'same-origin');
  // For a game's file opened by itself: it must not become a page that runs.
  if (!response.hasHeader('content-security-policy')) response.setHeader('content-security-policy', SEALED);
  // Asks the browser to run the stage apart from the app's page, so that a game which hangs does not hang the app.
  response.setHeader('origin-agent-cluster', '?1');
}
