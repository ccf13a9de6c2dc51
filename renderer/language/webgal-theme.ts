import type { TokenType } from '../../shared/script/language-features/tokens.ts';
import { type Palette, palettes } from '../ui/theme/palette.ts';

/** Creates the theme: commands in the accent colour, speakers in the voice colour, symbols in a third; the rest is muted. */
export function themeOf(scheme: 'light' | 'dark') {
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
      ...toTextColours(palette),
      ...toWidgetColours(palette),
      ...toPeekColours(palette),
      ...toPageColours(palette),
    },
  };
}

/** The text, its gutter and ruler, and the comparison of two texts. */
function toTextColours(palette: Palette) {
  return {
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
    'editorInlayHint.background': '#00000000',
    'editorInlayHint.foreground': palette.faint,
    // The same opacity as unreachable lines elsewhere on the page.
    'editorUnnecessaryCode.opacity': '#00000080',
    'editorLink.activeForeground': palette.accent,
    'editorOverviewRuler.infoForeground': '#00000000',
    'editorOverviewRuler.warningForeground': palette.warn,
    'editorOverviewRuler.errorForeground': palette.error,
    'editorOverviewRuler.rangeHighlightForeground': palette.accent,
    'editor.findMatchBackground': palette.warnSoft,
    'editor.findMatchBorder': palette.warn,
    'editor.findMatchHighlightBackground': palette.warnSoft,
    'editor.wordHighlightBackground': palette.accentSoft,
    'editor.rangeHighlightBackground': palette.accentSoft,
    'editor.foldBackground': palette.sunk,
    'editorStickyScroll.background': palette.panel,
    'diffEditor.insertedTextBackground': '#00000000',
    'diffEditor.removedTextBackground': '#00000000',
    'diffEditor.insertedLineBackground': palette.addedSoft,
    'diffEditor.removedLineBackground': palette.removedSoft,
    'diffEditorGutter.insertedLineBackground': palette.addedSoft,
    'diffEditorGutter.removedLineBackground': palette.removedSoft,
  };
}

/** What opens over the text: suggestions, hovers, dialogs, menus and lists. */
function toWidgetColours(palette: Palette) {
  return {
    'editorWidget.background': palette.raised,
    'editorWidget.border': palette.line,
    'editorHoverWidget.background': palette.raised,
    'editorHoverWidget.border': palette.line,
    'editorSuggestWidget.background': palette.raised,
    'editorSuggestWidget.border': palette.line,
    'editorSuggestWidget.selectedBackground': palette.accentSoft,
    'editorSuggestWidget.selectedForeground': palette.ink,
    'editorSuggestWidget.highlightForeground': palette.accent,
    'editorSuggestWidget.focusHighlightForeground': palette.accent,
    'editorSuggestWidgetStatus.foreground': palette.muted,
    'editorHoverWidget.foreground': palette.ink,
    'editorHoverWidget.statusBarBackground': palette.sunk,
    'editorHoverWidget.highlightForeground': palette.accent,
    'editorWidget.foreground': palette.ink,
    'editorWidget.resizeBorder': palette.line,
    'editorLightBulb.foreground': palette.warn,
    'editorLightBulbAutoFix.foreground': palette.accent,
    'editorMarkerNavigation.background': palette.raised,
    'textLink.foreground': palette.accent,
    'textLink.activeForeground': palette.accent,
    'textCodeBlock.background': palette.sunk,
    'textPreformat.foreground': palette.ink,
    'textPreformat.background': palette.sunk,
    'icon.foreground': palette.muted,
    'widget.border': palette.line,
    'widget.shadow': `${palette.edge}33`,
    'input.background': palette.panel,
    'input.foreground': palette.ink,
    'input.border': palette.edge,
    'input.placeholderForeground': palette.muted,
    'inputValidation.infoBackground': palette.raised,
    'inputValidation.infoForeground': palette.ink,
    'inputValidation.infoBorder': palette.line,
    'badge.background': palette.sunk,
    'badge.foreground': palette.muted,
    'inputOption.activeBackground': palette.accentSoft,
    'inputOption.activeForeground': palette.accent,
    'list.hoverBackground': palette.hover,
    'list.hoverForeground': palette.ink,
    'list.focusBackground': palette.accentSoft,
    'list.focusForeground': palette.ink,
    'list.activeSelectionBackground': palette.accentSoft,
    'list.activeSelectionForeground': palette.ink,
    'list.inactiveSelectionBackground': palette.sunk,
    'list.highlightForeground': palette.accent,
    'list.focusHighlightForeground': palette.accent,
    'list.focusOutline': '#00000000',
    'quickInput.background': palette.raised,
    'quickInput.foreground': palette.ink,
    'quickInputTitle.background': palette.sunk,
    'quickInputList.focusBackground': palette.accentSoft,
    'quickInputList.focusForeground': palette.ink,
    'quickInputList.focusIconForeground': palette.ink,
    'pickerGroup.foreground': palette.muted,
    'pickerGroup.border': palette.line,
    'keybindingLabel.background': palette.sunk,
    'keybindingLabel.foreground': palette.muted,
    'keybindingLabel.border': palette.line,
    'keybindingLabel.bottomBorder': palette.line,
    'menu.background': palette.raised,
    'menu.foreground': palette.ink,
    'menu.border': palette.line,
    'menu.selectionBackground': palette.accentSoft,
    'menu.selectionForeground': palette.ink,
    'menu.separatorBackground': palette.line,
  };
}

/** The definitions and references that open between two lines. */
function toPeekColours(palette: Palette) {
  return {
    'peekView.border': palette.accent,
    'peekViewTitle.background': palette.sunk,
    'peekViewTitleLabel.foreground': palette.ink,
    'peekViewTitleDescription.foreground': palette.muted,
    'peekViewEditor.background': palette.panel,
    'peekViewEditorGutter.background': palette.panel,
    'peekViewEditor.matchHighlightBackground': palette.accentSoft,
    'peekViewResult.background': palette.raised,
    'peekViewResult.fileForeground': palette.ink,
    'peekViewResult.lineForeground': palette.muted,
    'peekViewResult.matchHighlightBackground': palette.accentSoft,
    'peekViewResult.selectionBackground': palette.accentSoft,
    'peekViewResult.selectionForeground': palette.ink,
  };
}

/** What is not part of one widget. */
function toPageColours(palette: Palette) {
  return {
    foreground: palette.ink,
    descriptionForeground: palette.muted,
    focusBorder: palette.accent,
    'scrollbarSlider.background': `${palette.edge}33`,
    'scrollbarSlider.hoverBackground': `${palette.edge}66`,
    'scrollbar.shadow': '#00000000',
  };
}
