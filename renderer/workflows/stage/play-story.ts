import type { StageFailure, StageSource } from '../../../shared/model/stage.ts';
import { findNextChoice } from '../../../shared/script/story/next-choice.ts';
import { api } from '../../api.ts';
import { editorStore, openText } from '../../state/documents/editor-store.ts';
import { setStageOpen } from '../../state/navigation.ts';
import { isScene } from '../../state/project/file-kinds.ts';
import { showOnStage, stageStore } from '../../state/stage/stage-store.ts';

const ENTRY_SCENE = 'game/scene/start.txt';

const toSource = (): StageSource => stageStore.getState().stage.place?.source ?? 'saved';

function play(path: string, line: number): void {
  setStageOpen(true);
  showOnStage({ path, line, source: toSource() });
}

/** Plays the game from its first line. */
export function playFromStart(): void {
  play(ENTRY_SCENE, 1);
}

/** Plays the scene in the editor from its first line; the one on the stage if the editor shows none. */
export function playScene(): void {
  const { active } = editorStore.getState();
  const path = active !== null && isScene(active) ? active : stageStore.getState().stage.place?.path;
  if (path !== undefined) play(path, 1);
}

/** Plays from the line of the cursor. */
export function playFromCursor(): void {
  const { active, cursor } = editorStore.getState();
  if (active !== null && isScene(active) && cursor) play(active, cursor.line);
}

/** Returns to the line from which the stage played last. */
export function playAgain(): void {
  const { place } = stageStore.getState().stage;
  if (place) play(place.path, place.line);
}

/** Where no story runs that could be played on. */
const NOT_RUNNING: ReadonlySet<StageFailure> = new Set(['closed', 'not-ready', 'no-answer', 'title']);

/**
 * Plays the running story on to its next choice; without one, shows the next choice after the line on the stage, on the way that the
 * story takes in any case. Resolves to why the story is at none; null if it is.
 */
export async function skipToChoice(): Promise<StageFailure | null> {
  setStageOpen(true);
  const { failure } = await api.call('stage.skip', {});
  if (failure === null || !NOT_RUNNING.has(failure)) return failure;
  const { place, shown } = stageStore.getState().stage;
  if (!place) return 'no-choice';
  const from = shown !== null && isScene(shown.scene) ? { path: shown.scene, line: shown.line } : place;
  const found = await findNextChoice(from, readText);
  if (found === null) return 'no-choice';
  play(found.path, found.line);
  return null;
}

async function readText(path: string): Promise<string> {
  return openText(path) ?? (await api.call('script.read', { path })).text;
}
