import { tokenizeLine } from '../../shared/script/language-features/tokens.ts';
import type { Monaco } from '../state/monaco/monaco.ts';
import { WEBGAL } from '../state/monaco/webgal-id.ts';
import { themeOf } from './webgal-theme.ts';

/** Registers the script language in Monaco: tokenizer, theme, comment marker and auto-closing pairs. */
export function registerWebgal(monaco: Monaco): void {
  monaco.languages.register({ id: WEBGAL, extensions: ['.txt'] });
  monaco.languages.setLanguageConfiguration(WEBGAL, {
    comments: { lineComment: ';' },
    autoClosingPairs: [
      { open: '{', close: '}' },
      { open: '"', close: '"', notIn: ['string'] },
    ],
    wordPattern: /[\p{L}\p{N}_$]+(?:[.-][\p{L}\p{N}_$]+)*/u,
  });
  // There is no tokenizer state across lines: each line is a separate statement.
  const state = { clone: () => state, equals: () => true };
  monaco.languages.setTokensProvider(WEBGAL, {
    getInitialState: () => state,
    tokenize(line) {
      return {
        endState: state,
        tokens: tokenizeLine(line).map((token) => ({ startIndex: token.start, scopes: token.type })),
      };
    },
  });
  for (const theme of ['light', 'dark'] as const) monaco.editor.defineTheme(`webgal-${theme}`, themeOf(theme));
}
