import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';

import { AppError } from '../../../shared/errors.ts';
import { NOFOLLOW_NONBLOCK } from '../files/durable-file.ts';
import { isMissing, toIoError, toSpecialFileError } from '../files/io-error.ts';
import { type OpenDirectory, openDirectory } from '../files/open-directory.ts';
import { toText } from '../files/strict-text.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';

import { SnapshotRecord } from './snapshot-record.ts';
import type { SnapshotState } from './snapshot-state.ts';

export const SNAPSHOTS_PART = 'snapshots';
export const META = '.meta.json';
const MAX_META_BYTES = 64 * 1024;
/** The maximum that the writer reads and writes. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Keeps the folder open while `action` runs; returns null when there is none. */
export async function withinFolder<T>(
  folder: AgentFolder,
  action: (held: OpenDirectory) => T | Promise<T>,
): Promise<T | null> {
  const directory = await folder.find(SNAPSHOTS_PART);
  if (directory === null) return null;
  const held = openDirectory(directory);
  try {
    return await action(held);
  } finally {
    held.close();
  }
}

/** Returns the modification time of the folder, in ns. */
export function timeOf(held: OpenDirectory): bigint {
  return statSync(held.at('.'), { bigint: true }).mtimeNs;
}

/** Changes the folder. The next check reads the whole folder again only if another program changed it too. */
export async function changeFolder(
  state: SnapshotState,
  action: (held: OpenDirectory) => Promise<void>,
): Promise<void> {
  const { folder } = state;
  if ((await folder.find(SNAPSHOTS_PART)) === null) {
    // No snapshot was kept yet, or another program removed the folder.
    await folder.make(SNAPSHOTS_PART);
    if (state.seen === 'absent') state.seen = await withinFolder(folder, timeOf).then((time) => time ?? undefined);
  }
  await withinFolder(folder, async (held) => {
    const known = timeOf(held) === state.seen;
    try {
      await action(held);
    } finally {
      state.seen = known ? timeOf(held) : undefined;
    }
  });
}

/** Reads a file of the folder; null when it does not exist. Refuses a link, a FIFO or a folder in its place. */
export function readKept(held: OpenDirectory, name: string): Buffer | null {
  try {
    const handle = openSync(held.at(name), constants.O_RDONLY | NOFOLLOW_NONBLOCK);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) throw toSpecialFileError(name);
      // A game may contain huge ones, and descriptions are read with blocking calls.
      if (stats.size > (name.endsWith(META) ? MAX_META_BYTES : MAX_TEXT_BYTES)) throw toDamagedError(name);
      return readFileSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw toIoError(error, name);
  }
}

/** Parses the description of a snapshot. Throws for one that is damaged or belongs to another id. */
export function toRecord(bytes: Buffer, id: string): SnapshotRecord {
  try {
    const record = SnapshotRecord.parse(JSON.parse(toText(bytes, id)));
    if (record.id === id) return record;
  } catch (error) {
    throw toDamagedError(id, error);
  }
  throw toDamagedError(id);
}

export function toDamagedError(id: string, cause?: unknown): AppError {
  return new AppError('E_PARSE_FAIL', `The snapshot ${id} is damaged.`, {
    details: { snapshotId: id },
    hint: 'Choose another snapshot of the same file.',
    reason: 'snapshot.damaged',
    cause,
  });
}

/** Throws every error except that of a missing file. */
export function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
