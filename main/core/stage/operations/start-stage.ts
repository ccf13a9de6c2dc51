import { AppError } from '../../../../shared/errors.ts';
import type { EngineChoice, EngineFailure } from '../../../../shared/model/stage.ts';
import { keepRoute } from '../route/replay-route.ts';
import { applyEngineChoice, expectEngine, giveUpEngine, isOffered, setEngine } from './choose-engine.ts';
import { expectConnection, expectReload } from './engine-timeouts.ts';
import { attempt, publish, type StageMemory } from './stage-memory.ts';

/** Starts the stage unless it runs; resolves to its address. */
export async function startStage(stage: StageMemory): Promise<string> {
  await applyEngineChoice(stage);
  const { url } = await serveAny(stage, stage.link.start);
  if (stage.origin === url) return url;
  stage.origin = url;
  stage.link.setOverlay(stage.texts.overlay('saved'));
  publish(stage, { url: `${url}/` });
  return url;
}

/** Serves the chosen engine, or the app's if the chosen one has no page. */
async function serveAny(stage: StageMemory, serve: () => Promise<{ url: string }>): Promise<{ url: string }> {
  return serve().catch((error: unknown) => {
    if (!(error instanceof AppError) || !giveUpEngine(stage)) throw error;
    return serve();
  });
}

/** Moves the stage to another address, for a page that receives no messages because it hangs. */
async function moveStage(stage: StageMemory): Promise<void> {
  const { url } = await serveAny(stage, stage.link.move);
  if (stage.isDisposed) return;
  stage.origin = url;
  publish(stage, { url: `${url}/`, status: 'starting', shown: null });
  expectConnection(stage);
}

/** Runs the chosen engine from now on, and remembers the choice for this game. Throws `E_UNSUPPORTED` for one that is not there. */
export async function chooseEngine(stage: StageMemory, choice: EngineChoice): Promise<void> {
  if (stage.engines === null || stage.state.engine?.choice === choice) return;
  if (!isOffered(stage, choice)) throw new AppError('E_UNSUPPORTED', 'There is no such engine for this game.');
  await stage.engines.writeChoice(choice);
  await runEngine(stage, choice, null);
}

/** Runs the app's engine if another one does not connect. One that does not either is lost: a script of the game may hang. */
export function watchEngine(stage: StageMemory): void {
  expectEngine(stage, () => {
    if (!giveUpEngine(stage)) return publish(stage, { status: 'lost' });
    stage.problems.forget();
    attempt(stage, moveStage(stage));
  });
}

/** Runs another engine. `failure`: why the one that ran does not any more. */
export async function runEngine(
  stage: StageMemory,
  choice: EngineChoice,
  failure: EngineFailure | null,
): Promise<void> {
  // The next engine comes to the same sentence.
  keepRoute(stage);
  setEngine(stage, choice, failure);
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
