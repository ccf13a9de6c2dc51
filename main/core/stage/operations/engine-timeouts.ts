import { publish, type StageMemory, type StageSnapshot } from './stage-memory.ts';

/** The engine runs the lines before the target in one step; after this time it counts as stuck. */
const STUCK_TIMEOUT_MS = 2500;
/** The engine reports its position every second, less often under load; after this time without a report it hangs. */
const SILENCE_TIMEOUT_MS = 15_000;
/** A page that reloads reconnects within about two seconds. */
const LOST_TIMEOUT_MS = 4000;

/** Reports the stage as lost when no page connects in time. */
export function expectConnection(stage: StageMemory): void {
  stage.timers.set('lost', LOST_TIMEOUT_MS, () => publish(stage, { status: 'lost' }));
}

/** Calls `onIgnored` when the connected page does not reload in time; `clearEngineTimers` cancels it. */
export function expectReload({ timers }: StageMemory, onIgnored: () => void): void {
  timers.set('obey', LOST_TIMEOUT_MS, onIgnored);
}

/** Reports the stage as lost when the engine does not report its position in time. */
export function expectReport(stage: StageMemory): void {
  stage.timers.set('silent', SILENCE_TIMEOUT_MS, () => {
    const { isConnected, problems, run } = stage;
    if (!isConnected) return;
    problems.stick(run && { path: run.path, line: run.line });
    publish(stage, { status: 'lost' });
  });
}

/** Reports the line at which the engine stays on its way to the requested one. */
export function watchProgress(stage: StageMemory, snapshot: StageSnapshot): void {
  const { run, timers, problems } = stage;
  const isThere = run !== null && snapshot.jumped && snapshot.line >= run.prepared.engineLine;
  if (run && isThere) {
    run.settledAt ??= snapshot.line;
    problems.stick(null);
  }
  if (!run || !snapshot.jumped || isThere) {
    timers.clear('stuck');
    return;
  }
  timers.setOnce('stuck', STUCK_TIMEOUT_MS, () => {
    const { last } = stage;
    if (stage.run !== run || !last?.jumped || last.line >= run.prepared.engineLine) return;
    problems.stick({ path: run.path, line: run.prepared.toLine(last.line) + 1 });
    publish(stage);
  });
}

/** Stops waiting for anything of a page that has disconnected. */
export function clearEngineTimers({ timers }: StageMemory): void {
  timers.clear('silent');
  timers.clear('stuck');
  timers.clear('obey');
}
