import type { StageText } from '../../../shared/script/story/stage-text.ts';

/** The last request to the engine. */
export interface StageRun {
  path: string;
  /** The requested line; `line` is where the engine stands for it. */
  asked: number;
  line: number;
  text: string;
  prepared: StageText;
  /** Number of lines the engine had run when it reached the target; null before. */
  settledAt: number | null;
  /** True once the jump was sent again, because the engine did not reach the target. */
  isRepeated: boolean;
}
