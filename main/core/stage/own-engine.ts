import type { EngineChoice } from '../../../shared/model/stage.ts';

/** The engine that came with a game, and what the user chose for this game. */
export interface OwnEngine {
  version: string;
  /** Returns null if the user chose nothing. */
  readChoice(): Promise<EngineChoice | null>;
  writeChoice(choice: EngineChoice): Promise<void>;
}
