import { settingsStore } from '../state/settings-store.ts';
import { showOnStage, stageStore } from '../state/stage/stage-store.ts';

/**
 * Shows the line of the cursor on the stage, if the setting asks for it. The stage debounces the requests. `isMoved`: the cursor is in
 * the same line, which a change above it moved; that leads the stage to no other scene.
 */
export function followCursor(path: string, line: number, isMoved: boolean): void {
  if (!path.startsWith('game/scene/') || !settingsStore.getState().settings.stageFollowsCursor) return;
  const { route, place } = stageStore.getState().stage;
  // A route that is recorded would end.
  if (route?.isRecording) return;
  if (!isMoved) showOnStage({ path, line, source: 'saved' });
  else if (place?.path === path) showOnStage({ ...place, line, isMoved });
}
