import { lstatSync, mkdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { isAssetName } from '../../../shared/model/asset/asset.ts';
import { createDurably, replaceFile, toTempName } from '../files/durable-file.ts';
import { isMissing, toSystemCode } from '../files/io-error.ts';
import { type OpenDirectory, openDirectory } from '../files/open-directory.ts';
import type { SnapshotStamp } from '../snapshots/kept-text.ts';
import type { JournalEntry } from './journal-record.ts';
import { toConflict, type WriteStep } from './write-step.ts';

/**
 * Maximum length of the old and new text of a write that only its journal makes durable; beyond that, writing the text
 * twice costs more than it saves.
 */
const MAX_REDO_BYTES = 512 * 1024;

/** A write step with its journal entry and the snapshot that undoes it. */
export interface WriteJob {
  step: WriteStep;
  entry: JournalEntry;
  /** The folder of the file. */
  parent: OpenDirectory;
  /** The temp file with the new text; null when the file is removed. */
  temp: string | null;
  snapshotId: string;
  /** The id in the transaction log. */
  transaction: string;
}

export interface WriteJobContext {
  parent: OpenDirectory;
  /** The folder of temp files in the app's folder. */
  temps: OpenDirectory;
  /** True for a transaction of one file. */
  isAlone: boolean;
  stamp: SnapshotStamp;
  /** The id in the transaction log. */
  transaction: string;
  /** The snapshot with the text before this editing session; null if this write keeps one of its own. */
  sessionSnapshot: string | null;
}

/**
 * Opens the folder of a file. Creates missing folders one by one, each through the handle of the one before, and adds them to
 * `made`, innermost first.
 */
export async function openParent({ place }: Pick<WriteStep, 'place'>, made: string[]): Promise<OpenDirectory> {
  const missing: string[] = [];
  let absolute = path.dirname(place.absolute);
  let held: OpenDirectory | undefined;
  while (!held) {
    try {
      held = openDirectory(absolute);
    } catch (error) {
      if (!isMissing(error)) throw error;
      missing.unshift(path.basename(absolute));
      absolute = path.dirname(absolute);
    }
  }
  for (const name of missing) {
    try {
      mkdirSync(held.at(name));
      made.unshift(path.join(held.absolute, name));
      await held.sync();
    } catch (error) {
      // Another process may have created it first; the next check examines what exists.
      if (toSystemCode(error) !== 'EEXIST') throw error;
    } finally {
      held.close();
    }
    held = openDirectory(path.join(held.absolute, name));
  }
  return held;
}

export function toJob(step: WriteStep, context: WriteJobContext): WriteJob {
  const { parent, temps, isAlone, stamp, transaction, sessionSnapshot } = context;
  const deviceOf = (held: OpenDirectory) => lstatSync(held.at('.'), { bigint: true }).dev;
  const isBeside = deviceOf(parent) !== deviceOf(temps);
  const name = toTempName();
  const entry: JournalEntry = {
    path: step.place.path,
    text: step.text,
    before: step.version,
    after: step.afterVersion,
    bytes: step.after?.length ?? 0,
    mode: step.stats ? Number(step.stats.mode & 0o777n) : null,
    // A rename works on one disk only, and the game may be on another disk than the app's folder in it.
    temp: step.after && { name, beside: isBeside },
    stamp: sessionSnapshot === null ? stamp : null,
    ...(step.request !== undefined && { request: step.request }),
    ...(step.restores !== undefined && { restores: step.restores }),
    ...(isAlone && toRedo(step)),
  };
  const temp = step.after && (isBeside ? parent.at(`.${name}`) : temps.at(name));
  return { step, entry, parent, temp, snapshotId: sessionSnapshot ?? stamp.id, transaction };
}

/** Writes and syncs the new text under its temporary name. */
export async function writeTemp({ step, entry, temp }: WriteJob): Promise<void> {
  if (!temp || !step.after) return;
  await createDurably(temp, step.after, {
    ...(entry.mode !== null && { mode: entry.mode }),
    ...(step.stats &&
      Number(step.stats.uid) !== process.getuid?.() && {
        owner: { uid: Number(step.stats.uid), gid: Number(step.stats.gid) },
      }),
  });
}

/** Replaces or removes the file. */
export async function commit({ step, parent, temp }: WriteJob, isOneOfMany: boolean): Promise<void> {
  const name = path.basename(step.place.absolute);
  if (!parent.isThere()) throw toConflict([step.place.path]);
  if (temp) await replaceFile(temp, parent.at(name), { isOneOfMany });
  else unlinkSync(parent.at(name));
}

/** Returns what repeating a write to an existing file takes, if the texts are small enough. */
function toRedo({ place, stats, text, after }: WriteStep): Pick<JournalEntry, 'redo'> {
  // Its bytes are not text.
  if (isAssetName(place.path)) return {};
  if (!stats || text === null || !after || text.length + after.length > MAX_REDO_BYTES) return {};
  return { redo: { text: after.toString(), changedAt: String(stats.mtimeNs) } };
}
