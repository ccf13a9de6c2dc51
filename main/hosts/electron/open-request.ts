import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** What a start of the app asks to open. Plain data, because a second process sends it to the first. */
export interface OpenRequest {
  /** An absolute path; null opens the welcome page. */
  folder: string | null;
  /** The start asked for safe mode, which the first process cannot change to. */
  isSafe?: true;
}

/**
 * Reads the command line of the desktop app: `--project DIR`, or a folder dropped on the icon, which arrives as a bare
 * argument, as a path or a `file:` URL. `args` are the arguments after the program (and after the script, if one is named).
 * Ignores Chromium's switches.
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

/** Converts the `file:` URLs of Linux launchers. A URL that names no local file is treated as a path that does not exist. */
function toPath(named: string): string {
  if (!named.startsWith('file:')) return named;
  try {
    return fileURLToPath(named);
  } catch {
    return named;
  }
}

/**
 * Encodes a request for the first process. On Linux and macOS Chromium splits the message at zero bytes and trims white space
 * around each part, so a space in a two-byte string would be lost and the request with it. Base64 has no white space in either
 * string representation.
 */
export function toHandOver(request: OpenRequest): { request: string } {
  return { request: Buffer.from(JSON.stringify(request)).toString('base64url') };
}

/** Validates the data of another process. Invalid data is a request to show the window only. */
export function toOpenRequest(data: unknown): OpenRequest {
  const { folder, isSafe } = readHandOver(data) ?? {};
  return {
    folder: typeof folder === 'string' && isAbsolute(folder) ? folder : null,
    ...(isSafe === true && { isSafe }),
  };
}

function readHandOver(data: unknown): Partial<OpenRequest> | null {
  const request = (data as { request?: unknown } | null | undefined)?.request;
  if (typeof request !== 'string') return null;
  try {
    return JSON.parse(Buffer.from(request, 'base64url').toString()) as Partial<OpenRequest> | null;
  } catch {
    // Not sent by this app.
    return null;
  }
}
