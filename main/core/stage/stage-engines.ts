import type { EngineChoice, EngineOrigin } from '../../../shared/model/stage.ts';

/** What the stage of a game can run beside the app's engine, and what the user chose for this game. */
export interface StageEngines {
  /** The engine that came with the game, or is in Terre's folder; null if there is none. */
  own: { version: string; from: EngineOrigin } | null;
  /** Returns null if the user chose nothing. */
  readChoice(): Promise<EngineChoice | null>;
  writeChoice(choice: EngineChoice): Promise<void>;
}
