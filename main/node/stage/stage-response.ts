import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { type ByteRange, toByteRange } from './byte-range.ts';
import type { ServedFile } from './served-file.ts';

const STRICT_CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'";

/**
 * Permissions that a browser would grant a frame by default, or request from the user for it. No engine needs any of
 * them.
 */
const DENIED_FEATURES = [
  ...['attribution-reporting', 'browsing-topics', 'camera', 'clipboard-read', 'clipboard-write'],
  ...['compute-pressure', 'deferred-fetch', 'deferred-fetch-minimal', 'digital-credentials-get'],
  ...['display-capture', 'fullscreen', 'geolocation', 'hid', 'identity-credentials-get', 'idle-detection'],
  ...['join-ad-interest-group', 'keyboard-map', 'local-fonts', 'microphone', 'midi', 'otp-credentials'],
  ...['payment', 'picture-in-picture', 'private-aggregation', 'private-state-token-issuance'],
  ...['private-state-token-redemption', 'publickey-credentials-create', 'publickey-credentials-get'],
  ...['run-ad-auction', 'screen-wake-lock', 'serial', 'shared-storage', 'shared-storage-select-url'],
  ...['storage-access', 'usb', 'window-management', 'xr-spatial-tracking'],
]
  .map((name) => `${name}=()`)
  .join(', ');

export interface Sending {
  request: IncomingMessage;
  response: ServerResponse;
  type: string;
}

function writeHead({ request, response, type }: Sending, bytes: number, hasRanges = true): ByteRange | null | 'done' {
  setCommonHeaders(response);
  // The app's page, another origin, shows the game's pictures and plays its sounds; it receives no text and no scripts. No SVG
  // either: a page draws it in its own process, and a small one can take hours.
  const isMedia = /^(image(?!\/svg)|audio|video)\//.test(type);
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

export function send(sending: Sending, body: Buffer): void {
  const range = writeHead(sending, body.length);
  if (range === 'done') return;
  sending.response.end(range ? body.subarray(range.start, range.end + 1) : body);
}

/**
 * Sends a file. `prelude` precedes a script of the game: on its first line, so that line numbers do not change. It
 * contains only ASCII. Such a file is sent whole: no browser requests a part of a script.
 */
export async function sendFile(sending: Sending, { handle, bytes }: ServedFile, prelude: string): Promise<void> {
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
export function isScript(type: string): boolean {
  return /javascript|ecmascript|jscript|livescript/.test(type);
}

export function refuse(response: ServerResponse, status: number): void {
  setCommonHeaders(response);
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end();
}

export function setCommonHeaders(response: ServerResponse): void {
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
