import type { EngineChoice, EngineFailure } from '../../../../shared/model/stage.ts';
import { DEFAULT_ENGINE_VERSION } from '../../../../shared/script/engine/engine-version.ts';
import { publish, type StageMemory } from './stage-memory.ts';

/** An engine that starts connects within two seconds, on a slow machine within five. */
const ENGINE_TIMEOUT_MS = 12_000;
/** The app's own is not given up, only said not to answer, and a very slow machine may take longer. */
const BUNDLED_TIMEOUT_MS = 20_000;

/**
 * Lets the link serve the engine that the user chose; without a choice the game's own where it is another version. Terre's is served
 * once a Terre is known to have the game (`watch-terre.ts`).
 */
export async function applyEngineChoice(stage: StageMemory): Promise<void> {
  const { engines } = stage;
  if (engines === null || stage.state.engine) return;
  const chosen = await engines.readChoice();
  setEngine(stage, chosen === null || !isOffered(stage, chosen) ? toUsual(stage) : chosen, null);
}

function toUsual({ engines }: StageMemory): EngineChoice {
  return engines?.own && engines.own.version !== DEFAULT_ENGINE_VERSION ? 'own' : 'bundled';
}

/** Returns whether the engine is there. */
export function isOffered({ engines, state }: StageMemory, choice: EngineChoice): boolean {
  if (choice === 'terre') return state.isInTerre === true;
  return choice === 'bundled' || Boolean(engines?.own);
}

/** Returns whether the user wants Terre's page where a Terre has the game: by a choice for this game, else for all of them. */
export async function wantsTerre({ engines, terre }: StageMemory): Promise<boolean> {
  const chosen = await engines?.readChoice();
  return chosen ? chosen === 'terre' : (await terre?.isPreferred()) === true;
}

export function setEngine(stage: StageMemory, choice: EngineChoice, failure: EngineFailure | null): void {
  const { engines } = stage;
  if (engines === null) return;
  stage.link.serveEngine(choice);
  publish(stage, { engine: { choice, own: engines.own, bundled: DEFAULT_ENGINE_VERSION, failure } });
}

/** Chooses the app's engine because the one that was to run did not start. Returns false if that is the app's. */
export function giveUpEngine(stage: StageMemory): boolean {
  const choice = stage.state.engine?.choice ?? 'bundled';
  if (choice === 'bundled') return false;
  setEngine(stage, 'bundled', choice);
  return true;
}

/** Calls `onFailed` if the engine does not connect in time after its page was requested. */
export function expectEngine(stage: StageMemory, onFailed: () => void): void {
  if (stage.isConnected) return;
  const isBundled = (stage.state.engine?.choice ?? 'bundled') === 'bundled';
  if (isBundled) stage.timers.set('engine', BUNDLED_TIMEOUT_MS, onFailed);
  // Loading it again does not give it more time.
  else stage.timers.setOnce('engine', ENGINE_TIMEOUT_MS, onFailed);
}
