import type { RouteStep, StageRoute } from '../../../../shared/model/stage/stage-route.ts';
import { START_PATH } from '../../../../shared/script/project-index/project-facts.ts';
import type { StageRun } from '../stage-run.ts';

interface Moved {
  run: StageRun | null;
  last: { jumped: boolean; line: number } | null;
  isAhead: boolean;
}

interface Played {
  run: StageRun | null;
  route: StageRoute;
  replay: { steps: readonly RouteStep[] } | null;
}

/** Returns whether the story was played on from where the last jump had brought it. */
export function hasMovedOn({ last, run, isAhead }: Moved): boolean {
  return last !== null && run?.settledAt != null && (isAhead || !last.jumped || last.line !== run.settledAt);
}

/** The route for the interface; null unless the story was played from the start of the game. */
export function toStageRoute({ run, route, replay }: Played): StageRoute | null {
  const isFromStart = run !== null && run.path === START_PATH && run.asked <= 1;
  if (!isFromStart && !route.isRecording) return null;
  // What is played back is the route until it is there.
  return { ...route, steps: [...(replay?.steps ?? route.steps)] };
}
