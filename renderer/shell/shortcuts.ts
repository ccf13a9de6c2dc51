import { CODE_ACTIONS } from '../editor/code-actions.ts';
import { VIEWS } from '../state/navigation.ts';

/** A row of the list: a message key (`shell:shortcuts.*` unless it names another area) and the keys as on Windows and Linux. */
export interface Shortcut {
  text: string;
  keys: string[];
  /** True for the desktop app only: a browser reserves the key. */
  isDesktopOnly?: boolean;
}

const WINDOW: Shortcut[] = [
  { text: 'newScene', keys: ['Ctrl+N'], isDesktopOnly: true },
  { text: 'openGame', keys: ['Ctrl+O'], isDesktopOnly: true },
  { text: 'save', keys: ['Ctrl+S'] },
  { text: 'closeTab', keys: ['Ctrl+W'], isDesktopOnly: true },
  { text: 'closeGame', keys: ['Ctrl+Shift+W'], isDesktopOnly: true },
  { text: 'settings', keys: ['Ctrl+,'], isDesktopOnly: true },
  { text: 'search', keys: ['Ctrl+Shift+F'] },
  { text: 'replace', keys: ['Ctrl+Shift+H'] },
  { text: 'views', keys: [`Ctrl+1 – Ctrl+${VIEWS.length}`] },
  { text: 'regions', keys: ['F6', 'Shift+F6'] },
  { text: 'zoom', keys: ['Ctrl++', 'Ctrl+-', 'Ctrl+0'] },
  { text: 'fullscreen', keys: ['F11'] },
];

/** All documented shortcuts, by the part of the window in which they work. */
export const SHORTCUTS: { group: 'window' | 'scenes' | 'editor' | 'assistant' | 'review'; rows: Shortcut[] }[] = [
  { group: 'window', rows: WINDOW },
  {
    group: 'scenes',
    rows: [
      { text: 'renameScene', keys: ['F2'] },
      { text: 'deleteScene', keys: ['Del'] },
    ],
  },
  {
    group: 'editor',
    rows: [
      { text: 'undo', keys: ['Ctrl+Z', 'Ctrl+Shift+Z'] },
      ...CODE_ACTIONS.filter((item) => item !== null).map(({ name, keys }) => ({
        text: `editor:menu.${name}`,
        keys: [keys],
      })),
    ],
  },
  {
    group: 'assistant',
    rows: [
      { text: 'send', keys: ['Enter'] },
      { text: 'newLine', keys: ['Shift+Enter'] },
    ],
  },
  {
    group: 'review',
    rows: [
      { text: 'nextChange', keys: ['F7', 'Shift+F7'] },
      { text: 'accept', keys: ['Ctrl+Enter'] },
      { text: 'leave', keys: ['Esc'] },
    ],
  },
];

const MAC_NAMES: [RegExp, string][] = [
  [/F11/, '⌃⌘F'],
  [/Ctrl\+Space/, '⌃Space'],
  [/Ctrl\+/g, '⌘'],
  [/Shift\+/g, '⇧'],
  [/Alt\+/g, '⌥'],
];

/** Returns the keys with their names on this system. */
export function toShownKeys(keys: string, isMac: boolean): string {
  return isMac ? MAC_NAMES.reduce((shown, [from, to]) => shown.replace(from, to), keys) : keys;
}
