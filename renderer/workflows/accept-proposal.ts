import { z } from 'zod';
import type { Input } from '../../shared/contract.ts';
import { AppError } from '../../shared/errors.ts';
import { toIssueParts } from '../../shared/model/plan/patch.ts';
import type { ProposedFile } from '../../shared/model/proposal.ts';
import { toSpelled } from '../../shared/text/spelled-text.ts';
import { api } from '../api.ts';
import { i18n } from '../i18n/setup.ts';
import { flushSaves } from '../state/documents/editor-store.ts';
import { showView } from '../state/navigation.ts';
import { clearNotices, notify, notifyError } from '../state/notify.ts';
import {
  type AcceptedPart,
  type Confirmation,
  toConfirmation,
  withConfirmation,
} from '../state/review/confirmation.ts';
import { findStoppingDependencies } from '../state/review/part-check.ts';
import { isConflicting, setConflicted, toAcceptOffer, toAcceptRequest } from '../state/review/review-reducer.ts';
import { changeReview, reviewStore } from '../state/review/review-store.ts';
import { addChange, undoChange } from './changes/file-changes.ts';
import { sendWithContext } from './send-message.ts';

interface AcceptOptions {
  overwrite?: string[];
  leaveOut?: string[];
  confirmation?: Confirmation;
}

const Blocked = z.object({ paths: z.array(z.string()), issues: z.array(z.string()) });

/**
 * Accepts the selected files of the proposal. Saves unsaved documents first, so that a file changed by both is detected as a
 * conflict instead of being overwritten.
 */
async function acceptProposal(options: AcceptOptions = {}): Promise<void> {
  const { proposal, busy } = reviewStore.getState();
  if (busy || proposal?.state !== 'review') return;
  reviewStore.setState({ busy: 'accept' });
  let part: AcceptedPart | null = null;
  try {
    await flushSaves();
    // Read after the saves, with which the proposal may have been merged: the choice must name its present version.
    const state = reviewStore.getState();
    const asked = toAcceptRequest(state, options);
    if (!asked) return;
    part = withConfirmation({ request: asked, files: state.proposal?.files ?? [] }, options.confirmation);
    const { request } = part;
    if (request.paths ?? request.pieces) {
      const needed = await findStoppingDependencies();
      if (needed.length > 0) {
        showView('review');
        notify({ level: 'warning', text: i18n.t('review:needs.notWritten') });
        return;
      }
    }
    await accept(request);
  } catch (error) {
    if (!part || !offerToConfirm(error, part, options)) notifyError(error);
  } finally {
    reviewStore.setState({ busy: null });
  }
}

/** Asks for the user's word when a change of a plan needs it. Returns false for any other error. */
function offerToConfirm(error: unknown, part: AcceptedPart, options: AcceptOptions): boolean {
  if (!(error instanceof AppError) || error.reason !== 'patch.blocked') return false;
  const { paths, issues } = Blocked.safeParse(error.details).data ?? { paths: [], issues: [] };
  const confirmation = toConfirmation(part, paths);
  notify({
    level: 'warning',
    text: i18n.t('review:blocked.text', { issues: issues.map(toIssueText).join(i18n.t('common:listSeparator')) }),
    action: { label: i18n.t('review:blocked.accept'), run: () => void acceptProposal({ ...options, confirmation }) },
  });
  return true;
}

function toIssueText(issue: string): string {
  const parts = toIssueParts(issue);
  return parts ? i18n.t(`chat:plan.issue.${parts.code}`, { subject: toSpelled(parts.subject) }) : toSpelled(issue);
}

/** Accepts the selected files except those with a conflict, for which the user must select a version first. */
export async function acceptWanted(): Promise<void> {
  const state = reviewStore.getState();
  const { kind } = toAcceptOffer(state);
  if (kind === 'all' || kind === 'some' || kind === 'pieces' || kind === 'others')
    await acceptProposal({ leaveOut: conflictingPaths() });
}

/** Overwrites a conflicting file with the proposed text; the history keeps the current one. Other conflicts stay open. */
export function acceptOver(path: string): Promise<void> {
  return acceptProposal({ overwrite: [path], leaveOut: conflictingPaths().filter((other) => other !== path) });
}

function conflictingPaths(): string[] {
  const state = reviewStore.getState();
  return (state.proposal?.files ?? []).filter((file) => isConflicting(state, file)).map(({ path }) => path);
}

async function accept(request: Input<'proposal.accept'>): Promise<void> {
  const { proposal } = reviewStore.getState();
  const result = await api.call('proposal.accept', request);
  if (result.status === 'conflict') {
    changeReview((state) => setConflicted(state, result.conflicts));
    showView('review');
    notify({ level: 'warning', text: i18n.t('review:done.conflict', { count: result.conflicts.length }) });
    return;
  }
  const change = await addChange({
    title: proposal?.author === 'user' ? proposal.summary : i18n.t('editor:undo.proposal'),
    files: result.files,
    moves: toMoves(proposal?.files ?? [], new Set(result.files.map(({ path }) => path))),
  });
  const count = result.files.length;
  const done =
    proposal?.author === 'user'
      ? i18n.t('editor:changedFiles', { title: proposal.summary, count })
      : i18n.t('review:done.accepted', { count });
  const { length: merged } = result.merged;
  // Undo actions of earlier notifications would also revert this change.
  clearNotices();
  notify({
    level: 'success',
    text:
      merged > 0 ? i18n.t('review:done.both', { done, merged: i18n.t('review:done.merged', { count: merged }) }) : done,
    ...(count > 0 && { action: { label: i18n.t('common:undo'), run: () => void undoChange(change) } }),
  });
}

/** Returns the renamed files. */
function toMoves(files: readonly ProposedFile[], written: ReadonlySet<string>): { path: string; from: string }[] {
  return files.flatMap(({ path, from }) =>
    from !== undefined && written.has(path) && written.has(from) ? [{ path, from }] : [],
  );
}

/** Rejects the proposal; with feedback, the assistant starts a new draft. */
export async function rejectProposal(feedback: string): Promise<void> {
  const { proposal, busy } = reviewStore.getState();
  if (busy || !proposal) return;
  reviewStore.setState({ busy: 'reject' });
  try {
    const rejected = { id: proposal.id, feedback: feedback.trim() };
    if (rejected.feedback === '') await api.call('proposal.reject', rejected);
    else {
      await flushSaves();
      await sendWithContext((context) => api.call('proposal.reject', { ...rejected, ...context }));
    }
    reviewStore.setState({ isSendingBack: false });
    const done = proposal.author === 'user' ? 'review:done.dropped' : 'review:done.rejected';
    if (rejected.feedback === '') notify({ level: 'info', text: i18n.t(done) });
  } catch (error) {
    notifyError(error);
  } finally {
    reviewStore.setState({ busy: null });
  }
}

/** Requests the same change again, based on the current text of the conflicting files. */
export function askToRedo(): Promise<void> {
  const files = conflictingPaths().join(i18n.t('common:listSeparator'));
  return rejectProposal(i18n.t('review:conflict.redoText', { files }));
}
