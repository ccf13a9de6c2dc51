import type { PreferredTerre } from '../prefer-terre.ts';
import { attempt, publish, type StageMemory } from './stage-memory.ts';

const ASK_INTERVAL_MS = 20_000;
const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Reports whether Terre has the game, also a Terre that starts later, and warns of it once: Terre saves whole files half a second
 * after each keystroke and asks no question, so of two programs the last one to save wins.
 */
export function watchTerre(stage: StageMemory, { terre }: Pick<PreferredTerre, 'terre'>): void {
  let hasWarned = false;
  const ask = async (): Promise<void> => {
    const isInTerre = await terre.hasGame(AbortSignal.timeout(ANSWER_TIMEOUT_MS)).catch(() => false);
    if (stage.isDisposed) return;
    if (isInTerre !== (stage.state.isInTerre === true)) publish(stage, { isInTerre });
    if (isInTerre && !hasWarned) {
      hasWarned = true;
      stage.emit('app.noticed', { level: 'warning', reason: 'terre.alsoOpen', details: {} });
    }
    stage.timers.set('terre', ASK_INTERVAL_MS, () => attempt(stage, ask()));
  };
  attempt(stage, ask());
}
