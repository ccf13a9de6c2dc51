import { settingsStore } from '../state/settings-store.ts';
import { showOnStage } from '../state/stage/stage-store.ts';

/** Debounce between a cursor move and the stage showing that line. */
const FOLLOW_DELAY_MS = 160;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the line of the cursor on the stage, if the setting asks for it. */
export function followCursor(path: string, line: number): void {
  clearTimeout(timer);
  if (!path.startsWith('game/scene/') || !settingsStore.getState().settings.stageFollowsCursor) return;
  timer = setTimeout(() => showOnStage({ path, line, source: 'saved' }), FOLLOW_DELAY_MS);
}
