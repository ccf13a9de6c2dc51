import { rm } from 'node:fs/promises';
import path from 'node:path';

import { isAssetName } from '../../../shared/model/asset/asset.ts';
import { createAssetStore } from '../assets/asset-store.ts';
import { syncFolder, writeDurably } from '../files/durable-file.ts';
import { toVersion } from '../files/strict-text.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { PathResolver } from '../project-fs/path-resolver.ts';
import { readProjectBytes } from '../project-fs/project-files.ts';
import type { KeptText } from '../snapshots/kept-text.ts';

import type { Journal, JournalEntry } from './journal-record.ts';

export const TEMP_PART = 'tmp';
/** The permission bits that are restored: no journal may set the setuid, setgid or sticky bit. */
export const PERMISSION_BITS = 0o777;

/** Returns the snapshot that an entry takes, or null. */
export function toKeptText(entry: JournalEntry, label: Journal['label']): KeptText | null {
  if (!entry.stamp) return null;
  const { origin, group, title, idempotencyKey } = label;
  return {
    stamp: entry.stamp,
    path: entry.path,
    text: entry.text,
    after: entry.after,
    bytes: entry.bytes,
    ...(entry.request !== undefined && { request: entry.request }),
    ...(entry.restores !== undefined && { restores: entry.restores }),
    label: { origin, group, title, ...(idempotencyKey !== undefined && { idempotencyKey }) },
  };
}

/** Returns the path of an entry's temp file; null when it has none. */
export async function toTempPath(
  { folder, resolver }: { folder: AgentFolder; resolver: PathResolver },
  { path: projectPath, temp }: JournalEntry,
): Promise<string | null> {
  if (!temp) return null;
  if (!temp.beside) return path.join(await folder.make(TEMP_PART), temp.name);
  const { place } = await resolver.resolveForWriting(projectPath);
  return path.join(path.dirname(place.absolute), `.${temp.name}`);
}

/** Returns whether a file has the text from before or after the transaction, or another one. */
export async function readState(resolver: PathResolver, entry: JournalEntry): Promise<'before' | 'after' | 'foreign'> {
  const found = await readProjectBytes(resolver, entry.path, { maxBytes: Number.MAX_SAFE_INTEGER });
  const version = found && toVersion(found.bytes);
  return version === entry.before ? 'before' : version === entry.after ? 'after' : 'foreign';
}

/**
 * Restores one file to its state before the transaction, if it still has the text that the transaction wrote. A picture or a sound whose
 * kept bytes somebody deleted stays as it was written: nothing can bring them back, and later writes must not fail for it.
 */
export async function takeBackEntry(
  { resolver, folder }: { resolver: PathResolver; folder: AgentFolder },
  entry: JournalEntry,
): Promise<void> {
  if ((await readState(resolver, entry)) !== 'after') return;
  const { place } = await resolver.resolveForWriting(entry.path);
  if (entry.text !== null) {
    const before = isAssetName(entry.path) ? await createAssetStore(folder).find(entry.before ?? '') : entry.text;
    if (before === null) return;
    return writeDurably(place.absolute, before, entry.mode === null ? undefined : entry.mode & PERMISSION_BITS);
  }
  await rm(place.absolute, { force: true });
  await syncFolder(path.dirname(place.absolute));
}
