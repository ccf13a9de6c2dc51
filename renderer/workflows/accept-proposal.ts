import type { Input } from '../../shared/contract.ts';
import type { ProposedFile } from '../../shared/model/proposal.ts';
import { api } from '../api.ts';
import { i18n } from '../i18n/setup.ts';
import { flushSaves } from '../state/documents/editor-store.ts';
import { setStageOpen, showView } from '../state/navigation.ts';
import { clearNotices, notify, notifyError } from '../state/notify.ts';
import { isClash, setClashed, toAcceptOffer, toAcceptRequest, toPlayLine } from '../state/review/review-reducer.ts';
import { changeReview, reviewStore } from '../state/review/review-store.ts';
import { stopsPlayer } from '../state/review/story-beats.ts';
import { showOnStage } from '../state/stage/stage-store.ts';
import { addChange, undoChange } from './file-changes.ts';
import { sendMessage } from './send-message.ts';

/**
 * Accepts the selected files of the proposal. Saves unsaved documents first, so that a file changed by both is detected as a
 * conflict instead of being overwritten.
 */
async function acceptProposal(options: { overwrite?: string[]; leaveOut?: string[] } = {}): Promise<void> {
  const { proposal, busy } = reviewStore.getState();
  if (busy || proposal?.state !== 'review') return;
  const request = toAcceptRequest(reviewStore.getState(), options);
  if (!request) return;
  reviewStore.setState({ busy: 'accept' });
  try {
    await flushSaves();
    await accept(request);
  } catch (error) {
    notifyError(error);
  } finally {
    reviewStore.setState({ busy: null });
  }
}

/** Accepts the selected files except those with a conflict, for which the user must select a version first. */
export async function acceptWanted(): Promise<void> {
  const state = reviewStore.getState();
  const { kind } = toAcceptOffer(state);
  if (kind === 'all' || kind === 'some' || kind === 'others') await acceptProposal({ leaveOut: clashingPaths() });
}

/** Overwrites a conflicting file with the proposed text; the history keeps the current one. Other conflicts stay open. */
export function acceptOver(path: string): Promise<void> {
  return acceptProposal({ overwrite: [path], leaveOut: clashingPaths().filter((other) => other !== path) });
}

function clashingPaths(): string[] {
  const state = reviewStore.getState();
  return (state.proposal?.files ?? []).filter((file) => isClash(state, file)).map(({ path }) => path);
}

async function accept(request: Input<'proposal.accept'>): Promise<void> {
  const { proposal } = reviewStore.getState();
  const result = await api.call('proposal.accept', request);
  if (result.status === 'clash') {
    changeReview((state) => setClashed(state, result.clashes));
    showView('review');
    notify({ level: 'warning', text: i18n.t('review:done.clash', { count: result.clashes.length }) });
    return;
  }
  const change = await addChange({
    title: proposal?.isByUser ? proposal.summary : i18n.t('editor:undo.proposal'),
    files: result.files,
    moves: toMoves(proposal?.files ?? [], new Set(result.files.map(({ path }) => path))),
  });
  const count = result.files.length;
  const done = proposal?.isByUser
    ? i18n.t('editor:changedFiles', { title: proposal.summary, count })
    : i18n.t('review:done.accepted', { count });
  const { length: merged } = result.merged;
  // Undo actions of earlier notifications would also revert this change.
  clearNotices();
  notify({
    level: 'success',
    text: merged > 0 ? `${done} ${i18n.t('review:done.merged', { count: merged })}` : done,
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
    if (feedback.trim()) await flushSaves();
    await api.call('proposal.reject', { id: proposal.id, feedback: feedback.trim() });
    reviewStore.setState({ isSendingBack: false });
    const done = proposal.isByUser ? 'review:done.dropped' : 'review:done.rejected';
    if (!feedback.trim()) notify({ level: 'info', text: i18n.t(done) });
  } catch (error) {
    notifyError(error);
  } finally {
    reviewStore.setState({ busy: null });
  }
}

/** Requests the same change again, based on the current text of the conflicting files. */
export function askToRedo(): Promise<void> {
  const files = clashingPaths().join(i18n.t('common:listSeparator'));
  return rejectProposal(i18n.t('review:clash.redoText', { files }));
}

/** Requests that the assistant fixes the problems in the same proposal. */
export async function askToFix(): Promise<boolean> {
  const problems = reviewStore.getState().proposal?.newProblems ?? [];
  const list = problems.map(({ path, line, message }) => `- ${path}:${line} ${message}`);
  return sendMessage([i18n.t('review:problems.fixText'), ...list].join('\n'), { mode: 'act', withContext: false });
}

/** Plays the proposed text on the stage from a change. Does not write to disk. */
export function playChange(file: ProposedFile, hunk: number): void {
  const change = file.hunks[hunk];
  if (file.after === null || !change) return;
  setStageOpen(true);
  showOnStage({ path: file.path, line: toPlayLine(change, stopsPlayer), source: 'proposal' });
}

/** Plays the current change, or the first playable one. */
export function playProposal(): void {
  const { proposal, path, hunk } = reviewStore.getState();
  const files = proposal?.files ?? [];
  const isPlayable = (file: ProposedFile) => isScene(file.path) && file.after !== null && file.hunks.length > 0;
  const shown = files.find((file) => file.path === path && isPlayable(file));
  const file = shown ?? files.find(isPlayable);
  if (file) playChange(file, file === shown ? hunk : 0);
}

/** Leaves the review; the proposal stays open. */
export function leaveReview(): void {
  showView('write');
}

/** True for a scene file, the only kind with a story view that the stage can play. */
export function isScene(path: string): boolean {
  return /^game\/scene\/.+\.txt$/i.test(path);
}
