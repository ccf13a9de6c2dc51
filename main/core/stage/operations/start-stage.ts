import { AppError } from '../../../../shared/errors.ts';
import type { EngineChoice } from '../../../../shared/model/stage.ts';
import { applyEngineChoice, expectOwnEngine, setEngine } from './choose-engine.ts';
import { expectConnection, expectReload } from './engine-timeouts.ts';
import { keepRoute } from './replay-route.ts';
import { attempt, publish, type StageMemory } from './stage-memory.ts';

/** Starts the stage unless it runs; resolves to its address. */
export async function startStage(stage: StageMemory): Promise<string> {
  await applyEngineChoice(stage);
  const { url } = await stage.link.start().catch((error: unknown) => {
    if (!(error instanceof AppError) || stage.state.engine?.choice !== 'own') throw error;
    setEngine(stage, 'bundled', true);
    return stage.link.start();
  });
  if (stage.origin === url) return url;
  stage.origin = url;
  stage.link.setOverlay(stage.texts.overlay('saved'));
  publish(stage, { url: `${url}/` });
  return url;
}

/** Moves the stage to another address, for a page that receives no messages because it hangs. */
async function moveStage(stage: StageMemory): Promise<void> {
  const { url } = await stage.link.move();
  if (stage.isDisposed) return;
  stage.origin = url;
  publish(stage, { url: `${url}/`, status: 'starting', shown: null });
  expectConnection(stage);
}

/** Runs the chosen engine from now on, and remembers the choice for this game. */
export async function chooseEngine(stage: StageMemory, choice: EngineChoice): Promise<void> {
  if (stage.ownEngine === null || stage.state.engine?.choice === choice) return;
  await stage.ownEngine.writeChoice(choice);
  setEngine(stage, choice, false);
  await moveToEngine(stage);
}

/** Runs the app's engine if the game's own does not connect. */
export function watchOwnEngine(stage: StageMemory): void {
  expectOwnEngine(stage, () => {
    setEngine(stage, 'bundled', true);
    attempt(stage, moveToEngine(stage));
  });
}

async function moveToEngine(stage: StageMemory): Promise<void> {
  stage.problems.forget();
  await moveStage(stage);
}

/** Reloads the page of the engine. */
export function reloadStage(stage: StageMemory): void {
  keepRoute(stage);
  if (stage.replay && stage.isConnected) stage.replay.isReloading = true;
  stage.problems.forget();
  stage.link.reload();
  publish(stage, { status: 'starting' });
  // A game whose script hangs does not reload.
  if (stage.isConnected) expectReload(stage, () => attempt(stage, moveStage(stage)));
  else expectConnection(stage);
}

/** Reloads the page, which moves at once when it is lost. */
export function reloadOnRequest(stage: StageMemory): void {
  const { status } = stage.state;
  const isLost = status === 'lost' || (status === 'starting' && !stage.isConnected);
  reloadStage(stage);
  if (isLost) attempt(stage, moveStage(stage));
}
