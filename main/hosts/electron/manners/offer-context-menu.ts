import type { BrowserWindow } from 'electron';
import contextMenu from 'electron-context-menu';
import type { MannerPorts } from './add-manners.ts';

/**
 * A menu at the pointer in text fields and over selected text, also in the stage's frame. The editor has one of its own
 * and keeps the event to itself. Nothing in the menu leaves the computer: no search, no link, no download.
 */
export function offerContextMenu(window: BrowserWindow, { text }: MannerPorts): void {
  const dispose = contextMenu({
    window,
    shouldShowMenu: (_event, { isEditable, selectionText }) => isEditable || selectionText.trim() !== '',
    menu(actions, { isEditable, misspelledWord, dictionarySuggestions }) {
      const { contextMenu: words, menu } = text();
      const spelling = isEditable && misspelledWord !== '';
      return [
        ...(spelling ? dictionarySuggestions : []).map((label) => ({
          label,
          click: () => window.webContents.replaceMisspelling(label),
        })),
        { label: words.noSuggestions, enabled: false, visible: spelling && dictionarySuggestions.length === 0 },
        { ...actions.learnSpelling({}), label: words.learn },
        actions.separator(),
        { ...actions.cut({}), label: menu.edit.cut },
        { ...actions.copy({}), label: menu.edit.copy },
        { ...actions.paste({}), label: menu.edit.paste },
        { ...actions.selectAll({}), label: menu.edit.selectAll, visible: isEditable },
      ];
    },
  });
  window.once('closed', dispose);
}
