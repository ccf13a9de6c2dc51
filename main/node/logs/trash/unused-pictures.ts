import { constants } from 'node:fs';
import { lstat, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { NOFOLLOW_NONBLOCK, syncFolder } from '../../files/durable-file.ts';
import { isMissing } from '../../files/io-error.ts';
import type { AgentFolder } from '../../project-fs/agent-folder.ts';
import { PICTURES } from '../session-pictures.ts';

const CHUNK_BYTES = 256 * 1024;
const ID_LENGTH = 64;
const ID = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;
/** A picture that was added a moment ago may be about to be sent. */
const MIN_AGE_MS = 60 * 60 * 1000;

/** Where the logs are whose pictures stay: parts of the app's folder in the game, and what their names look like. */
export type LogPlaces = readonly { part: string; isLog: (name: string) => boolean }[];

/**
 * Removes the pictures that `erased`, a log, names and no other log does. Whatever looks like an id counts as one, also in
 * foreign and damaged logs; when a log cannot be read, nothing is removed and this rejects. Returns the ids of pictures that are too
 * new to be removed now. Ends early, and returns all ids, when `signal` aborts.
 */
export async function removeUnusedPictures(
  folder: AgentFolder,
  { erased, places, now, signal }: { erased: string; places: LogPlaces; now: number; signal: AbortSignal },
): Promise<string[]> {
  const directory = await folder.find(PICTURES);
  const stored = new Set(directory ? await readdir(directory) : []);
  const unused = new Set<string>();
  await readIds(erased, signal, (id) => {
    if (stored.has(id)) unused.add(id);
  });
  for (const log of unused.size > 0 ? await listLogs(folder, places) : []) {
    if (unused.size === 0 || signal.aborted) break;
    await readIds(log, signal, (id) => unused.delete(id));
  }
  if (signal.aborted) return [...unused];
  const waiting: string[] = [];
  for (const id of unused) {
    if (!directory) break;
    const file = path.join(directory, id);
    const stats = await lstat(file).catch(() => null);
    if (!stats?.isFile()) continue;
    if (now - Math.min(now, Math.max(stats.mtimeMs, 0)) < MIN_AGE_MS) waiting.push(id);
    else await rm(file, { force: true });
  }
  if (directory && unused.size > waiting.length) await syncFolder(directory);
  return waiting;
}

async function listLogs(folder: AgentFolder, places: LogPlaces): Promise<string[]> {
  const found: string[] = [];
  for (const { part, isLog } of places) {
    const directory = await folder.find(part);
    for (const name of directory ? await readdir(directory) : []) {
      if (directory && isLog(name)) found.push(path.join(directory, name));
    }
  }
  return found;
}

/** Passes on what looks like the id of a picture, some more than once. A file that is gone, or is no regular file, has none. */
async function readIds(file: string, signal: AbortSignal, take: (id: string) => void): Promise<void> {
  if (!(await lstat(file).catch(ignoreMissing))?.isFile()) return;
  const handle = await open(file, constants.O_RDONLY | NOFOLLOW_NONBLOCK).catch(ignoreMissing);
  if (!handle) return;
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let rest = '';
    while (!signal.aborted) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      const text = rest + buffer.toString('latin1', 0, bytesRead);
      for (const [id] of text.matchAll(ID)) take(id);
      // An id may go on in the next chunk.
      rest = text.slice(-ID_LENGTH);
    }
  } finally {
    await handle.close();
  }
}

function ignoreMissing(error: unknown): null {
  if (isMissing(error)) return null;
  throw error;
}
