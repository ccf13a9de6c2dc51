import { lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { isAssetName, parseAssetText } from '../../../shared/model/asset/asset.ts';
import { createAssetStore, describeAssetBytes } from '../assets/asset-store.ts';
import { replaceFile, syncFile, syncFolder, writeDurably } from '../files/durable-file.ts';
import { isMissing } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';
import { toText, toVersion } from '../files/strict-text.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { PathResolver } from '../project-fs/path-resolver.ts';
import { readProjectBytes } from '../project-fs/project-files.ts';
import type { SnapshotStore } from '../snapshots/snapshot-store.ts';
import type { FinishedTransaction } from '../transactions/finished-transaction.ts';

import { PERMISSION_BITS, readState, takeBackEntry, toKeptText, toTempPath } from './journal-entry.ts';
import type { FoundJournal, Journal, JournalEntry } from './journal-record.ts';

/** The services and the memory of one recovery. */
export interface Recovery {
  readonly folder: AgentFolder;
  readonly resolver: PathResolver;
  readonly snapshots: SnapshotStore;
  /** Path → version of what this recovery wrote. */
  readonly rewritten: Map<string, string>;
}

/**
 * Finishes or undoes one transaction that a crash left incomplete, and removes its temp files. Never touches a file whose
 * text is neither the old nor the new one, nor any file of a transaction that is done. Returns the outcome, which is the same if it
 * is called again.
 */
export async function finishTransaction(
  recovery: Recovery,
  { entries, label, isDone }: FoundJournal,
): Promise<FinishedTransaction['outcome']> {
  const { resolver, snapshots } = recovery;
  const states = await Promise.all(entries.map((entry) => readState(resolver, entry)));
  const at = (state: string) => entries.filter((_, index) => states[index] === state);
  const waiting = at('before');
  const all = async (has: (recovery: Recovery, entry: JournalEntry) => Promise<boolean>) =>
    (await Promise.all(waiting.map((entry) => has(recovery, entry)))).every(Boolean);
  // Partly committed: continue if all that is needed exists and no other program changed a file since.
  const isBegun = at('after').length > 0 && at('foreign').length === 0 && (await all(hasWhatItTakes));
  // The write may have been acknowledged although the disk never received the new name.
  const forward = !isDone && (isBegun || (waiting.length === entries.length && (await all(canRedo))));
  if (forward) {
    for (const entry of waiting) {
      const kept = toKeptText(entry, label);
      if (kept) await snapshots.confirm([kept]);
      else await keepPresent(recovery, entry, label);
      await continueEntry(recovery, entry);
    }
  } else if (!isDone && waiting.length > 0) {
    for (const entry of at('after')) {
      await keepPresent(recovery, entry, label);
      await takeBackEntry(recovery, entry);
    }
  }
  for (const [index, entry] of entries.entries()) {
    const kept = toKeptText(entry, label);
    const isWritten = states[index] === 'after' && (forward || waiting.length === 0);
    // The name may not be synced yet, and the journal is about to be removed.
    if (isWritten) await syncNameOf(resolver, entry);
    const happened = states[index] === 'foreign' || forward || isWritten || isDone;
    // A snapshot of a file that the user changed since is kept in any case; it may be the only copy.
    if (kept && happened) await snapshots.confirm([kept]);
    else if (kept) await snapshots.discard([kept.stamp.id]);
    const temp = await toTempPath(recovery, entry);
    if (temp) await rm(temp, { force: true });
  }
  return isDone || forward || waiting.length === 0 ? 'applied' : 'rolled_back';
}

async function hasWhatItTakes(recovery: Recovery, entry: JournalEntry): Promise<boolean> {
  if (entry.after === null) return true;
  const temp = await toTempPath(recovery, entry);
  const bytes = temp && (await readPrivateFile(temp, entry.path));
  return !!bytes && toVersion(bytes) === entry.after;
}

/**
 * Returns whether the journal alone suffices to repeat the write over the same file as before: the file whose last
 * change is the recorded one, or one that this recovery wrote. An identical old text that the user restored since then
 * is another file.
 */
async function canRedo(
  { resolver, rewritten }: Recovery,
  { path: projectPath, redo, after, before }: JournalEntry,
): Promise<boolean> {
  if (!redo || toVersion(Buffer.from(redo.text)) !== after) return false;
  const { place } = await resolver.resolveForWriting(projectPath);
  const stats = lstatSync(place.absolute, { bigint: true, throwIfNoEntry: false });
  return String(stats?.mtimeNs) === redo.changedAt || rewritten.get(place.path) === before;
}

async function continueEntry(recovery: Recovery, entry: JournalEntry): Promise<void> {
  const { place } = await recovery.resolver.resolveForWriting(entry.path);
  const temp = (await hasWhatItTakes(recovery, entry)) ? await toTempPath(recovery, entry) : null;
  if (temp) {
    await syncFile(temp);
    await replaceFile(temp, place.absolute);
  } else if (entry.redo) {
    await writeDurably(place.absolute, entry.redo.text, entry.mode === null ? undefined : entry.mode & PERMISSION_BITS);
  } else {
    await rm(place.absolute, { force: true });
  }
  await syncFolder(path.dirname(place.absolute));
  if (entry.after !== null) recovery.rewritten.set(place.path, entry.after);
}

async function syncNameOf(resolver: PathResolver, { path: projectPath }: JournalEntry): Promise<void> {
  const { place } = await resolver.resolveForWriting(projectPath);
  await syncFolder(path.dirname(place.absolute)).catch((error: unknown) => {
    if (!isMissing(error)) throw error; // A folder that is gone has no names to sync.
  });
}

/** Keeps a snapshot of the present text, so that the user can undo the recovery. */
async function keepPresent(
  { resolver, snapshots, folder }: Recovery,
  entry: JournalEntry,
  { origin, group, title }: Journal['label'],
): Promise<void> {
  const found = await readProjectBytes(resolver, entry.path, { maxBytes: Number.MAX_SAFE_INTEGER });
  if (!found) return;
  const isBefore = toVersion(found.bytes) === entry.before;
  const isAsset = isAssetName(entry.path);
  if (isAsset) await createAssetStore(folder).keep([found.bytes]);
  await snapshots.confirm([
    {
      stamp: await snapshots.stamp(),
      path: entry.path,
      text: isAsset ? describeAssetBytes(found.bytes) : toText(found.bytes, entry.path),
      after: isBefore ? entry.after : entry.before,
      bytes: isBefore ? entry.bytes : toBytesBefore(entry),
      label: { origin, group, title },
    },
  ]);
}

function toBytesBefore({ path: projectPath, text }: JournalEntry): number {
  const asset = text !== null && isAssetName(projectPath) ? parseAssetText(text) : null;
  return asset?.bytes ?? Buffer.byteLength(text ?? '');
}
