import type { Reader } from '../../ports/reader.ts';
import type { Transactions } from '../../ports/transactions.ts';
import type { LostLines } from '../session/events/disk-event.ts';
import type { Explained } from './explain-changes.ts';

const MAX_FILES = 5;
const MAX_LINES = 10;
const MAX_LINE = 200;

/** Returns which lines of accepted changes are not in their files any more. A file whose texts are not kept is left out. */
export async function findLostLines(
  partly: Explained['partly'],
  { disk, transactions }: { disk: Pick<Reader, 'read'>; transactions: Pick<Transactions, 'readText'> },
): Promise<LostLines[]> {
  const found: LostLines[] = [];
  for (const { path, before, after } of partly) {
    if (found.length === MAX_FILES) break;
    if (after === null) continue;
    const [old, made, now] = await Promise.all([
      before && transactions.readText(before),
      transactions.readText(after),
      disk.read(path).catch(() => null),
    ]);
    if (made === null || now === null || (before !== null && old === null)) continue;
    const lines = toLost({ before: old ?? '', after: made, now: now.text });
    if (lines.length === 0) continue;
    const shown = lines.slice(0, MAX_LINES).map((line) => line.slice(0, MAX_LINE).toWellFormed());
    found.push({ path, lines: shown, more: lines.length - shown.length });
  }
  return found;
}

/** Returns the lines that are new in `after` and not in `now`, each once. Pure. */
function toLost({ before, after, now }: { before: string; after: string; now: string }): string[] {
  const there = new Set([...toLines(before), ...toLines(now)]);
  return [...new Set(toLines(after))].filter((line) => line.trim() !== '' && !there.has(line));
}

function toLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}
