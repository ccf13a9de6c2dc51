import { toProjectPath } from '../../../shared/paths/project-path.ts';
import type { StateChange, StateFile } from '../../core/ports/stores/checkpoints.ts';
import { HASH } from './objects/store-places.ts';

/** Encodes the files of a state: one JSON line each, sorted by path, so that the same state has the same bytes. */
export function encodeTree(files: readonly StateFile[]): Buffer {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  return Buffer.from(sorted.map(({ path, hash, bytes }) => `${JSON.stringify([path, hash, bytes])}\n`).join(''));
}

/** Decodes a state. Null for bytes that no version of the app wrote. */
export function decodeTree(bytes: Buffer): Map<string, StateFile> | null {
  const files = new Map<string, StateFile>();
  try {
    for (const line of bytes.toString('utf8').split('\n')) {
      if (line === '') continue;
      const [path, hash, size] = JSON.parse(line) as unknown[];
      if (typeof path !== 'string' || typeof hash !== 'string' || typeof size !== 'number') return null;
      if (toProjectPath(path) !== path || !HASH.test(hash) || !(size >= 0)) return null;
      files.set(path, { path, hash, bytes: size });
    }
    return files;
  } catch {
    return null;
  }
}

/** Returns the files that differ, sorted by path. */
export function compareTrees(
  before: ReadonlyMap<string, StateFile>,
  after: ReadonlyMap<string, StateFile>,
): StateChange[] {
  const changes: StateChange[] = [];
  for (const [path, file] of before) {
    const other = after.get(path) ?? null;
    if (other?.hash !== file.hash) changes.push({ path, before: file, after: other });
  }
  for (const [path, file] of after) if (!before.has(path)) changes.push({ path, before: null, after: file });
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}
