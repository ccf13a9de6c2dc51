import { lstatSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { isMissing } from '../files/io-error.ts';
import { readPrivateFile } from '../files/private-file.ts';

import type { LogState } from './log-state.ts';
import { setAside } from './open-log.ts';
import { releaseLog } from './sync-log.ts';

/** Renames `audit.jsonl` to `audit.1.jsonl`, the one before to `audit.2.jsonl`, and removes the oldest beyond `keep`. */
export async function rotateLog(log: LogState, keep: number): Promise<void> {
  const toRotated = (index: number) => path.join(path.dirname(log.file), toRotatedName(log.options.name, index));
  await releaseLog(log);
  if (lstatSync(toRotated(keep), { throwIfNoEntry: false })?.isDirectory()) await setAside(log, toRotated(keep));
  const retained = await readRetained(log, toRotated(keep));
  await rm(toRotated(keep), { force: true });
  for (let index = keep - 1; index >= 0; index -= 1) {
    await rename(index === 0 ? log.file : toRotated(index), toRotated(index + 1)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }
  if (retained.length > 0) await prependLines(toRotated(keep), { lines: retained, name: log.options.name });
}

/** Most bytes that are carried over from a removed file; of more, the newest stay. */
const MAX_RETAINED_BYTES = 16 * 1024 * 1024;

/** Returns the lines of the file that is about to be removed which have to stay, as they are written there. */
async function readRetained({ options }: LogState, file: string): Promise<string[]> {
  const { retains, name } = options;
  if (!retains) return [];
  const bytes = await readPrivateFile(file, name).catch(() => null);
  const lines = (bytes?.toString('utf8') ?? '').split('\n').filter((line) => line !== '' && isRetained(line, retains));
  let size = 0;
  const first = lines.findLastIndex((line) => {
    size += Buffer.byteLength(line) + 1;
    return size > MAX_RETAINED_BYTES;
  });
  return lines.slice(first + 1);
}

function isRetained(line: string, retains: (line: unknown) => boolean): boolean {
  try {
    return retains(JSON.parse(line));
  } catch {
    return false;
  }
}

/** Puts lines before those of a rotated file, which are newer. A crash leaves the file as it was. */
async function prependLines(file: string, { lines, name }: { lines: readonly string[]; name: string }): Promise<void> {
  const newer = (await readPrivateFile(file, name)) ?? Buffer.alloc(0);
  const draft = `${file}.tmp`;
  await rm(draft, { force: true });
  // Never through a link that a game placed here.
  await writeFile(draft, Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), newer]), { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
}

/** Returns the name of the log that was rotated `index` times; 0 is the log that lines are appended to. */
export function toRotatedName(name: string, index: number): string {
  return index === 0 ? name : name.replace(/(\.\w+)$/, `.${index}$1`);
}
