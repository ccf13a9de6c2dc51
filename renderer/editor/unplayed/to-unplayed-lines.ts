import type { PlayedScene } from '../../../shared/model/playtest/playtest-state.ts';
import { toKeptLines } from '../../../shared/text/kept-lines.ts';

/** Returns the 1-based lines of the present text that were not played and that did not change since. */
export function toUnplayedLines(
  { lines, never }: Pick<PlayedScene, 'lines' | 'never'>,
  now: readonly string[],
): number[] {
  const kept = toKeptLines(lines, now);
  const found: number[] = [];
  for (const { first, last } of never) {
    for (let line = first; line <= last; line += 1) {
      const at = kept[line - 1] ?? -1;
      if (at >= 0 && lines[line - 1]?.trim() !== '') found.push(at + 1);
    }
  }
  return found;
}
