import type { editor } from 'monaco-editor/editor';
import { CODE_FONT } from '../ui/theme/theme.ts';

/** How text looks in the editor and in comparisons. */
export const TEXT_OPTIONS = {
  fontFamily: CODE_FONT,
  // Most Chinese and Japanese punctuation is “ambiguous”.
  unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false },
  // A bracket in prose needs no partner: one alone would be red, and finding the pairs reads the whole text at once.
  bracketPairColorization: { enabled: false },
} satisfies editor.IEditorOptions & editor.IGlobalEditorOptions;
