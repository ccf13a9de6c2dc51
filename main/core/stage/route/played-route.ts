import { MAX_ROUTE } from '../../../../shared/model/stage/stage-route.ts';
import type { StageEvent } from '../../ports/stage-link.ts';
import { publish, type StageMemory } from '../operations/stage-memory.ts';

export type RouteEvent = Extract<StageEvent, { kind: 'chose' | 'typed' | 'title' }>;

export function isRouteEvent(event: StageEvent): event is RouteEvent {
  return event.kind === 'chose' || event.kind === 'typed' || event.kind === 'title';
}

/** Adds what the player did to the route since the last jump. */
export function noteStep(stage: StageMemory, event: RouteEvent): void {
  const { route, run } = stage;
  // Before the jump has arrived, a message is of what was on the stage before.
  if (route.isOver || run?.settledAt == null) return;
  if (event.kind === 'chose') route.steps.push({ kind: 'choice', text: event.text, nth: event.nth });
  else if (event.kind === 'typed') route.steps.push({ kind: 'input', text: event.text });
  else route.isOver = true;
  stage.isAhead = !route.isOver;
  if (route.steps.length >= MAX_ROUTE) route.isOver = true;
  publish(stage);
}

/** Begins the route anew, for a jump that keeps nothing of it. */
export function clearRoute(stage: StageMemory, isRecording: boolean): void {
  stage.route = { steps: [], isRecording, isOver: false, hasSetVariable: false };
  stage.isAhead = false;
  stage.arrival = null;
  stage.unreached = null;
  stage.globalsBefore = null;
}
