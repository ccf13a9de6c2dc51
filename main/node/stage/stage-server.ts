import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '../../../shared/errors.ts';
import { answerRequest, readPage, type ServedContent } from './answer-request.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';
import { refuse, setCommonHeaders } from './stage-response.ts';

/** Maximum time for a request to arrive, in milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Per address. A browser opens 6 for files and 255 for sockets; the app has other uses for its file handles. */
const MAX_CONNECTIONS = 512;

/** The content of one stage. */
export interface StageContent extends ServedContent {
  /** True: the address that names no stage never leads to this one. */
  isNamedOnly?: boolean;
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
  /** Throws `E_PREVIEW_FAIL` (`stage.noServer`, `stage.noEngine`, `stage.noOwnEngine`, `stage.noTerrePage`). */
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
  const stages: Stages = new Map();
  let embedder = "'none'";
  let listening: ReturnType<typeof listenOnLoopback> | null = null;

  const server = createServer((request, response) => {
    const content = stages.get(request.headers.host ?? '');
    if (content) answerRequest({ request, response, content, engineDirectory, embedder });
    else redirectOrRefuse(stages, request, response);
  });
  limit(server);
  server.on('upgrade', (request, socket, head) => acceptSocket(stages, request, { socket, head }));

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
      await readPage(content, engineDirectory);
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

/** The open stages by host name and port. */
type Stages = Map<string, StageContent>;

/** A page sends its request at once; a connection that stays silent only occupies a place. */
function limit(server: Server): void {
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = HEADERS_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
}

function acceptSocket(
  stages: Stages,
  request: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
): void {
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
}

/**
 * The address in tool results names no stage: it redirects to the newest one. Not for a web site, which would open the
 * game in a window that it shares with the site.
 */
function redirectOrRefuse(stages: Stages, request: IncomingMessage, response: ServerResponse): void {
  const newest = [...stages].findLast(([, { isNamedOnly }]) => isNamedOnly !== true)?.[0];
  const port = newest?.split(':')[1];
  const isAsked = request.headers.host === `localhost:${port}` || request.headers.host === `127.0.0.1:${port}`;
  const url = URL.parse(request.url ?? '/', 'http://stage');
  const asker = request.headers['sec-fetch-site'] ?? 'none';
  if (newest !== undefined && isAsked && asker === 'none' && request.method === 'GET' && url?.pathname === '/') {
    setCommonHeaders(response);
    response.writeHead(302, { location: `http://${newest}/${url.search}` }).end();
  } else {
    // Otherwise a program of this machine holds every place of the server with requests that are refused.
    response.setHeader('connection', 'close');
    refuse(response, 403);
  }
}
