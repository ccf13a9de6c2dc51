import type { editor } from 'monaco-editor/editor';

let code: editor.IStandaloneCodeEditor | null = null;

/** The editor on screen, for whoever runs its actions from outside; null while there is none. */
export function setCode(shown: editor.IStandaloneCodeEditor | null): void {
  code = shown;
}

/** True while the user is writing in the editor. */
export function isCodeFocused(): boolean {
  return code?.hasTextFocus() ?? false;
}

/** Runs one of the editor's own actions where the cursor is, as its key would. */
export function runInCode(action: string): void {
  if (!code) return;
  code.focus();
  code.trigger('menu', action, null);
}
