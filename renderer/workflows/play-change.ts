import type { ProposedFile } from '../../shared/model/proposal.ts';
import { toComposedLine } from '../../shared/text/pieces.ts';
import { api } from '../api.ts';
import { setStageOpen } from '../state/navigation.ts';
import { notifyError } from '../state/notify.ts';
import { isScene } from '../state/project/file-kinds.ts';
import { toPart, toPieceChoice } from '../state/review/piece-choices.ts';
import { toPlayLine } from '../state/review/review-reducer.ts';
import { reviewStore } from '../state/review/review-store.ts';
import { showOnStage } from '../state/stage/stage-store.ts';
import { stopsPlayer } from '../ui/story/story-beats.ts';

/** Lets the stage play the ticked part of the proposal over the disk; while it is drafted, all of it. */
export async function playTickedPart(): Promise<void> {
  const state = reviewStore.getState();
  if (state.proposal?.state === 'review') await api.call('proposal.choose', toPart(state, state.proposal));
}

/** Plays the ticked part of the proposal on the stage from a change. Does not write to disk. */
export function playChange({ path }: Pick<ProposedFile, 'path'>, hunk: number): void {
  const state = reviewStore.getState();
  const file = state.proposal?.files.find((each) => each.path === path);
  const change = file?.hunks[hunk];
  if (!file || file.after === null || !change) return;
  const choice = toPieceChoice(state, file);
  const linesNew = choice.taken.has(hunk) ? (choice.edited?.get(hunk) ?? change.linesNew) : [];
  const line = toPlayLine({ startNew: toComposedLine(file, choice, hunk), linesNew }, stopsPlayer);
  setStageOpen(true);
  playTickedPart().then(() => showOnStage({ path, line, source: 'proposal' }), notifyError);
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
