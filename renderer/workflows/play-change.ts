import type { ProposedFile } from '../../shared/model/proposal.ts';
import { setStageOpen } from '../state/navigation.ts';
import { isScene } from '../state/project/file-kinds.ts';
import { toPlayLine } from '../state/review/review-reducer.ts';
import { reviewStore } from '../state/review/review-store.ts';
import { stopsPlayer } from '../state/review/story-beats.ts';
import { showOnStage } from '../state/stage/stage-store.ts';

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
