import type { EngineChoice } from '../../../../shared/model/stage.ts';
import { DEFAULT_ENGINE_VERSION } from '../../../../shared/script/engine/engine-version.ts';
import { publish, type StageMemory } from './stage-memory.ts';

/** An engine that starts connects within two seconds, on a slow machine within five. */
const ENGINE_TIMEOUT_MS = 12_000;

/** Lets the link serve the engine that the user chose; without a choice the game's own where it is another version. */
export async function applyEngineChoice(stage: StageMemory): Promise<void> {
  const { ownEngine } = stage;
  if (ownEngine === null || stage.state.engine) return;
  const isOther = ownEngine.version !== DEFAULT_ENGINE_VERSION;
  const choice = (await ownEngine.readChoice()) ?? (isOther ? 'own' : 'bundled');
  setEngine(stage, choice, false);
}

export function setEngine(stage: StageMemory, choice: EngineChoice, hasFailed: boolean): void {
  const { ownEngine } = stage;
  if (ownEngine === null) return;
  stage.link.serveOwnEngine(choice === 'own');
  const { version: own, from } = ownEngine;
  publish(stage, { engine: { choice, from, own, bundled: DEFAULT_ENGINE_VERSION, hasFailed } });
}

/** Calls `onFailed` if the game's own engine does not connect in time after its page was requested. */
export function expectOwnEngine(stage: StageMemory, onFailed: () => void): void {
  if (stage.state.engine?.choice !== 'own' || stage.isConnected) return;
  stage.timers.setOnce('engine', ENGINE_TIMEOUT_MS, onFailed);
}
