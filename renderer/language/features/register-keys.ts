import type { Monaco } from '../../state/monaco/monaco.ts';

/**
 * Binds the documented keys, the same on every system and in every browser: Monaco's defaults differ, and its menus show
 * the binding added last.
 */
export function registerKeys(monaco: Monaco): void {
  const { KeyCode, KeyMod } = monaco;
  monaco.editor.addKeybindingRules([
    { keybinding: KeyCode.F12, command: 'editor.action.revealDefinition', when: 'editorHasDefinitionProvider' },
    {
      keybinding: KeyMod.Shift | KeyMod.Alt | KeyCode.KeyF,
      command: 'editor.action.formatDocument',
      when: 'editorHasDocumentFormattingProvider && !editorReadonly',
    },
  ]);
}
