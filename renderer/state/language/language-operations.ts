import type { EngineTraits } from '../../../shared/script/engine/engine.ts';
import { createProjectIndex } from '../../../shared/script/project-index/project-facts.ts';
import { createLanguageState } from './operations/language-state.ts';
import { createLineOperations } from './operations/line-operations.ts';
import { createNameOperations } from './operations/name-operations.ts';
import { createProblemOperations } from './operations/problem-operations.ts';
import { createReplaceOperations } from './operations/replace-operations.ts';
import { createReviewOperations } from './operations/review-operations.ts';
import { createStoryOperations } from './operations/story-operations.ts';
import { createSymbolOperations } from './operations/symbol-operations.ts';
import { createTextOperations } from './operations/text-operations.ts';
import { createProblemNews } from './problem-news.ts';

/**
 * Creates the operations of the language service. Texts are set once and again when they change; results are plain data.
 * Runs in a worker: must not use the DOM or Monaco.
 */
export function createLanguageOperations() {
  const state = createLanguageState();
  const news = createProblemNews();
  return {
    /** Clears all state, for another game. */
    reset({ engineVersion, engine = null }: { engineVersion: string; engine?: EngineTraits | null }): void {
      state.index = createProjectIndex({ engineVersion, engine });
      state.settingTexts.clear();
      state.unreadable.clear();
      state.revision += 1;
      news.clear();
    },
    ...createTextOperations(state),
    ...createProblemOperations(state, news),
    ...createReviewOperations(state),
    ...createStoryOperations(state),
    ...createLineOperations(state),
    ...createSymbolOperations(state),
    ...createNameOperations(state),
    ...createReplaceOperations(state),
  };
}

export type LanguageOperations = ReturnType<typeof createLanguageOperations>;
