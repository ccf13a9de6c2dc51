import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

const MAX_ROOTS = 100;
const ANSWER_TIMEOUT_MS = 10_000;

/** Returns the folders that the client has open, as absolute paths; null for a client that does not tell. */
export async function readRoots(server: Server): Promise<string[] | null> {
  if (server.getClientCapabilities()?.roots === undefined) return null;
  const { roots } = await server.listRoots({}, { timeout: ANSWER_TIMEOUT_MS });
  return roots.slice(0, MAX_ROOTS).flatMap(({ uri }) => toFolder(uri) ?? []);
}

/** Returns whether a folder lies in one of the others or contains one: a client can have a part of the game open. */
export async function isAmong(folder: string, others: readonly string[]): Promise<boolean> {
  for (const other of others) {
    const real = await realpath(other).catch(() => null);
    if (real !== null && (contains(real, folder) || contains(folder, real))) return true;
  }
  return false;
}

function contains(outer: string, inner: string): boolean {
  const way = path.relative(outer, inner);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

function toFolder(uri: string): string | null {
  try {
    return fileURLToPath(uri);
  } catch {
    // Another scheme than file, or another computer: not a folder here.
    return null;
  }
}
