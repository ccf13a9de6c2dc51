import type { editor } from 'monaco-editor/editor';

let code: editor.IStandaloneCodeEditor | null = null;

/** Sets the editor on screen, which `runInCode` uses; null while there is none. */
export function setCode(shown: editor.IStandaloneCodeEditor | null): void {
  code = shown;
}

/** True while the editor's text has the focus. */
export function isCodeFocused(): boolean {
  return code?.hasTextFocus() ?? false;
}

/** Runs an action of the editor at the cursor, like its key. */
export function runInCode(action: string): void {
  if (!code) return;
  code.focus();
  code.trigger('menu', action, null);
}
