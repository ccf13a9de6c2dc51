import { constants } from 'node:fs';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createSerialQueue } from '../../../shared/async.ts';
import { SpendingEntry, type SpendingStore } from '../../core/ports/stores/spending-store.ts';
import { NOFOLLOW_NONBLOCK } from '../files/durable-file.ts';
import { toIoError } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';

const FOLDER = 'spending';
/** Days that are kept. */
const MAX_DAYS = 31;
const DAY_FILE = /^\d{4}-\d{2}-\d{2}\.jsonl$/;

/**
 * Creates the store of what requests cost: one file of JSON lines for each day in `spending/` of the app's folder. Lines are only
 * appended, each in one write, so that several windows lose none. A line begins with a line break, too: a half-written line of a
 * window that was killed then damages no other.
 */
export function createSpendingStore(dataFolder: string): SpendingStore {
  const folder = path.join(dataFolder, FOLDER);
  const queue = createSerialQueue();
  let prepared: string | null = null;

  async function prepare(day: string): Promise<void> {
    if (prepared === day) return;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // With a clock that was set back, today is not the newest day.
    const others = (await readdir(folder)).filter((name) => DAY_FILE.test(name) && name !== `${day}.jsonl`).sort();
    for (const name of others.slice(0, 1 - MAX_DAYS)) await rm(path.join(folder, name), { force: true });
    prepared = day;
  }

  return {
    append: (day, entry) =>
      queue.run(async () => {
        const name = `${day}.jsonl`;
        try {
          await prepare(day);
          const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NOFOLLOW_NONBLOCK;
          const handle = await open(path.join(folder, name), flags, 0o600);
          try {
            await handle.write(`\n${JSON.stringify(entry)}\n`);
            await handle.datasync();
          } finally {
            await handle.close();
          }
        } catch (error) {
          prepared = null;
          throw toIoError(error, name);
        }
      }),
    read: (day) =>
      queue.run(async () => {
        const name = `${day}.jsonl`;
        const bytes = await readPrivateFile(path.join(folder, name), name);
        return (bytes?.toString('utf8') ?? '').split('\n').flatMap(toEntry);
      }),
  };
}

function toEntry(line: string): SpendingEntry[] {
  if (line === '') return [];
  try {
    return [SpendingEntry.parse(JSON.parse(line))];
  } catch {
    // Half-written by a window that was killed, or by a later version.
    return [];
  }
}
