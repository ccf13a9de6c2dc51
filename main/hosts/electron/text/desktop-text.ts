import en from './en.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import zh from './zh-CN.json' with { type: 'json' };

/** The texts that the desktop host shows outside of the page: dialogs, menus, notifications. */
export type DesktopText = typeof en;

/** Returns the texts for a language tag such as `zh-TW` or `en-GB`; English if there is no catalogue. */
export function findDesktopText(locale: string): DesktopText {
  if (locale.startsWith('zh')) return zh;
  if (locale.startsWith('ja')) return ja;
  return en;
}
