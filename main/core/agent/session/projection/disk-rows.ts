import type { RowOf } from './chat-rows.ts';
import type { Reducers } from './projection-state.ts';

export const DISK_REDUCERS: Reducers<'disk'> = {
  disk({ rows, accepted }, { id, turn = id, at, groups, undone }) {
    for (const card of undone.length > 0 ? accepted : []) {
      const gone = toGone(card, undone);
      if (gone.join('\n') === (card.undone ?? []).join('\n')) continue;
      if (gone.length > 0) card.undone = gone;
      else delete card.undone;
      rows.touch(card);
    }
    if (groups.length > 0) rows.add({ kind: 'disk', id, turn, at, groups });
  },
};

/** Returns the files of a card whose accepted change is gone now. */
function toGone(
  { group = '', files, undone = [] }: RowOf<'review'>,
  changes: readonly { path: string; changes: readonly string[] }[],
): string[] {
  const gone = new Set(undone);
  for (const { path, changes: names } of changes) {
    if (names.includes(group)) gone.add(path);
    else gone.delete(path);
  }
  return files.map(({ path }) => path).filter((path) => gone.has(path));
}
