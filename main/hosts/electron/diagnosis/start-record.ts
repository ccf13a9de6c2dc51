import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Number of consecutive failed starts after which safe mode is offered. */
export const FAILED_STARTS_FOR_OFFER = 2;

const Kept = z.object({ unfinished: z.int().min(0) });

/** A counter of starts that ended before the page was shown. */
export interface StartRecord {
  /** Records the begin of a start. Returns the number of consecutive failed starts before it. */
  begin(): number;
  /** Resets the count. Called once the page is shown. */
  succeed(): void;
}

/** Stores the record in `folder`. If the file is damaged or not writable, safe mode is not offered. */
export function createStartRecord(folder: string): StartRecord {
  const path = join(folder, 'starts.json');
  return {
    begin() {
      const failed = readUnfinished(path);
      try {
        writeFileSync(path, JSON.stringify({ unfinished: failed + 1 }));
      } catch {
        // The start itself reports a folder that is not writable.
      }
      return failed;
    },
    succeed: () => rmSync(path, { force: true }),
  };
}

function readUnfinished(path: string): number {
  try {
    return Kept.parse(JSON.parse(readFileSync(path, 'utf8'))).unfinished;
  } catch {
    // Absent after a successful start.
    return 0;
  }
}
