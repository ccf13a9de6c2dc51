import en from '../../../../shared/i18n/en/desktop.json' with { type: 'json' };
import ja from '../../../../shared/i18n/ja/desktop.json' with { type: 'json' };
import zhCN from '../../../../shared/i18n/zh-CN/desktop.json' with { type: 'json' };
import { type Locale, toLocale } from '../../../../shared/model/local-text.ts';

/** The texts that the desktop host shows outside of the page: dialogs, menus, notifications. */
export type DesktopText = typeof en;

const TEXTS: Partial<Record<Locale, DesktopText>> & { en: DesktopText } = { 'zh-CN': zhCN, en, ja };

/** Returns the texts for a language tag such as `zh-TW` or `en-GB`; English if there is no catalogue. */
export function findDesktopText(tag: string): DesktopText {
  return TEXTS[toLocale(tag)] ?? TEXTS.en;
}
