import type { Reducers } from './projection-state.ts';

export const SUMMARY_REDUCERS: Reducers<'compaction' | 'compaction.undone'> = {
  compaction({ rows }, { id, turn, at, summary }) {
    rows.add({ kind: 'summary', id, turn, at, text: summary, state: 'used' });
  },

  'compaction.undone'({ rows }, { id }) {
    const place = rows.placeOf(id);
    // A later summary contains the earlier one.
    for (const item of place === undefined ? [] : rows.items.slice(place)) {
      if (item.kind !== 'summary') continue;
      item.state = 'undone';
      rows.touch(item);
    }
  },
};
