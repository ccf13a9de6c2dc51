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

/** Focuses the text, if nothing else has the focus. */
export function focusLostToCode(): void {
  if (document.activeElement === document.body) code?.focus();
}

/** Runs an action of the editor at the cursor, like its key. */
export function runInCode(action: string): void {
  if (!code) return;
  code.focus();
  code.trigger('menu', action, null);
}

/** Returns the first and last visible line of the text; null without an editor or before it is drawn. */
export function visibleLines(): { from: number; to: number } | null {
  const ranges = code?.getVisibleRanges() ?? [];
  const from = ranges[0]?.startLineNumber;
  const to = ranges.at(-1)?.endLineNumber;
  return from === undefined || to === undefined ? null : { from, to };
}

/** Scrolls the text to a line; cursor and focus stay. */
export function scrollToLine(line: number): void {
  code?.revealLineInCenterIfOutsideViewport(line);
}
