import type { StageText } from '../../../shared/script/story/stage-text.ts';

/** The last request to the engine. */
export interface StageRun {
  path: string;
  line: number;
  text: string;
  prepared: StageText;
  /** Number of lines the engine had run when it reached the target; null before. */
  settledAt: number | null;
}
