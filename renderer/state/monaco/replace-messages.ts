/**
 * Messages of Monaco that call a scene's labels and ways “symbols”, by their place in its table of messages, which has no names;
 * each with our text. A test compares the places with Monaco's source.
 */
export const REPLACED = [
  { at: 842, english: 'Go to Symbol...', ours: 'menu.outline' },
  { at: 1416, english: 'No matching editor symbols', ours: 'outline.noMatch' },
  { at: 1417, english: 'No editor symbols', ours: 'outline.empty' },
  { at: 1420, english: 'symbols ({0})', ours: 'outline.count' },
  { at: 1457, english: 'Rename Symbol', ours: 'menu.rename' },
] as const;

declare global {
  /** Monaco's messages in the language of the page; without one for a place, it shows its English. */
  var _VSCODE_NLS_MESSAGES: string[] | undefined;
}

/** Replaces messages of Monaco before its code is loaded. `t` translates a key of the namespace `editor`. */
export function replaceMessages(t: (key: (typeof REPLACED)[number]['ours']) => string): void {
  globalThis._VSCODE_NLS_MESSAGES ??= [];
  for (const { at, ours } of REPLACED) globalThis._VSCODE_NLS_MESSAGES[at] = t(ours);
}
