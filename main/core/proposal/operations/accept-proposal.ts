import { AppError } from '../../../../shared/errors.ts';
import type { AcceptResult } from '../../../../shared/model/proposal.ts';
import type { Written } from '../../ports/writer.ts';
import type { Draft, ProposalService } from '../../services.ts';
import { chooseDrafts, toConflictingPaths, toWritePlan } from '../write-plan.ts';
import type { ProposalChecks } from './check-proposal.ts';
import type { ProposalServiceOptions } from './proposal-options.ts';
import type { ProposalSession, ProposalState } from './proposal-state.ts';
import { requireAllowed } from './require-allowed.ts';

/** Number of times an acceptance merges, because a file can change between the check and the write. */
const MAX_ATTEMPTS = 3;

/** How an acceptance writes: the files it may overwrite, its history entry, and what it awaits for each merged draft. */
interface ApplyOptions {
  overwrite: ReadonlySet<string>;
  group: string;
  title: string;
  keepMerged: Parameters<ProposalService['accept']>[2];
}

type ApplyResult = { written: Written[]; merged: Draft[] } | { conflicts: string[] };

/** Creates `accept`, which must not run at the same time as other operations. */
export function createAcceptance(
  state: ProposalState,
  checks: ProposalChecks,
  options: Pick<ProposalServiceOptions, 'reader' | 'writer' | 'emit' | 'closedFolders'>,
): ProposalService['accept'] {
  const { drafts } = state;
  const { writer, emit } = options;

  /** Merges and writes the drafts in one transaction, and again if a file changes in between; or writes nothing. */
  async function apply(
    open: ProposalSession,
    chosen: readonly Draft[],
    { overwrite, group, title, keepMerged }: ApplyOptions,
  ): Promise<ApplyResult> {
    for (let attempt = 1; ; attempt += 1) {
      const { changes, merged, conflicts } = await toWritePlan(drafts, chosen, overwrite);
      if (open.author !== 'user') await requireAllowed(changes, options);
      if (conflicts.length > 0) return { conflicts };
      for (const draft of merged) await keepMerged?.(draft);
      try {
        const origin = open.author === 'user' ? 'writer' : 'agent';
        return { written: await writer.apply(changes, { origin, group, title }), merged };
      } catch (error) {
        const paths = toConflictingPaths(error, chosen);
        if (paths === null) throw error;
        // Changed between the check and the write; it may still merge.
        if (attempt === MAX_ATTEMPTS) return { conflicts: paths };
      }
    }
  }

  async function toConflictResult(conflicts: readonly string[]): Promise<AcceptResult> {
    const named = new Set(conflicts);
    for (const draft of drafts.changed()) {
      if (named.has(draft.path)) await drafts.setStanding(draft, { kind: 'conflict', base: undefined });
    }
    state.announce();
    return { status: 'conflict', conflicts: [...conflicts] };
  }

  /** Removes written drafts, unless the proposal was discarded during the write. */
  async function removeWritten(open: ProposalSession, chosen: readonly Draft[]): Promise<void> {
    if (state.session?.id !== open.id) return;
    for (const draft of chosen) drafts.remove(draft.path);
    if (drafts.changed().length === 0) state.clear();
    else await checks.refreshProblems(open);
    state.announce();
  }

  return async (request, { group, title }, keepMerged) => {
    const open = requireInReview(state.session, request.id);
    const chosen = chooseDrafts(drafts.changed(), request.paths);
    const overwrite = new Set(request.overwrite ?? []);
    const result = await apply(open, chosen, { overwrite, group, title, keepMerged });
    if ('conflicts' in result) return toConflictResult(result.conflicts);
    const files = result.written.map(({ path, version, snapshotId }) => ({ path, version, snapshotId }));
    // Emitted before the reply, because the watcher reports later and the next call must read the new files.
    emit('project.filesChanged', { paths: files.map(({ path }) => path) });
    emit('history.changed', {});
    await removeWritten(open, chosen);
    return { status: 'applied', group, files, merged: result.merged.map(({ path }) => path) };
  };
}

function requireInReview(session: ProposalSession | null, id: string): ProposalSession {
  if (session === null || session.id !== id) {
    throw new AppError('E_NOT_FOUND', 'This proposal is no longer there.', { reason: 'proposal.gone' });
  }
  if (session.state !== 'review') {
    throw new AppError('E_CONFLICT', 'The assistant is still working on this proposal.', {
      hint: 'Wait until it has finished, or stop it.',
      reason: 'proposal.drafting',
    });
  }
  return session;
}
