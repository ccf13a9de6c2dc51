import type { Reducers } from './projection-state.ts';

export const REVIEW_REDUCERS: Reducers<'proposal.open' | 'proposal.empty' | 'decision'> = {
  'proposal.open'(state, { turn, at, proposal, files }) {
    state.reviews += 1;
    const id = `${turn}:review:${state.reviews}`;
    state.review = { kind: 'review', id, turn, at, proposal, state: 'pending', files };
    state.rows.add(state.review);
  },

  'proposal.empty'({ rows, review }) {
    if (review?.state === 'pending') review.state = 'replaced';
    rows.touch(review);
  },

  decision({ rows, review, accepted }, event) {
    if (!review || event.outcome === 'kept') return;
    review.state = event.outcome;
    rows.touch(review);
    if (event.feedback) review.feedback = event.feedback;
    if (event.outcome !== 'accepted') return;
    accepted.push(review);
    if (event.group !== undefined) review.group = event.group;
  },
};
