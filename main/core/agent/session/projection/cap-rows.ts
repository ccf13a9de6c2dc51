import type { ProjectionState, Reducers } from './projection-state.ts';

export const CAP_REDUCERS: Reducers<'cap.ask' | 'cap.answer'> = {
  'cap.ask'(state, { id, turn, at, scope, cap, spent, next }) {
    state.cap = { kind: 'cap', id, turn, at, scope, cap, spent, next, state: 'pending' };
    state.rows.add(state.cap);
  },

  'cap.answer'(state, { id, answer }) {
    if (state.cap?.id !== id) return;
    state.cap.state = answer;
    state.rows.touch(state.cap);
    state.cap = undefined;
  },
};

/** Closes the question about a cap of a turn that has ended. */
export function endCap(state: ProjectionState): void {
  if (!state.cap) return;
  state.cap.state = 'ended';
  state.rows.touch(state.cap);
  state.cap = undefined;
}
