import { createSerialQueue } from '../../../shared/async.ts';
import type { ProposalService } from '../services.ts';
import { createAcceptance, requireInReview } from './operations/accept-proposal.ts';
import { createProposalChecks } from './operations/check-proposal.ts';
import { isCurrent, toPlayedPart } from './operations/choose-part.ts';
import { createDraftWriter } from './operations/draft-changes.ts';
import { createReviewKeeper } from './operations/keep-review.ts';
import { createReviews } from './operations/open-review.ts';
import type { ProposalServiceOptions } from './operations/proposal-options.ts';
import { createProposalState, toSession, toStepLabel } from './operations/proposal-state.ts';
import { createStepWriter } from './operations/write-step.ts';

/**
 * Stores the assistant's changes as drafts until the user accepts them. All operations that change them run in a queue,
 * so that no draft is added between the check and the write of an acceptance.
 */
export function createProposalService(options: ProposalServiceOptions): ProposalService {
  const queue = createSerialQueue();
  const state = createProposalState(options);
  const { drafts } = state;
  const checks = createProposalChecks(state, queue, options);
  const writer = createDraftWriter(state);
  const reviews = createReviews(state, checks, options);
  const accept = createAcceptance(state, checks, options);
  const writeStep = createStepWriter(state, options);
  const keeper = createReviewKeeper(state, options);

  return {
    reader: drafts.reader,
    writer: {
      write: (change) => queue.run(() => writer.write(change)),
      writeAll: (changes) => queue.run(() => writer.writeAll(changes)),
    },
    texts: drafts.texts,
    played() {
      if (state.played !== null && !isCurrent(state.played, drafts)) state.played = null;
      return state.played?.texts ?? drafts.texts();
    },
    choose: (part) =>
      queue.run(() => {
        requireInReview(state.session, part.id);
        state.played = toPlayedPart(drafts, part);
        // Listeners follow the texts; the proposal itself is the same, so that nothing is published.
        state.announce();
      }),
    current: state.current,
    begin(turn, record) {
      // The assistant's previews show its own drafts.
      state.played = null;
      state.session =
        state.session === null
          ? { ...toSession(options.clock.id(), turn, 'drafting'), record }
          : { ...state.session, turn, state: 'drafting', newProblems: [], record, step: null };
      if (drafts.size > 0) state.announce();
    },
    setStep(step) {
      const { session } = state;
      if (session?.state !== 'drafting') return;
      session.step = step?.id ?? null;
      if (step) session.steps = new Map(session.steps).set(step.id, toStepLabel(step));
    },
    writeStep: (step, write) => queue.run(() => writeStep(step, write)),
    propose: (title, made) =>
      queue.run(async () => {
        await reviews.propose(title, made);
        await keeper.keep();
      }),
    finish: (summary) => queue.run(() => reviews.finish(summary)),
    accept: (request, label, journal) =>
      queue.run(async () => {
        const result = await accept(request, label, journal);
        if (result.status === 'applied') await keeper.keep();
        return result;
      }),
    recheck: (paths) => queue.run(() => checks.recheck(paths)),
    async discard() {
      const hadSession = state.session !== null;
      state.clear();
      if (hadSession) state.announce();
      await keeper.keep();
    },
    restore: (proposal) => queue.run(() => reviews.restore(proposal)),
    restoreOwn: () =>
      queue.run(async () => {
        if (state.session !== null) return;
        const change = await keeper.read();
        if (change) await reviews.propose(change.title, change.drafts);
        else await keeper.keep();
      }),
    on: state.on,
  };
}
