import { type FileChange, toFileChanges } from '../../../../shared/script/language-features/file-changes.ts';
import { replaceWords, type WordReplacement } from '../../../../shared/script/language-features/replace-words.ts';
import { type LanguageState, textOf } from './language-state.ts';

/** Operations that replace a text in all scenes. */
export function createReplaceOperations(state: LanguageState) {
  return {
    /** Counts what `replaceWords` changes. */
    countWords(wanted: WordReplacement): { places: number; scenes: number } {
      const edits = [...replaceWords(state.index, wanted).values()];
      return { places: edits.reduce((count, { length }) => count + length, 0), scenes: edits.length };
    },
    replaceWords: (wanted: WordReplacement): FileChange[] =>
      toFileChanges(replaceWords(state.index, wanted), (path) => textOf(state, path)),
  };
}
