import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import mime from 'mime';
import { AppError } from '../../../shared/errors.ts';
import { isAssetName, parseAssetText } from '../../../shared/model/asset/asset.ts';
import { createAssetStore } from '../assets/asset-store.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { isMediaPath } from './link/engine-noise.ts';
import { findMediaFault, type MediaFault } from './media/media-fault.ts';
import { SCRIPT_PRELUDE, WAIT_MS, WAIT_PATH, WAIT_SCRIPT } from './scripts/stage-connections-script.ts';
import { isGamePath, isInGame, openServedFile, type ServedFile } from './served-file.ts';
import { createStagePage } from './stage-page.ts';
import { isScript, refuse, send, sendFile } from './stage-response.ts';

/** Engine scripts that must not run here: a service worker would serve old files. */
const REFUSED = new Set(['webgal-serviceworker.js']);

/** Published pages have 10 to 20 kB. */
const MAX_OWN_PAGE_BYTES = 512 * 1024;

/** The engine's page as another program serves it, as untrusted as the game. */
export interface RemoteFiles {
  /** Returns a file by its path in the page, whose own path is empty; null where there is none. Rejects if it does not come. */
  read(path: string): Promise<Buffer | null>;
}

/** The content of one stage's files. */
export interface ServedContent {
  /** The project's root, the folder that holds `game`. */
  root: string;
  /** The folder of the engine that came with the game, if it is to run: as untrusted as the game. */
  ownEngine?: string;
  /** What serves the engine instead. The game's files come from the disk then too, and from there only what the game lacks. */
  remote?: RemoteFiles;
  /** Called when the engine's page is requested. */
  onPage?(): void;
  /** Returns a text that replaces the file on the disk, or the line that stands for a picture or a sound; `path` as requested, without a leading slash. */
  overlay(path: string, query: URLSearchParams): string | undefined;
  /** Called when the engine requests a file, whether it exists or not; `path` as for `overlay`. */
  onAsked?(path: string): void;
  /** Called when a requested path of the project does not exist. */
  onMissing(path: string): void;
  /** Called before a picture, sound or film of the disk is sent to the engine; `path` as for `overlay`, null for nothing wrong. */
  onMedia?(path: string, fault: MediaFault | null): void;
  /** Run in the engine's page instead of the scripts of a visible stage. No user sees the page then. */
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

/** The stages that were sent a script of the game, and so took connections. */
const taking = new WeakSet<ServedContent>();

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
    const html = await readPage(content, engineDirectory);
    const page = createStagePage(html, {
      ...{ origin: `http://${request.headers.host}`, embedder, isOwn: isForeign(content), waits: taking.has(content) },
      ...(content.scripts && { scripts: content.scripts }),
    });
    if (isForeign(content)) taking.add(content);
    content.onPage?.();
    response.setHeader('content-security-policy', page.contentSecurityPolicy);
    return send({ request, response, type: 'text/html; charset=utf-8' }, page.html);
  }
  if (path === WAIT_PATH) {
    await setTimeout(WAIT_MS);
    return send({ request, response, type: 'text/javascript; charset=utf-8' }, Buffer.from(WAIT_SCRIPT));
  }
  const isEngine = isFromEngine(request);
  if (isEngine) content.onAsked?.(path);
  const overlaid = content.overlay(path, url.searchParams);
  const sending = { request, response, type: toContentType(path) };
  const isUntrusted = isGamePath(path) || isForeign(content);
  const prelude = isUntrusted && isScript(sending.type) ? SCRIPT_PRELUDE : '';
  if (overlaid !== undefined) {
    if (prelude !== '') taking.add(content);
    const bytes = isAssetName(path) ? await findAsset(content.root, overlaid) : Buffer.from(prelude + overlaid);
    return bytes ? send(sending, bytes) : refuse(response, 404);
  }
  const file = REFUSED.has(path) ? null : await findFile(content, engineDirectory, path);
  if (!file) {
    if (isEngine) content.onMissing(path);
    return refuse(response, 404);
  }
  if (prelude !== '') taking.add(content);
  try {
    if (isEngine && content.onMedia && isMediaPath(path)) content.onMedia(path, await findMediaFault(path, file));
    if (file instanceof Uint8Array) return send(sending, Buffer.concat([Buffer.from(prelude), file]));
    await sendFile(sending, file, prelude);
  } finally {
    if (!(file instanceof Uint8Array)) await file.handle.close();
  }
}

/** Whether the engine is not the app's. */
function isForeign({ ownEngine, remote }: ServedContent): boolean {
  return ownEngine !== undefined || remote !== undefined;
}

async function findFile(
  content: ServedContent,
  engineDirectory: string,
  path: string,
): Promise<ServedFile | Buffer | null> {
  const { root, remote } = content;
  if (!remote) return openServedFile({ engineDirectory, ...content }, path);
  if (isGamePath(path)) {
    const file = await openServedFile({ engineDirectory, root }, path);
    // What is refused here must not come by another way: the other program follows links.
    if (file || (await isInGame(root, path))) return file;
  }
  // The page is asked for by its own path.
  return path === '' ? null : remote.read(path);
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

/** Returns the page of the engine that is to run. Throws `E_PREVIEW_FAIL` if there is none. */
export async function readPage(content: ServedContent, engineDirectory: string): Promise<string> {
  if (content.remote) return readRemoteHtml(content.remote);
  return content.ownEngine === undefined ? readEngineHtml(engineDirectory) : readOwnHtml(content);
}

async function readRemoteHtml(remote: RemoteFiles): Promise<string> {
  const bytes = await remote.read('').catch(() => null);
  if (bytes && bytes.length <= MAX_OWN_PAGE_BYTES) return bytes.toString();
  throw new AppError('E_PREVIEW_FAIL', 'WebGAL Terre does not serve a page for this game.', {
    reason: 'stage.noTerrePage',
  });
}

/** Throws `E_PREVIEW_FAIL` (`stage.noOwnEngine`) for a page that is missing, too large or behind a link that leads elsewhere. */
async function readOwnHtml(content: Pick<ServedContent, 'root' | 'ownEngine'>): Promise<string> {
  const file = await openServedFile({ engineDirectory: '', ...content }, 'index.html');
  try {
    if (file && file.bytes <= MAX_OWN_PAGE_BYTES) return await file.handle.readFile('utf8');
  } finally {
    await file?.handle.close();
  }
  throw new AppError('E_PREVIEW_FAIL', 'The engine of this game has no page.', { reason: 'stage.noOwnEngine' });
}

/** Throws `E_PREVIEW_FAIL` (`stage.noEngine`). */
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
