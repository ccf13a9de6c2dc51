import type { StageProblem, StoryValue } from '../../../../shared/model/stage.ts';
import type { StageEvent, StageTrouble } from '../../ports/stage-link.ts';
import { type FileFault, isScriptFault, toFailedFile } from '../problems/to-problem.ts';
import { clearRoute, isRouteEvent, noteStep, type RouteEvent } from '../route/played-route.ts';
import { keepRoute, rememberPlayed, replayRoute } from '../route/replay-route.ts';
import { toVariables } from '../to-shown.ts';
import { clearEngineTimers, expectConnection, expectReport, watchProgress } from './engine-timeouts.ts';
import { applyPlace, followLead, refreshSuspects } from './show-place.ts';
import { attempt, publish, type StageMemory, type StageSnapshot } from './stage-memory.ts';
import { watchEngine } from './start-stage.ts';
import { findRun, noteChosenScene, toPlace, toShown } from './to-shown-place.ts';

/** Applies what the page of the engine reports. */
export function handleEvent(stage: StageMemory, event: StageEvent): void {
  if (stage.isDisposed) return;
  if (event.kind === 'connected') handleConnected(stage);
  else if (event.kind === 'disconnected') handleDisconnected(stage);
  else if (event.kind === 'snapshot') handleSnapshot(stage, event);
  else if (event.kind === 'page') watchEngine(stage);
  else if (event.kind === 'led') followLead(stage, event);
  else if (event.kind === 'terre-lost') stage.askTerre();
  else if (isRouteEvent(event)) handlePlayer(stage, event);
  else if (event.kind === 'globals') handleGlobals(stage, event.globals);
  else if (event.kind === 'missing' || event.kind === 'unreadable') addFile(stage, event.path, event.kind);
  else handleTrouble(stage, event);
}

function handlePlayer(stage: StageMemory, event: RouteEvent): void {
  if (event.kind === 'chose') noteChosenScene(stage, event);
  noteStep(stage, event);
}

function handleTrouble(stage: StageMemory, trouble: StageTrouble): void {
  const file = trouble.level === 'error' ? toFailedFile(trouble.text) : null;
  // One that is missing is told as such by then.
  if (file !== null) addFile(stage, file, 'unreadable');
  else if (stage.problems.receive(trouble, findTrouble(stage, trouble))) publish(stage);
}

function addFile(stage: StageMemory, path: string, fault: FileFault): void {
  if (stage.problems.addFile(path, fault)) attempt(stage, stage.refreshOnce());
}

/** Returns the line at which an engine met a trouble; null if it is not known, or not the line's fault. */
function findTrouble(stage: StageMemory, { level, text, at }: StageTrouble): StageProblem['place'] {
  const isAfter = level === 'endless' || level === 'empty-menu';
  if (!at || (!isAfter && !isScriptFault(text))) return null;
  // An error happens before the line counts as run.
  const ran = isAfter ? at.line : at.line + 1;
  const { path, line } = findStatement(stage, { ...at, line: ran });
  return line > 0 && stage.scenes.includes(path) ? { path, line } : null;
}

/** Returns the place of the statement that an engine ran last. What comes before the line of a jump is not all sent to it. */
function findStatement(
  stage: StageMemory,
  { file, line, ...reported }: NonNullable<StageTrouble['at']>,
): { path: string; line: number } {
  const run = findRun(stage, reported);
  if (run) {
    const { path, line: own } = run.prepared.placeOf(line);
    return { path: path || run.path, line: own };
  }
  const place = toPlace(stage, { scene: file, file, line, ...reported });
  return { path: place.scene, line: place.line };
}

function handleConnected(stage: StageMemory): void {
  stage.isConnected = true;
  stage.timers.clear('lost');
  stage.timers.clear('engine');
  if (stage.run) expectReport(stage);
  publish(stage, { status: 'ready' });
  // Where another program had moved the story, no jump of the app's is repeated.
  if (stage.run === null && stage.state.place) attempt(stage, applyPlace(stage, true));
}

function handleDisconnected(stage: StageMemory): void {
  // The next page comes to the same sentence: the stage may only have moved to another window.
  keepRoute(stage);
  stage.isConnected = false;
  stage.last = null;
  stage.globals = {};
  if (stage.replay) stage.replay.isReloading = false;
  // The next engine begins at the requested line.
  else clearRoute(stage, stage.route.isRecording);
  // The next engine has to reach the line again.
  if (stage.run) stage.run.settledAt = null;
  clearEngineTimers(stage);
  expectConnection(stage);
  publish(stage, { status: 'starting', shown: null });
}

function handleGlobals(stage: StageMemory, values: Record<string, StoryValue>): void {
  stage.globals = toVariables(values);
  if (stage.last) publish(stage, { shown: toShown(stage, stage.last) });
}

function handleSnapshot(stage: StageMemory, snapshot: StageSnapshot): void {
  stage.last = snapshot;
  stage.isAhead = false;
  stage.timers.clear('silent');
  watchProgress(stage, snapshot);
  const before = stage.state.shown?.scene;
  const shown = toShown(stage, snapshot);
  const { arrival } = stage;
  if (arrival && (shown.scene !== arrival.scene || shown.line !== arrival.line)) stage.arrival = null;
  publish(stage, { status: 'ready', shown });
  if (shown.scene !== before) attempt(stage, refreshSuspects(stage));
  if (shown.scene !== stage.played?.path) attempt(stage, rememberPlayed(stage));
  if (!snapshot.jumped || stage.run?.settledAt == null || stage.awaitsJump) return;
  if (!stage.replay) stage.globalsBefore ??= stage.globals;
  attempt(stage, replayRoute(stage));
}
