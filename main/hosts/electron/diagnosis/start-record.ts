import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** So many starts in a row without a page, and safe mode is offered. */
export const FAILED_STARTS_FOR_OFFER = 2;

const Kept = z.object({ unfinished: z.int().min(0) });

/** Counts starts that ended before the page was there. */
export interface StartRecord {
  /** Notes that a start begins. Returns how many before it did not get to the page, in a row. */
  begin(): number;
  /** The page is there: the count begins anew. */
  succeed(): void;
}

/** Kept in `folder`. A file that is damaged or cannot be written only means that safe mode is not offered. */
export function createStartRecord(folder: string): StartRecord {
  const path = join(folder, 'starts.json');
  return {
    begin() {
      const failed = readUnfinished(path);
      try {
        writeFileSync(path, JSON.stringify({ unfinished: failed + 1 }));
      } catch {
        // The start itself will say that the folder cannot be written.
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
    // Absent after every start that worked.
    return 0;
  }
}
