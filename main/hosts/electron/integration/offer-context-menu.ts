import type { BrowserWindow } from 'electron';
import contextMenu from 'electron-context-menu';
import type { IntegrationPorts } from './integration-ports.ts';

/**
 * Adds a context menu to text fields and selected text, also in the stage's frame. The editor has its own menu and stops the
 * event. The menu has no search, link or download item, so no text leaves the computer.
 */
export function offerContextMenu(window: BrowserWindow, { text }: IntegrationPorts): void {
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
