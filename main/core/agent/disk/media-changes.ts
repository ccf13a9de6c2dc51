import type { DiskChangeGroup, MediaChange } from '../../../../shared/model/message/disk-change.ts';

/** Changes that a conversation was not told yet, by path. */
export type MediaChanges = ReadonlyMap<string, MediaChange['kind']>;

/** Names in a group. */
const MAX_NAMES = 20;
const KINDS = ['created', 'changed', 'deleted'] as const;

/** Returns changes and those that followed as one: a file that came and went again did not change. */
export function joinMediaChanges(before: MediaChanges, later: readonly MediaChange[]): MediaChanges {
  const joined = new Map(before);
  for (const { path, kind } of later) {
    const known = joined.get(path);
    if (known === 'created' && kind === 'deleted') joined.delete(path);
    else if (known === 'created') joined.set(path, 'created');
    else joined.set(path, known === 'deleted' && kind === 'created' ? 'changed' : kind);
  }
  return joined;
}

/** Returns what is told of changes: a group for each kind, however many files. `except`: files that are told of as texts. */
export function toMediaGroups(changes: MediaChanges, except: ReadonlySet<string>): DiskChangeGroup[] {
  return KINDS.flatMap((kind) => {
    const paths = [...changes].filter(([path, each]) => each === kind && !except.has(path)).map(([path]) => path);
    if (paths.length === 0) return [];
    return [{ kind, by: 'restore' as const, count: paths.length, paths: paths.slice(0, MAX_NAMES), isMedia: true }];
  });
}
