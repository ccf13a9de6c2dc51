import { settingsStore } from '../state/settings-store.ts';
import { showOnStage, stageStore } from '../state/stage/stage-store.ts';

/** Shows the line of the cursor on the stage, if the setting asks for it. The stage debounces the requests. */
export function followCursor(path: string, line: number): void {
  if (!path.startsWith('game/scene/') || !settingsStore.getState().settings.stageFollowsCursor) return;
  // A route that is recorded would end.
  if (stageStore.getState().stage.route?.isRecording) return;
  showOnStage({ path, line, source: 'saved' });
}
