import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';

import { syncFolder } from '../files/durable-file.ts';

import type { LogState } from './log-state.ts';

/** Lines that need no sync at once are synced this long after the first of them. */
const SYNC_DELAY_MS = 100;

/** Makes the lines so far survive a power cut, and the name of a new log too, which costs no second wait. */
export async function syncLog(log: LogState, handle: FileHandle): Promise<void> {
  await Promise.all([handle.datasync(), log.isNamed ? null : syncFolder(path.dirname(log.file))]);
  log.isNamed = true;
}

export function syncLater(log: LogState): void {
  log.timer ??= setTimeout(() => void syncNow(log), SYNC_DELAY_MS);
  // A pending sync must not keep the process running: the lines are written.
  log.timer.unref();
}

/** Syncs what was left for later; one sync at a time. */
async function syncNow(log: LogState): Promise<void> {
  clearTimeout(log.timer);
  log.timer = undefined;
  await log.syncing;
  if (log.isSynced || !log.handle) return;
  log.isSynced = true;
  // The lines are written; a disk that fails now fails the next append too, and that error is reported.
  log.syncing = syncLog(log, log.handle).catch(() => undefined);
  await log.syncing;
}

/** Syncs and closes the log; the next append opens it again. */
export async function releaseLog(log: LogState): Promise<void> {
  await syncNow(log);
  await log.handle?.close();
  log.handle = undefined;
}
