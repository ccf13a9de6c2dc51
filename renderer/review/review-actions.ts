import type { Input } from '../../shared/contract.ts';
import type { ProposedFile } from '../../shared/model/proposal.ts';
import { api } from '../api.ts';
import { sendMessage } from '../chat/chat-actions.ts';
import { flushSaves } from '../editor/editor-store.ts';
import { addChange, undoChange } from '../editor/file-changes.ts';
import { i18n } from '../i18n/setup.ts';
import { setStageOpen, showView } from '../shell/shell-store.ts';
import { showOnStage } from '../stage/stage-store.ts';
import { clearNotices, notify, notifyError } from '../ui/notify.ts';
import { isClash, setClashed, toAcceptOffer, toAcceptRequest, toPlayLine } from './review-reducer.ts';
import { changeReview, reviewStore } from './review-store.ts';
import { stopsPlayer } from './story-beats.ts';

/**
 * Writes what she wants of the proposal. Her unsaved text goes to disk first, so that a file both changed is found to
 * clash instead of being lost by whoever writes last.
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

/** What the accept button does: everything she wants, without the files of which she has to choose a text first. */
export async function acceptWanted(): Promise<void> {
  const state = reviewStore.getState();
  const { kind } = toAcceptOffer(state);
  if (kind === 'all' || kind === 'some' || kind === 'others') await acceptProposal({ leaveOut: clashingPaths() });
}

/** Takes the proposal’s text of a file that changed meanwhile; hers is kept in the history. Other such files wait. */
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
    title: proposal?.isHers ? proposal.summary : i18n.t('editor:undo.proposal'),
    files: result.files,
    moves: toMoves(proposal?.files ?? [], new Set(result.files.map(({ path }) => path))),
  });
  const count = result.files.length;
  const done = proposal?.isHers
    ? i18n.t('editor:changedFiles', { title: proposal.summary, count })
    : i18n.t('review:done.accepted', { count });
  const { length: merged } = result.merged;
  // Undo of an earlier change would put back texts from before this one.
  clearNotices();
  notify({
    level: 'success',
    text: merged > 0 ? `${done} ${i18n.t('review:done.merged', { count: merged })}` : done,
    ...(count > 0 && { action: { label: i18n.t('common:undo'), run: () => void undoChange(change) } }),
  });
}

/** The files that are written under another name and gone under the old one. */
function toMoves(files: readonly ProposedFile[], written: ReadonlySet<string>): { path: string; from: string }[] {
  return files.flatMap(({ path, from }) =>
    from !== undefined && written.has(path) && written.has(from) ? [{ path, from }] : [],
  );
}

/** Throws the proposal away; with a word, the assistant begins anew from it. */
export async function rejectProposal(feedback: string): Promise<void> {
  const { proposal, busy } = reviewStore.getState();
  if (busy || !proposal) return;
  reviewStore.setState({ busy: 'reject' });
  try {
    if (feedback.trim()) await flushSaves();
    await api.call('proposal.reject', { id: proposal.id, feedback: feedback.trim() });
    reviewStore.setState({ isSendingBack: false });
    const done = proposal.isHers ? 'review:done.dropped' : 'review:done.rejected';
    if (!feedback.trim()) notify({ level: 'info', text: i18n.t(done) });
  } catch (error) {
    notifyError(error);
  } finally {
    reviewStore.setState({ busy: null });
  }
}

/** Asks for the same change on her text as it is now, for the files both changed. */
export function askToRedo(): Promise<void> {
  const files = clashingPaths().join(i18n.t('common:listSeparator'));
  return rejectProposal(i18n.t('review:clash.redoText', { files }));
}

/** Asks the assistant to mend what the proposal would break; it goes on with the same proposal. */
export async function askToFix(): Promise<boolean> {
  const problems = reviewStore.getState().proposal?.newProblems ?? [];
  const list = problems.map(({ path, line, message }) => `- ${path}:${line} ${message}`);
  return sendMessage([i18n.t('review:problems.fixText'), ...list].join('\n'), { mode: 'act', withContext: false });
}

/** Plays the proposed text on the stage from a change of a file; the disk stays as it is. */
export function playChange(file: ProposedFile, hunk: number): void {
  const change = file.hunks[hunk];
  if (file.after === null || !change) return;
  setStageOpen(true);
  showOnStage({ path: file.path, line: toPlayLine(change, stopsPlayer), source: 'proposal' });
}

/** Plays the change she stands at, or the first one that can be played. */
export function playProposal(): void {
  const { proposal, path, hunk } = reviewStore.getState();
  const files = proposal?.files ?? [];
  const isPlayable = (file: ProposedFile) => isScene(file.path) && file.after !== null && file.hunks.length > 0;
  const shown = files.find((file) => file.path === path && isPlayable(file));
  const file = shown ?? files.find(isPlayable);
  if (file) playChange(file, file === shown ? hunk : 0);
}

/** Leaves the review; the proposal stays and waits. */
export function leaveReview(): void {
  showView('write');
}

/** True for a scene, the only kind of file that has a story to tell and a stage to play on. */
export function isScene(path: string): boolean {
  return /^game\/scene\/.+\.txt$/i.test(path);
}
