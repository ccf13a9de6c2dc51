import en from '../../../../shared/i18n/en/desktop.json' with { type: 'json' };
import ja from '../../../../shared/i18n/ja/desktop.json' with { type: 'json' };
import zhCN from '../../../../shared/i18n/zh-CN/desktop.json' with { type: 'json' };

/** The texts that the desktop host shows outside of the page: dialogs, menus, notifications. */
export type DesktopText = typeof en;

/** Returns the texts for a language tag such as `zh-TW` or `en-GB`; English if there is no catalogue. */
export function findDesktopText(locale: string): DesktopText {
  if (locale.startsWith('zh')) return zhCN;
  if (locale.startsWith('ja')) return ja;
  return en;
}
