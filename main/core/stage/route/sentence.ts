import type { RouteStep } from '../../../../shared/model/stage/stage-route.ts';
import type { StoryValue } from '../../../../shared/model/stage.ts';

/** A sentence behind the requested line, and what the player did on the way to it. */
export interface Sentence {
  /** What to choose and to type on the way. */
  steps: readonly RouteStep[];
  scene: string;
  line: number;
  /** The text of that scene then; null if it is not known. */
  text: string | null;
  /** The sentence after the last step is meant: the engine had not reported it yet. */
  isAfterSteps: boolean;
  /** The variables that are kept for all stories where the way began. */
  globals: Record<string, StoryValue>;
}
