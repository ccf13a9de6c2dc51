import { type TokenType, tokenizeLine } from '../../shared/script/tokens.ts';
import type { Monaco } from '../editor/monaco.ts';
import { palettes } from '../ui/palette.ts';

import { WEBGAL } from './webgal-id.ts';

/** Makes Monaco know the script language: its colours, its comment mark, its pairs. */
export function registerWebgal(monaco: Monaco): void {
  monaco.languages.register({ id: WEBGAL, extensions: ['.txt'] });
  monaco.languages.setLanguageConfiguration(WEBGAL, {
    comments: { lineComment: ';' },
    brackets: [
      ['{', '}'],
      ['[', ']'],
      ['(', ')'],
    ],
    autoClosingPairs: [
      { open: '{', close: '}' },
      { open: '"', close: '"', notIn: ['string'] },
    ],
    wordPattern: /[\p{L}\p{N}_$]+(?:[.-][\p{L}\p{N}_$]+)*/u,
  });
  // The language has no state across lines: each line is a statement of its own.
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

/** Commands take the accent, who speaks the voice colour, names of places in the story a colour of their own; the rest is quiet. */
function themeOf(scheme: 'light' | 'dark') {
  const palette = palettes[scheme];
  const colours: Partial<Record<TokenType, string>> = {
    command: palette.accent,
    speaker: palette.voice,
    argumentName: palette.muted,
    argumentValue: palette.warn,
    number: palette.warn,
    string: palette.warn,
    expression: palette.warn,
    comment: palette.faint,
    punctuation: palette.faint,
    label: palette.added,
    scene: palette.added,
    variable: palette.added,
    interpolation: palette.added,
    markup: palette.muted,
  };
  const hex = (colour: string) => colour.slice(1);
  return {
    base: scheme === 'light' ? ('vs' as const) : ('vs-dark' as const),
    inherit: true,
    rules: [
      { token: '', foreground: hex(palette.ink) },
      ...Object.entries(colours).map(([token, colour]) => ({ token, foreground: hex(colour) })),
    ],
    colors: {
      'editor.background': palette.panel,
      'editor.foreground': palette.ink,
      'editor.lineHighlightBackground': palette.paper,
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': palette.accentSoft,
      'editorCursor.foreground': palette.accent,
      'editorLineNumber.foreground': palette.faint,
      'editorLineNumber.activeForeground': palette.ink,
      'editorGutter.background': palette.panel,
      'editorError.foreground': palette.error,
      'editorWarning.foreground': palette.warn,
      'editorInfo.foreground': palette.muted,
      'editorWidget.background': palette.raised,
      'editorWidget.border': palette.line,
      'editorHoverWidget.background': palette.raised,
      'editorHoverWidget.border': palette.line,
      'editorSuggestWidget.background': palette.raised,
      'editorSuggestWidget.border': palette.line,
      'editorSuggestWidget.selectedBackground': palette.accentSoft,
      'editorSuggestWidget.selectedForeground': palette.ink,
      'editorStickyScroll.background': palette.panel,
      focusBorder: palette.accent,
      'scrollbarSlider.background': `${palette.edge}33`,
      'scrollbarSlider.hoverBackground': `${palette.edge}66`,
      'scrollbar.shadow': '#00000000',
      'diffEditor.insertedTextBackground': '#00000000',
      'diffEditor.removedTextBackground': '#00000000',
      'diffEditor.insertedLineBackground': palette.addedSoft,
      'diffEditor.removedLineBackground': palette.removedSoft,
      'diffEditorGutter.insertedLineBackground': palette.addedSoft,
      'diffEditorGutter.removedLineBackground': palette.removedSoft,
    },
  };
}
