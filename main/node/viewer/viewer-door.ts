import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import type { ViewerResult } from '../../../shared/model/viewer.ts';
import type { ViewerCall, ViewerDoor } from '../../core/ports/viewer/viewer-door.ts';
import { listenOnLoopback } from '../stage/listen-on-loopback.ts';
import { VIEWER_PATH, writeDoorFile } from './door-file.ts';

/** Params are names, numbers and short texts. */
const MAX_BODY_BYTES = 16 * 1024;
const REQUEST_TIMEOUT_MS = 10_000;

const Call = z.strictObject({
  actionId: z.string().min(1).max(100),
  params: z.record(z.string(), z.unknown()).default({}),
});

/**
 * Accepts calls of other programs of the user at `POST /api/viewer/action`, on a port of its own: neither the page's session nor a
 * cookie opens it, and its token opens nothing else. The token is in a file that only the user can read. Requests of
 * browsers are refused whatever they know: they carry an `Origin`. `Host` must be the address itself, which prevents DNS rebinding.
 */
export function createViewerDoor({ data, game }: { data: string; game: string }): ViewerDoor {
  return {
    async open(act) {
      const token = randomBytes(32).toString('base64url');
      const server = createServer({ maxHeaderSize: 16 * 1024 });
      server.requestTimeout = REQUEST_TIMEOUT_MS;
      server.maxConnections = 16;
      const { port, close: closeOther } = await listenOnLoopback(server);
      const gate = { host: `127.0.0.1:${port}`, token };
      server.on('request', (request, response) => {
        handle(request, response, gate, act).catch(() => answer(response, 500, refusal('The app could not do that.')));
      });
      const file = await writeDoorFile(data, { version: 1, game, port, token, process: process.pid });
      return {
        close: () =>
          new Promise((resolve) => {
            rmSync(file, { force: true });
            closeOther();
            server.close(() => resolve());
            server.closeAllConnections();
          }),
      };
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  gate: { host: string; token: string },
  act: (call: ViewerCall, signal: AbortSignal) => Promise<ViewerResult>,
): Promise<void> {
  const { headers } = request;
  if (headers.host !== gate.host) return answer(response, 403, refusal('Wrong host.'));
  if (headers.origin !== undefined) return answer(response, 403, refusal('Pages of a browser are not admitted.'));
  if (request.url !== VIEWER_PATH) return answer(response, 404, refusal('There is only POST /api/viewer/action.'));
  if (request.method !== 'POST') return answer(response, 405, refusal('Only POST.'));
  if (!isSame(headers.authorization ?? '', `Bearer ${gate.token}`)) {
    return answer(response, 401, refusal('The token is missing or wrong. It is in the app’s data folder, in viewer/.'));
  }
  if (!headers['content-type']?.startsWith('application/json')) {
    return answer(response, 415, refusal('The body must be JSON.'));
  }
  const body = await readBody(request);
  if (body === null) return answer(response, 413, refusal(`The body has more than ${MAX_BODY_BYTES} bytes.`));
  const call = Call.safeParse(toJson(body));
  if (!call.success) return answer(response, 400, refusal('The body must be { "actionId": "…", "params": { … } }.'));
  const stop = new AbortController();
  response.on('close', () => stop.abort());
  answer(response, 200, await act(call.data, stop.signal));
}

const refusal = (message: string): ViewerResult => ({ success: false, message });

function answer(response: ServerResponse, status: number, result: ViewerResult): void {
  if (response.headersSent || response.destroyed) return;
  const closes = status === 200 ? {} : { connection: 'close' };
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...closes });
  response.end(JSON.stringify(result));
}

/** Returns null for a body that is too large, without reading the rest. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Compares in constant time. */
function isSame(offered: string, secret: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(offered), digest(secret));
}
