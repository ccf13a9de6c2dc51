import type { StageEvent } from '../../ports/stage-link.ts';
import { resolveScene } from '../scene-texts.ts';
import { toShownStage } from '../to-shown.ts';
import { clearEngineTimers, expectConnection, expectReport, watchProgress } from './engine-timeouts.ts';
import { refreshSuspects } from './show-place.ts';
import { attempt, publish, type StageMemory, type StageSnapshot } from './stage-memory.ts';

/** Applies what the page of the engine reports. */
export function handleEvent(stage: StageMemory, event: StageEvent): void {
  if (stage.isDisposed) return;
  if (event.kind === 'connected') handleConnected(stage);
  else if (event.kind === 'disconnected') handleDisconnected(stage);
  else if (event.kind === 'snapshot') handleSnapshot(stage, event);
  else if (event.kind === 'missing') {
    if (stage.problems.missing(event.path)) attempt(stage, stage.refreshOnce());
  } else if (stage.problems.receive(event)) publish(stage);
}

function handleConnected(stage: StageMemory): void {
  stage.isConnected = true;
  stage.timers.clear('lost');
  if (stage.run) expectReport(stage);
  publish(stage, { status: 'ready' });
}

function handleDisconnected(stage: StageMemory): void {
  stage.isConnected = false;
  stage.last = null;
  clearEngineTimers(stage);
  expectConnection(stage);
  publish(stage, { status: 'starting', shown: null });
}

function handleSnapshot(stage: StageMemory, snapshot: StageSnapshot): void {
  stage.last = snapshot;
  stage.timers.clear('silent');
  watchProgress(stage, snapshot);
  const { run, scenes } = stage;
  const before = stage.state.shown?.scene;
  const found = stage.suspects.flatMap(({ statements }) => statements);
  const scene =
    snapshot.jumped && run ? run.path : (resolveScene(snapshot.scene, scenes, found) ?? snapshot.scene.slice(0, 500));
  const line = snapshot.jumped && run ? run.prepared.toLine(snapshot.line) : snapshot.line;
  publish(stage, { status: 'ready', shown: { scene, line, ...toShownStage(snapshot.stage) } });
  if (scene !== before) attempt(stage, refreshSuspects(stage));
}
