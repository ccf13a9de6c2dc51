import type { ChangedEntry } from '../../../shared/model/checkpoint.ts';
import { isPicture, isScene, isSound } from '../../state/project/file-kinds.ts';

export type ChangedKind = 'scenes' | 'pictures' | 'sounds' | 'others';
const KINDS: readonly ChangedKind[] = ['scenes', 'pictures', 'sounds', 'others'];

/** A row of the comparison: the heading of a kind, or a file. */
export type ComparisonRow =
  | { kind: ChangedKind; files: ChangedEntry[]; key: string }
  | { kind: null; file: ChangedEntry; key: string };

/** Groups changed files by kind, in a fixed order. Kinds without files are omitted. */
export function toRows(files: readonly ChangedEntry[]): ComparisonRow[] {
  const groups = new Map<ChangedKind, ChangedEntry[]>(KINDS.map((kind) => [kind, []]));
  for (const file of files) groups.get(toKind(file.path))?.push(file);
  return [...groups].flatMap(([kind, found]): ComparisonRow[] =>
    found.length === 0
      ? []
      : [{ kind, files: found, key: kind }, ...found.map((file) => ({ kind: null, file, key: file.path }))],
  );
}

function toKind(path: string): ChangedKind {
  if (isScene(path)) return 'scenes';
  if (isPicture(path)) return 'pictures';
  return isSound(path) ? 'sounds' : 'others';
}
