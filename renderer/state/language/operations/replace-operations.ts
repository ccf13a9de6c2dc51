import { type FileChange, toFileChanges } from '../../../../shared/script/language-features/file-changes.ts';
import { replaceWords, type WordReplacement } from '../../../../shared/script/language-features/replace-words.ts';
import { type LanguageState, textOf } from './language-state.ts';

export interface WordCount {
  places: number;
  scenes: number;
  misread: number;
}

/** Operations that replace a text in all scenes. */
export function createReplaceOperations(state: LanguageState) {
  return {
    /** Counts what `replaceWords` changes, and the lines that the engine would then read in another way. */
    countWords(wanted: WordReplacement): WordCount {
      const { edits, misread } = replaceWords(state.index, wanted);
      const places = [...edits.values()].reduce((count, { length }) => count + length, 0);
      return { places, scenes: edits.size, misread };
    },
    replaceWords: (wanted: WordReplacement): FileChange[] =>
      toFileChanges(replaceWords(state.index, wanted).edits, (path) => textOf(state, path)),
  };
}
