import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import mime from 'mime';
import { AppError } from '../../../shared/errors.ts';
import { isAssetName, parseAssetText } from '../../../shared/model/asset/asset.ts';
import { createAssetStore } from '../assets/asset-store.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { isGamePath, openServedFile } from './served-file.ts';
import { SCRIPT_PRELUDE } from './stage-bridge-script.ts';
import { createStagePage } from './stage-page.ts';
import { isScript, refuse, send, sendFile } from './stage-response.ts';

/** Engine scripts that must not run here: a service worker would serve old files. */
const REFUSED = new Set(['webgal-serviceworker.js']);

/** Published pages have 10 to 20 kB. */
const MAX_OWN_PAGE_BYTES = 512 * 1024;

/** The content of one stage's files. */
export interface ServedContent {
  /** The project's root, the folder that holds `game`. */
  root: string;
  /** The folder of the engine that came with the game, if it is to run: as untrusted as the game. */
  ownEngine?: string;
  /** Called when the engine's page is requested. */
  onPage?(): void;
  /** Returns a text that replaces the file on the disk, or the line that stands for a picture or a sound; `path` as requested, without a leading slash. */
  overlay(path: string, query: URLSearchParams): string | undefined;
  /** Called when the engine requests a file, whether it exists or not; `path` as for `overlay`. */
  onAsked?(path: string): void;
  /** Called when a requested path of the project does not exist. */
  onMissing(path: string): void;
  /** Run in the engine's page instead of the scripts of a visible stage. */
  scripts?: readonly string[];
}

/** One request, and what answers it. `embedder`: a source expression of the pages that may show the stage in a frame. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  content: ServedContent;
  engineDirectory: string;
  embedder: string;
}

/** Answers a request to a stage. */
export function answerRequest(exchange: Exchange): void {
  const { response } = exchange;
  void answer(exchange).catch(() => {
    // The file vanished or could not be read while it was being sent; the engine sees a failed load.
    if (response.headersSent) response.destroy();
    else refuse(response, 500);
  });
}

async function answer({ request, response, content, engineDirectory, embedder }: Exchange): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
  if (isForWorker(request)) return refuse(response, 403);
  const url = URL.parse(request.url ?? '/', 'http://stage');
  const path = url && decodePath(url.pathname);
  if (url === null || path === null) return refuse(response, 400);
  if (path === '' || path === 'index.html') {
    const isOwn = content.ownEngine !== undefined;
    const html = await (isOwn ? readOwnHtml(content) : readEngineHtml(engineDirectory));
    const page = createStagePage(html, {
      ...{ origin: `http://${request.headers.host}`, embedder, isOwn },
      ...(content.scripts && { scripts: content.scripts }),
    });
    content.onPage?.();
    response.setHeader('content-security-policy', page.contentSecurityPolicy);
    return send({ request, response, type: 'text/html; charset=utf-8' }, page.html);
  }
  const isEngine = isFromEngine(request);
  if (isEngine) content.onAsked?.(path);
  const overlaid = content.overlay(path, url.searchParams);
  const sending = { request, response, type: toContentType(path) };
  const isUntrusted = isGamePath(path) || content.ownEngine !== undefined;
  const prelude = isUntrusted && isScript(sending.type) ? SCRIPT_PRELUDE : '';
  if (overlaid !== undefined) {
    const bytes = isAssetName(path) ? await findAsset(content.root, overlaid) : Buffer.from(prelude + overlaid);
    return bytes ? send(sending, bytes) : refuse(response, 404);
  }
  const file = REFUSED.has(path) ? null : await openServedFile({ engineDirectory, ...content }, path);
  if (!file) {
    if (isEngine) content.onMissing(path);
    return refuse(response, 404);
  }
  try {
    await sendFile(sending, file, prelude);
  } finally {
    await file.handle.close();
  }
}

/**
 * The app's page shows pictures from here too, including those of texts that do not run; only the engine's own requests concern the
 * stage. A browser too old to send the header is treated as the engine.
 */
function isFromEngine({ headers }: IncomingMessage): boolean {
  const asker = headers['sec-fetch-site'] ?? 'same-origin';
  return asker === 'same-origin' || asker === 'none';
}

/** Returns the kept picture or sound that a proposed file has. */
async function findAsset(root: string, text: string): Promise<Buffer | null> {
  const asset = parseAssetText(text);
  return (
    asset &&
    createAssetStore(createAgentFolder(root))
      .find(asset.id)
      .catch(() => null)
  );
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

/**
 * Request destinations of workers and worklets. One of them could answer the page instead of this server, without its
 * headers.
 */
const WORKERS = /worker$|worklet$/;

/** `worker-src` does not cover worklets; a browser too old to send a destination supports that directive. */
function isForWorker({ headers }: IncomingMessage): boolean {
  return headers['service-worker'] !== undefined || WORKERS.test(String(headers['sec-fetch-dest'] ?? ''));
}

function toContentType(path: string): string {
  const type = mime.getType(path) ?? 'application/octet-stream';
  return /^text\/|json$|javascript$/.test(type) ? `${type}; charset=utf-8` : type;
}

/** Throws `E_PREVIEW_FAIL` (`stage.noOwnEngine`) for a page that is missing, too large or behind a link that leads elsewhere. */
export async function readOwnHtml(content: Pick<ServedContent, 'root' | 'ownEngine'>): Promise<string> {
  const file = await openServedFile({ engineDirectory: '', ...content }, 'index.html');
  try {
    if (file && file.bytes <= MAX_OWN_PAGE_BYTES) return await file.handle.readFile('utf8');
  } finally {
    await file?.handle.close();
  }
  throw new AppError('E_PREVIEW_FAIL', 'The engine of this game has no page.', { reason: 'stage.noOwnEngine' });
}

/** Throws `E_PREVIEW_FAIL` (`stage.noEngine`). */
export async function readEngineHtml(engineDirectory: string): Promise<string> {
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
