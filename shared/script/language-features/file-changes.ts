import type { TextEdit } from '../../model/diagnostic.ts';
import { applyEdits } from './apply-edits.ts';

/** Change to one file. `before` null: it is new; `after` null: it is removed. */
export interface FileChange {
  path: string;
  before: string | null;
  after: string | null;
  /** The path before a rename. */
  from?: string;
}

/**
 * The texts before and after a set of edits and a move. `textOf` returns the text that the edits were computed on;
 * files for which it returns undefined are left out.
 */
export function toFileChanges(
  edits: ReadonlyMap<string, readonly TextEdit[]>,
  textOf: (path: string) => string | undefined,
  move?: { from: string; to: string },
): FileChange[] {
  const changes: FileChange[] = [];
  const paths = new Set([...edits.keys(), ...(move ? [move.from] : [])]);
  for (const path of paths) {
    const before = textOf(path);
    if (before === undefined) continue;
    const after = applyEdits(before, edits.get(path) ?? []);
    if (move?.from === path) {
      changes.push({ path, before, after: null }, { path: move.to, before: null, after, from: path });
    } else if (after !== before) {
      changes.push({ path, before, after });
    }
  }
  return changes;
}
