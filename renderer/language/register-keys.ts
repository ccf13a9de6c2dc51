import type { Monaco } from '../editor/monaco.ts';

/**
 * The keys a writer is told of, the same on every system and in every browser: the editor's own differ from one to the
 * next, and its menus show the one named last.
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
