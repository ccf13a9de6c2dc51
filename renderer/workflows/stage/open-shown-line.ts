import type { StageState } from '../../../shared/model/stage.ts';
import { editorStore, openFile } from '../../state/documents/editor-store.ts';
import { stageStore } from '../../state/stage/stage-store.ts';
import { ignoreCursorUntil } from '../follow-cursor.ts';

/** The line that the story has come to since it was played on from the requested one, or from the title; null before. */
export function toPlayedPlace({ status, place, shown, hasMovedOn }: StageState): { path: string; line: number } | null {
  if (status !== 'ready' || shown === null || shown.line < 1 || !shown.scene.startsWith('game/scene/')) return null;
  return hasMovedOn || place === null ? { path: shown.scene, line: shown.line } : null;
}

/** Opens the line that the running story shows. The story stays where it is, with the choices that were made. */
export function openShownLine(): void {
  const shown = toPlayedPlace(stageStore.getState().stage);
  if (shown === null) return;
  const { active, cursor } = editorStore.getState();
  if (active !== shown.path || cursor?.line !== shown.line) ignoreCursorUntil(shown);
  void openFile(shown.path, { line: shown.line });
}
