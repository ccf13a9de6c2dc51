import { toLineDiff } from './line-diff.ts';

/**
 * Returns where a line (1-based) of `before` is in `after`: moved by what was added and removed above it, and inside a changed part the
 * line at its place there.
 */
export function toMovedLine(before: string, after: string, line: number): number {
  if (before === after) return line;
  let moved = 0;
  for (const { startOld, lenOld, startNew, lenNew } of toLineDiff(before, after).hunks) {
    if (startOld > line) break;
    if (line < startOld + lenOld) return Math.max(1, startNew + Math.min(line - startOld, Math.max(0, lenNew - 1)));
    moved += lenNew - lenOld;
  }
  return line + moved;
}
