import { lstatSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';

import { isMissing } from '../files/io-error.ts';

import type { LogState } from './log-state.ts';
import { setAside } from './open-log.ts';
import { releaseLog } from './sync-log.ts';

/** Renames `audit.jsonl` to `audit.1.jsonl`, the one before to `audit.2.jsonl`, and removes the oldest beyond `keep`. */
export async function rotateLog(log: LogState, keep: number): Promise<void> {
  const toRotated = (index: number) => path.join(path.dirname(log.file), toRotatedName(log.options.name, index));
  await releaseLog(log);
  if (lstatSync(toRotated(keep), { throwIfNoEntry: false })?.isDirectory()) await setAside(log, toRotated(keep));
  await rm(toRotated(keep), { force: true });
  for (let index = keep - 1; index >= 0; index -= 1) {
    await rename(index === 0 ? log.file : toRotated(index), toRotated(index + 1)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }
}

/** Returns the name of the log that was rotated `index` times; 0 is the log that lines are appended to. */
export function toRotatedName(name: string, index: number): string {
  return index === 0 ? name : name.replace(/(\.\w+)$/, `.${index}$1`);
}
