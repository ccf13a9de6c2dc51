import type { StageBack } from '../../../../shared/model/stage/stage-orders.ts';
import { scanScene } from '../../../../shared/script/syntax/scan.ts';
import { showPlace } from '../operations/show-place.ts';
import type { StageMemory } from '../operations/stage-memory.ts';
import { replayToStopBefore } from './replay-route.ts';
import { hasMovedOn } from './to-stage-route.ts';

/** Where these are passed, the line above need not be the one that was shown before. */
const TURNS = new Set(['label', 'jumpLabel', 'choose', 'getUserInput', 'changeScene', 'callScene', 'end']);

/**
 * Goes to the stop before the present one: of the way that the player took, which is played again up to it. Where the player did not
 * move on from the requested line, or did so without a turn, that is the line above at which the player stops.
 */
export function goBack(stage: StageMemory): StageBack {
  const { place, steps, replay } = stage.state;
  if (replay?.state === 'playing') return { going: 'played', place: null };
  if (hasMovedOn(stage) && !isStraight(stage) && replayToStopBefore(stage)) return { going: 'played', place: null };
  if (!place || !steps?.previous) return { going: 'none', place: null };
  const above = { ...place, line: steps.previous };
  showPlace(stage, above);
  return { going: 'line', place: above };
}

/** Returns whether every line from the requested one to the one on the stage was played in its order. */
function isStraight({ run, route, state }: StageMemory): boolean {
  const { shown } = state;
  // Another request would end the recording.
  if (!run || !shown || shown.scene !== run.path || route.isRecording || route.steps.length > 0) return false;
  const passed = scanScene(run.text).slice(Math.max(0, run.line - 1), Math.max(0, shown.line - 1));
  return shown.line > run.line && !passed.some((each) => TURNS.has(each.command?.name ?? '') || each.argument('when'));
}
