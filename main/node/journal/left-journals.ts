import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';

import { TEMP_NAME } from '../files/durable-file.ts';
import { isMissing } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';
import { isAlive } from '../files/process-start.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import { TEXTS_PART } from '../transactions/text-store.ts';

import { TEMP_PART } from './journal-entry.ts';
import { type FoundJournal, type Journal, MAX_JOURNAL_BYTES, type Owner, parseRecord } from './journal-record.ts';
import type { JournalSignature } from './journal-signature.ts';
import { isHeldHere, JOURNAL_PART } from './journal-slots.ts';

const TEMP_PARTS = ['', TEMP_PART, JOURNAL_PART, 'snapshots', TEXTS_PART, 'screenshots'];
/**
 * A transaction takes milliseconds. An older journal with the number of a living process was left by another process that
 * had the same number.
 */
const IN_FLIGHT_MS = 30_000;
const ABANDONED_TEMP_MS = 10 * 60_000;

/** Returns the journals of other processes and of processes that are gone; removes files that are no longer needed. */
export async function readLeftJournals(
  directory: string,
  signature: JournalSignature,
): Promise<{ file: string; journal: FoundJournal }[]> {
  const left: { file: string; journal: FoundJournal }[] = [];
  for (const name of await readdir(directory)) {
    if (!name.endsWith('.json') || isHeldHere(name)) continue;
    const file = path.join(directory, name);
    const found = await readJournal(file, name, signature);
    if (typeof found === 'object' && 'entries' in found) {
      if (!isOthersInFlight(found)) left.push({ file, journal: found });
    } else if (typeof found === 'object') {
      if (!(await isOthersIdle(found.idle, file))) await rm(file, { force: true });
    } else if (!(await isRecent(file))) {
      // A foreign file is never followed; if the rename fails, it stays.
      if (found === 'foreign') await rename(file, `${file}.foreign`).catch(() => undefined);
      // A torn journal means that no file had been touched yet.
      else await rm(file, { force: true });
    }
  }
  // In the order of creation: a transaction may build on an earlier one.
  return left.sort((a, b) => a.journal.at - b.journal.at);
}

/** Removes temp files that a killed process left: files of the app are created beside their target and then renamed. */
export async function clearTemps(folder: AgentFolder): Promise<void> {
  for (const part of TEMP_PARTS) {
    // A path that is not a folder of the app is refused when it is used; it holds no temp files.
    const directory = await folder.find(part).catch(() => null);
    for (const name of directory ? await readdir(directory) : []) {
      if (!directory || !TEMP_NAME.test(name.replace(/^\./, ''))) continue;
      const file = path.join(directory, name);
      const stats = await lstat(file).catch(() => null);
      if (stats && Date.now() - stats.mtimeMs > ABANDONED_TEMP_MS) await rm(file, { force: true });
    }
  }
}

async function readJournal(
  file: string,
  name: string,
  signature: JournalSignature,
): Promise<Awaited<ReturnType<typeof parseRecord>>> {
  const stats = await lstat(file).catch(() => null);
  // The app never creates a link or a folder here; they are not read.
  if (stats && (!stats.isFile() || stats.size > MAX_JOURNAL_BYTES)) return 'foreign';
  return parseRecord((await readPrivateFile(file, name)) ?? Buffer.alloc(0), signature);
}

function isOthersInFlight({ pid, host, at }: Journal): boolean {
  return host === hostname() && pid !== process.pid && isAlive(pid) && Date.now() - at < IN_FLIGHT_MS;
}

/**
 * Returns whether an idle file belongs to another process: a process keeps such files open for its next write. A
 * process of another machine cannot be checked.
 */
async function isOthersIdle({ pid, host }: Owner, file: string): Promise<boolean> {
  return host === hostname() ? pid !== process.pid && isAlive(pid) : isRecent(file);
}

/** Another process may be writing it at this moment. */
async function isRecent(file: string): Promise<boolean> {
  try {
    return Date.now() - (await lstat(file)).mtimeMs < IN_FLIGHT_MS;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}
