import { expectConnection, expectReload } from './engine-timeouts.ts';
import { attempt, publish, type StageMemory } from './stage-memory.ts';

/** Starts the stage unless it runs; resolves to its address. */
export async function startStage(stage: StageMemory): Promise<string> {
  const { url } = await stage.link.start();
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

/** Reloads the page of the engine. */
export function reloadStage(stage: StageMemory): void {
  stage.problems.restart();
  stage.problems.forgetMissing();
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
