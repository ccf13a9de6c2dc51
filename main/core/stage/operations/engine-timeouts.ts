import { SCENE_FOLDER } from '../../../../shared/script/project-index/project-facts.ts';
import { MAX_PAST_JUMPS } from '../../ports/stage-driver.ts';
import { publish, type StageMemory, type StageSnapshot } from './stage-memory.ts';

/** The engine runs the lines before the target in one step; after this time it counts as stuck. */
const STUCK_TIMEOUT_MS = 2500;
/** A jump that arrives while 4.5 draws a choice is lost in it: the choice is drawn over the new scene and blocks it. */
const REPEAT_TIMEOUT_MS = 1500;
/** The engine reports its position every second, less often under load; after this time without a report it hangs. */
const SILENCE_TIMEOUT_MS = 15_000;
/** A page that reloads reconnects within about two seconds. */
const LOST_TIMEOUT_MS = 4000;

/** Sends the engine to the line of the run. */
export function sendJump(stage: StageMemory): void {
  const { run, link } = stage;
  if (!run) return;
  stage.jumpedAt = performance.now();
  const number = link.jump(run.path.slice(SCENE_FOLDER.length), run.prepared.engineLine, run.prepared.text);
  stage.jumps.set(number, run);
  stage.jumps.delete(number - MAX_PAST_JUMPS);
}

/** Reports the stage as lost when no page connects in time. */
export function expectConnection(stage: StageMemory): void {
  stage.timers.set('lost', LOST_TIMEOUT_MS, () => publish(stage, { status: 'lost' }));
}

/** Calls `onIgnored` when the connected page does not reload in time; `clearEngineTimers` cancels it. */
export function expectReload({ timers }: StageMemory, onIgnored: () => void): void {
  timers.set('obey', LOST_TIMEOUT_MS, onIgnored);
}

/** Reports the stage as lost when the engine does not report its position in time. A further jump does not give it more time. */
export function expectReport(stage: StageMemory): void {
  stage.timers.setOnce('silent', SILENCE_TIMEOUT_MS, () => {
    const { isConnected, problems, run } = stage;
    if (!isConnected) return;
    problems.stick(run && { path: run.path, line: run.line });
    publish(stage, { status: 'lost' });
  });
}

/** Sends the jump once more when the engine stays on its way to the requested line; then reports the line at which it stays. */
export function watchProgress(stage: StageMemory, snapshot: StageSnapshot): void {
  const { run, timers, problems } = stage;
  const isThere = run !== null && snapshot.jumped && snapshot.line >= run.prepared.engineLine;
  if (run && isThere) {
    run.settledAt ??= snapshot.line;
    problems.stick(null);
  }
  // Before the first report of the target, another scene is the one that the engine did not leave.
  if (!run || run.settledAt !== null || (run.isRepeated && !snapshot.jumped)) {
    timers.clear('stuck');
    return;
  }
  if (!run.isRepeated) {
    const repeat = (): void => {
      if (stage.run !== run || run.settledAt !== null || !stage.isConnected) return;
      run.isRepeated = true;
      sendJump(stage);
    };
    timers.setOnce('stuck', REPEAT_TIMEOUT_MS, () => {
      // A busy engine reports less often: the last report is one from its way.
      if (stage.last === snapshot) timers.set('stuck', REPEAT_TIMEOUT_MS, repeat);
      else repeat();
    });
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
