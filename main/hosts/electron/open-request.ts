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

/** Checks what another process sent. Anything else is a request for nothing but the window. */
export function toOpenRequest(data: unknown): OpenRequest {
  const folder = (data as Partial<OpenRequest> | null)?.folder;
  return { folder: typeof folder === 'string' && isAbsolute(folder) ? folder : null };
}
