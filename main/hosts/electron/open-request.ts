import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** What somebody who starts the app wants to see. Plain data: it travels from a second process to the first. */
export interface OpenRequest {
  /** An absolute path; null opens the welcome page. */
  folder: string | null;
}

/**
 * Reads the command line of the desktop app: `--project DIR`, or a folder dropped on the icon, which arrives as a bare
 * argument, as a path or a `file:` address. `args` are those behind the program (and the script, where one is named). Chromium's own switches are ignored.
 */
export function readOpenRequest(args: readonly string[], from: string): OpenRequest {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { project: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  });
  const named = typeof values.project === 'string' ? values.project : positionals[0];
  if (named === undefined || named === '') return { folder: null };
  const path = toPath(named);
  return { folder: isAbsolute(path) ? path : resolve(from, path) };
}

/** Launchers of Linux hand over addresses. One that names no file of this computer is taken for a path, and not found. */
function toPath(named: string): string {
  if (!named.startsWith('file:')) return named;
  try {
    return fileURLToPath(named);
  } catch {
    return named;
  }
}

/**
 * What a second process sends to the first. On Linux and macOS Chromium splits its message at zero bytes and trims white space
 * around each part, so a space within text of two-byte characters was lost, and with it the request. Base64 has no white
 * space, whichever way the text is kept in memory.
 */
export function toHandOver(request: OpenRequest): { request: string } {
  return { request: Buffer.from(JSON.stringify(request)).toString('base64url') };
}

/** Checks what another process sent. Anything else is a request for nothing but the window. */
export function toOpenRequest(data: unknown): OpenRequest {
  const folder = readHandOver(data)?.folder;
  return { folder: typeof folder === 'string' && isAbsolute(folder) ? folder : null };
}

function readHandOver(data: unknown): Partial<OpenRequest> | null {
  const request = (data as { request?: unknown } | null | undefined)?.request;
  if (typeof request !== 'string') return null;
  try {
    return JSON.parse(Buffer.from(request, 'base64url').toString()) as Partial<OpenRequest> | null;
  } catch {
    // Sent by something that is not this app.
    return null;
  }
}
