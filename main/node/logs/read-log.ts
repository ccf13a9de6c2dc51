import path from 'node:path';
import { FOREIGN_JSON, parseBoundedJson } from '../../../shared/text/bounded-json.ts';
import type { LogPiece } from '../../core/ports/logs.ts';
import { readPrivateFile } from '../files/private-file.ts';
import type { FileLine } from '../files/read-lines.ts';
import { readLinesBackwards } from '../files/read-lines-backwards.ts';

import type { LineSignature } from './line-signature.ts';
import type { LogState } from './log-state.ts';
import { toRotatedName } from './rotate-log.ts';

const LINE_FEED = 0x0a;
/** Longer than any line of a rotated log; longer lines are left out of the history. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Reads all whole lines of the log, without those of rotated ones. */
export async function readLog(log: LogState): Promise<{ entries: unknown[]; damaged: number }> {
  const { folder, name } = log.options;
  await log.writing;
  const directory = await folder(false);
  const bytes = directory && (await readPrivateFile(path.join(directory, name), name));
  return bytes ? toEntries(bytes) : { entries: [], damaged: 0 };
}

/** Yields all lines of the log and of the rotated ones, newest first. */
export async function* readHistory(log: LogState): AsyncGenerator<LogPiece> {
  const { folder, name, rotate, signature } = log.options;
  await log.writing;
  const directory = await folder(false);
  if (!directory) return;
  const own = signature ? await signature() : null;
  for (let index = 0; index <= (rotate?.keep ?? 0); index += 1) {
    try {
      const file = path.join(directory, toRotatedName(name, index));
      for await (const lines of readLinesBackwards(file, name, { maxBytes: MAX_LINE_BYTES })) {
        yield toHistory(lines, own);
      }
    } catch {
      // A file that is no log of the app, or cannot be read, counts as damaged and does not hide the others.
      yield { lines: [], damaged: 1 };
    }
  }
}

function toEntries(bytes: Buffer): { entries: unknown[]; damaged: number } {
  const whole = bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1).toString('utf8');
  const entries: unknown[] = [];
  let damaged = 0;
  for (const line of whole.split('\n')) {
    if (line.trim() === '') continue;
    try {
      entries.push(parseBoundedJson(line, FOREIGN_JSON));
    } catch {
      damaged += 1;
    }
  }
  return { entries, damaged };
}

/** Converts lines that come newest first to entries. Without a signature no entry counts as written by this installation. */
function toHistory(lines: readonly FileLine[], signature: LineSignature | null): LogPiece {
  const piece: LogPiece = { lines: [], damaged: 0 };
  for (const line of lines) {
    if (line?.length === 0) continue;
    try {
      if (line === null) throw new Error('Too long.');
      const entry = parseBoundedJson(line.toString('utf8'), FOREIGN_JSON);
      piece.lines.push({ entry, isForeign: signature?.isOurs(line) !== true });
    } catch {
      piece.damaged += 1;
    }
  }
  return piece;
}
