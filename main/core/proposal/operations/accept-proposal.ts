import { AppError } from '../../../../shared/errors.ts';
import type { AcceptResult } from '../../../../shared/model/proposal.ts';
import type { WriteLabel, Written } from '../../ports/writer.ts';
import type { AcceptJournal, Draft, ProposalService, WrittenPart } from '../../services.ts';
import { type DraftPart, settleParts, toRests } from '../draft-part.ts';
import { chooseDrafts, toConflictingPaths, toWritePlan } from '../write-plan.ts';
import type { ProposalChecks } from './check-proposal.ts';
import { toDraftParts } from './choose-part.ts';
import type { ProposalServiceOptions } from './proposal-options.ts';
import type { ProposalSession, ProposalState } from './proposal-state.ts';
import { requireAllowed } from './require-allowed.ts';

/** Number of times an acceptance merges, because a file can change between the check and the write. */
const MAX_ATTEMPTS = 3;

/** How an acceptance writes: the files it may overwrite, its entry in history and logs, and what it awaits. */
interface ApplyOptions {
  overwrite: ReadonlySet<string>;
  label: Omit<WriteLabel, 'origin'>;
  journal: AcceptJournal | undefined;
}

/** What an acceptance writes: the drafts, and those of which it takes a part, by path. */
interface Chosen {
  drafts: readonly Draft[];
  parts: ReadonlyMap<string, DraftPart>;
}

type ApplyResult = { written: Written[]; merged: Draft[]; parts: WrittenPart[] } | { conflicts: string[] };

/** Creates `accept`, which must not run at the same time as other operations. */
export function createAcceptance(
  state: ProposalState,
  checks: ProposalChecks,
  options: Pick<ProposalServiceOptions, 'reader' | 'writer' | 'emit' | 'closedFolders'>,
): ProposalService['accept'] {
  const { drafts } = state;
  const { reader, writer, emit } = options;

  /** Merges and writes the drafts in one transaction, and again if a file changes in between; or writes nothing. */
  async function apply(
    open: ProposalSession,
    chosen: Chosen,
    { overwrite, label, journal }: ApplyOptions,
  ): Promise<ApplyResult> {
    for (let attempt = 1; ; attempt += 1) {
      const { changes, merged, conflicts } = await toWritePlan(drafts, chosen.drafts, overwrite);
      if (open.author !== 'user') await requireAllowed(changes, options);
      if (conflicts.length > 0) return { conflicts };
      const parts = await settleParts(changes, chosen.parts);
      for (const draft of merged) if (!chosen.parts.has(draft.path)) await journal?.keepMerged(draft);
      for (const part of parts) await journal?.keepPart(part);
      try {
        const origin = open.author === 'user' ? 'writer' : 'agent';
        return { written: await writer.apply(changes, { ...label, origin }), merged, parts };
      } catch (error) {
        const paths = toConflictingPaths(error, chosen.drafts);
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

  /** Removes written drafts and keeps what waits of them, unless the proposal was discarded during the write. */
  async function removeWritten(
    open: ProposalSession,
    chosen: readonly Draft[],
    rests: readonly Draft[],
  ): Promise<void> {
    if (state.session?.id !== open.id) return;
    for (const draft of chosen) drafts.remove(draft.path);
    for (const rest of rests) await drafts.put(rest);
    if (drafts.changed().length === 0) state.clear();
    else {
      await checks.refreshStandings(rests);
      await checks.refreshProblems(open);
    }
    state.announce();
  }

  return async (request, label, journal) => {
    const open = requireInReview(state.session, request.id);
    const whole = chooseDrafts(drafts.changed(), request.paths);
    const parts = toDraftParts(drafts, whole, request.pieces);
    const chosen = { drafts: whole.map((draft) => parts.get(draft.path)?.taken ?? draft), parts };
    const overwrite = new Set(request.overwrite ?? []);
    const { confirmed = [] } = request;
    const result = await apply(open, chosen, { overwrite, label: { ...label, confirmed }, journal });
    if ('conflicts' in result) return toConflictResult(result.conflicts);
    const rests = await toRests(result.parts, parts, reader);
    for (const rest of rests) await journal?.keepRest(rest);
    const files = result.written.map(({ path, version, snapshotId }) => ({ path, version, snapshotId }));
    // Emitted before the reply, because the watcher reports later and the next call must read the new files.
    emit('project.filesChanged', { paths: files.map(({ path }) => path) });
    emit('history.changed', {});
    await removeWritten(open, whole, rests);
    return { status: 'applied', group: label.group, files, merged: result.merged.map(({ path }) => path) };
  };
}

export function requireInReview(session: ProposalSession | null, id: string): ProposalSession {
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
