import { AppError } from '../../../../shared/errors.ts';
import { toBusyError } from '../../busy-error.ts';
import type { ProposalService } from '../../services.ts';
import type { ProposalChecks } from './check-proposal.ts';
import type { ProposalServiceOptions } from './proposal-options.ts';
import { type ProposalSession, type ProposalState, toSession, toStepLabel } from './proposal-state.ts';
import { requireAllowed } from './require-allowed.ts';

/** The operations after which a proposal is in review. They must not run at the same time as other operations. */
export function createReviews(
  state: ProposalState,
  checks: ProposalChecks,
  options: Pick<ProposalServiceOptions, 'reader' | 'clock' | 'closedFolders'>,
): Pick<ProposalService, 'finish' | 'propose' | 'restore'> {
  const { drafts } = state;

  /** Checks a proposal that starts in review; clears it if it changes nothing. */
  async function settle(open: ProposalSession): Promise<void> {
    if (drafts.changed().length === 0) state.clear();
    else {
      await checks.refreshStandings(drafts.changed());
      await checks.refreshProblems(open);
    }
    state.announce();
  }

  return {
    async finish(summary) {
      const open = state.session;
      if (open === null) return null;
      if (drafts.changed().length === 0) {
        const hadDrafts = drafts.size > 0;
        state.clear();
        if (hadDrafts) state.announce();
        return null;
      }
      await checks.refreshStandings(drafts.changed());
      await checks.refreshProblems(open);
      Object.assign(open, { summary, state: 'review', record: null, step: null });
      state.announce();
      return state.current();
    },
    async propose(title, made) {
      if (state.session?.state === 'drafting') throw toBusyError();
      if (state.session !== null) {
        throw new AppError('E_CONFLICT', 'Another proposal is in review.', {
          reason: 'proposal.waits',
        });
      }
      const open: ProposalSession = {
        ...toSession(options.clock.id(), '', 'review'),
        author: 'user',
        summary: title,
      };
      state.session = open;
      try {
        for (const draft of made) await drafts.put(draft);
        await settle(open);
      } catch (error) {
        // A partial proposal would block all others, and no page would show it to discard it.
        state.clear();
        state.announce();
        throw error;
      }
    },
    async restore({ id, turn, summary, drafts: kept, steps = [] }) {
      state.clear();
      await requireAllowed(kept, options);
      const open: ProposalSession = {
        ...toSession(id, turn, 'review'),
        summary,
        steps: new Map(steps.map((step) => [step.id, toStepLabel(step)])),
      };
      state.session = open;
      for (const draft of kept) await drafts.put(await drafts.trust(draft));
      await settle(open);
    },
  };
}
