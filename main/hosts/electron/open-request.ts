import { isAbsolute, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/** What somebody who starts the app wants to see. Plain data: it travels from a second process to the first. */
export interface OpenRequest {
  /** An absolute path; null opens the welcome page. */
  folder: string | null;
}

/**
 * Reads the command line of the desktop app: `--project DIR`, or a folder dropped on the icon, which arrives as a bare
 * argument. `args` are those behind the program (and the script, where one is named). Chromium's own switches are ignored.
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
  return { folder: isAbsolute(named) ? named : resolve(from, named) };
}

/** Checks what another process sent. Anything else is a request for nothing but the window. */
export function toOpenRequest(data: unknown): OpenRequest {
  const folder = (data as Partial<OpenRequest> | null)?.folder;
  return { folder: typeof folder === 'string' && isAbsolute(folder) ? folder : null };
}
