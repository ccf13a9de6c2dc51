import { createHash } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { LeftOutFile } from '../../../shared/model/checkpoint.ts';
import { toTempName } from '../files/durable-file.ts';
import { HASH, type StorePlaces } from './objects/store-places.ts';
import type { FileIdentity } from './scan-folder.ts';

/** A file that changed less than this before it was read may change again without new dates: file systems date in steps. */
const RECENT_CHANGE_MS = 2_000;

/** What is known of a file since its bytes were read. */
export interface CachedFile extends FileIdentity {
  /** Absolute, as the disk spells it. */
  absolute: string;
  hash: string;
  /** False for a file that has to be read again, because a later change may not show in its dates. */
  isSettled: boolean;
  /** Whether its bytes were in the store. */
  isStored: boolean;
}

export interface CachedFolder extends FileIdentity {
  isSettled: boolean;
}

/** The files of a game as the last run saw them, by project path. */
export interface StatCache {
  files: Map<string, CachedFile>;
  /** The folders of the game, by absolute path. */
  folders: Map<string, CachedFolder>;
  leftOut: LeftOutFile[];
  /** The tree of exactly these files; null if unknown. */
  tree: string | null;
  bytes: number;
  /** The epoch of the store in which objects and tree were seen. */
  epoch: string;
}

const Identity = z.object({ size: z.number(), mtime: z.number(), ctime: z.number(), inode: z.number() });
const Stored = z.object({
  tree: z.string().regex(HASH).nullable(),
  bytes: z.number(),
  epoch: z.string(),
  leftOut: z.array(LeftOutFile),
  files: z.array(
    z.tuple([
      z.string(),
      Identity.extend({
        ...{ absolute: z.string(), hash: z.string().regex(HASH) },
        ...{ isSettled: z.boolean(), isStored: z.boolean() },
      }),
    ]),
  ),
  folders: z.array(z.tuple([z.string(), Identity.extend({ isSettled: z.boolean() })])),
});

/** In the thread, so that a run of an unchanged game reads no file. */
const known = new Map<string, StatCache>();

export function isSettledAt({ mtime, ctime }: FileIdentity, readAt: number): boolean {
  return Math.max(mtime, ctime) < readAt - RECENT_CHANGE_MS;
}

export function loadStatCache(places: StorePlaces): StatCache {
  const cache = known.get(places.root) ?? read(places);
  known.set(places.root, cache);
  return cache;
}

/** Replaces the cache, in memory and on the disk. It is not synced: a file that a power cut tore fails its checksum. */
export function saveStatCache(places: StorePlaces, cache: StatCache): void {
  known.set(places.root, cache);
  const { files, folders, ...facts } = cache;
  const text = JSON.stringify({ ...facts, files: [...files], folders: [...folders] });
  const temp = `${places.statCache}.${toTempName()}`;
  try {
    writeFileSync(temp, `${toSum(text)}\n${text}`, { flag: 'wx', mode: 0o600 });
    renameSync(temp, places.statCache);
  } catch {
    // Only speed is lost.
    rmSync(temp, { force: true });
  }
}

function read(places: StorePlaces): StatCache {
  const empty: StatCache = { files: new Map(), folders: new Map(), leftOut: [], tree: null, bytes: 0, epoch: '' };
  try {
    const whole = readFileSync(places.statCache, 'utf8');
    const text = whole.slice(65);
    if (whole.slice(0, 64) !== toSum(text)) return empty;
    const { files, folders, ...facts } = Stored.parse(JSON.parse(text));
    return { ...facts, files: new Map(files), folders: new Map(folders) };
  } catch {
    return empty;
  }
}

function toSum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
