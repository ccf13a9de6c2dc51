import { settingsStore } from '../state/settings-store.ts';
import { showOnStage, stageStore } from '../state/stage/stage-store.ts';

/**
 * Shows the line of the cursor on the stage, if the setting asks for it. The stage debounces the requests. `movedFrom`: where the
 * cursor's line was before a change above it; the stage follows if it was sent to that line, and to no other scene.
 */
export function followCursor(path: string, line: number, movedFrom: number | null): void {
  if (!path.startsWith('game/scene/') || !settingsStore.getState().settings.stageFollowsCursor) return;
  const { route, place } = stageStore.getState().stage;
  // A route that is recorded would end.
  if (route?.isRecording) return;
  if (movedFrom === null) showOnStage({ path, line, source: 'saved' });
  else if (place?.path === path && place.line === movedFrom) showOnStage({ ...place, line, isMoved: true });
}
