import type { EngineChoice, EngineOrigin } from '../../../shared/model/stage.ts';

/** The engine of a game, and what the user chose for this game. */
export interface OwnEngine {
  version: string;
  from: EngineOrigin;
  /** Returns null if the user chose nothing. */
  readChoice(): Promise<EngineChoice | null>;
  writeChoice(choice: EngineChoice): Promise<void>;
}
