/** Menu entries for the open scene, with their keys; `null` is a divider. The editor binds the keys. */
export const CODE_ACTIONS = [
  { name: 'definition', action: 'editor.action.revealDefinition', keys: 'F12' },
  { name: 'references', action: 'editor.action.goToReferences', keys: 'Shift+F12' },
  { name: 'rename', action: 'editor.action.rename', keys: 'F2' },
  null,
  { name: 'fix', action: 'editor.action.quickFix', keys: 'Ctrl+.' },
  { name: 'next', action: 'editor.action.marker.next', keys: 'Alt+F8' },
  { name: 'format', action: 'editor.action.formatDocument', keys: 'Shift+Alt+F' },
  null,
  { name: 'suggest', action: 'editor.action.triggerSuggest', keys: 'Ctrl+Space' },
  { name: 'find', action: 'actions.find', keys: 'Ctrl+F' },
  { name: 'all', action: 'editor.action.quickCommand', keys: 'F1' },
] as const;
