import { settingsStore } from '../state/settings-store.ts';
import { showOnStage, stageStore } from '../state/stage/stage-store.ts';

/** A scene that is opened shows its old cursor before the cursor comes to the line, in milliseconds at most. */
const COMES_WITHIN_MS = 3000;

let expected: { path: string; line: number; until: number } | null = null;

/** The stage does not follow the cursor to `place`, which it shows already, nor on the way there. */
export function ignoreCursorUntil(place: { path: string; line: number }): void {
  expected = { ...place, until: Date.now() + COMES_WITHIN_MS };
}

/**
 * Shows the line of the cursor on the stage, if the setting asks for it. The stage debounces the requests. `movedFrom`: where the
 * cursor's line was before a change above it; the stage follows if it was sent to that line, and to no other scene.
 */
export function followCursor(path: string, line: number, movedFrom: number | null): void {
  if (isOnTheWay(path, line)) return;
  if (!path.startsWith('game/scene/') || !settingsStore.getState().settings.stageFollowsCursor) return;
  const { route, place } = stageStore.getState().stage;
  // A route that is recorded would end.
  if (route?.isRecording) return;
  if (movedFrom === null) showOnStage({ path, line, source: 'saved' });
  else if (place?.path === path && place.line === movedFrom) showOnStage({ ...place, line, isMoved: true });
}

function isOnTheWay(path: string, line: number): boolean {
  if (expected === null) return false;
  const isWay = expected.path === path && Date.now() < expected.until;
  if (!isWay || expected.line === line) expected = null;
  return isWay;
}
