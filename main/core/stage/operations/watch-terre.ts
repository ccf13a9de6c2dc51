import { createRepeater } from '../../../../shared/async.ts';
import { wantsTerre } from './choose-engine.ts';
import { attempt, publish, type StageMemory } from './stage-memory.ts';
import { runEngine, startStage } from './start-stage.ts';

const ASK_INTERVAL_MS = 20_000;
const ANSWER_TIMEOUT_MS = 10_000;
/** After a lost connection: a page can open and close many. */
const ASK_AGAIN_MS = 500;

/**
 * Reports whether Terre has the game, also a Terre that starts later, and warns of it once: Terre saves whole files half a second
 * after each keystroke and asks no question, so of two programs the last one to save wins. If the user wants Terre's page, the
 * stage plays it from then on, and the app's engine again when Terre ends.
 */
export function watchTerre(stage: StageMemory): void {
  const { terre } = stage;
  if (terre === null) return;
  let hasWarned = false;
  const askNow = async (): Promise<void> => {
    stage.timers.clear('terre');
    const isInTerre = await terre.terre.hasGame(AbortSignal.timeout(ANSWER_TIMEOUT_MS)).catch(() => false);
    if (stage.isDisposed) return;
    const isNews = isInTerre !== (stage.state.isInTerre === true);
    if (isNews) publish(stage, { isInTerre });
    if (isInTerre && !hasWarned) {
      hasWarned = true;
      stage.emit('app.noticed', { level: 'warning', reason: 'terre.alsoOpen', details: {} });
    }
    if (isNews) attempt(stage, followTerre(stage, isInTerre));
    askIn(ASK_INTERVAL_MS);
  };
  const ask = createRepeater(askNow);
  const askIn = (milliseconds: number): void => stage.timers.set('terre', milliseconds, () => attempt(stage, ask()));
  stage.askTerre = () => stage.timers.setOnce('terre-lost', ASK_AGAIN_MS, () => attempt(stage, ask()));
  attempt(stage, ask());
}

async function followTerre(stage: StageMemory, isInTerre: boolean): Promise<void> {
  if (!isInTerre) {
    if (stage.state.engine?.choice === 'terre') await runEngine(stage, 'bundled', 'ended');
    return;
  }
  if (!(await wantsTerre(stage))) return;
  await startStage(stage);
  // Meanwhile Terre may have ended, or the game was closed.
  if (stage.state.isInTerre && !stage.isDisposed && stage.state.engine?.choice !== 'terre')
    await runEngine(stage, 'terre', null);
}
