import { TEXTS } from '../../../../shared/i18n/texts/desktop.ts';
import { type Locale, toLocale } from '../../../../shared/model/local-text.ts';

/** The texts that the desktop host shows outside of the page: dialogs, menus, notifications. */
export type DesktopText = (typeof TEXTS)['en'];

const BY_LOCALE: Partial<Record<Locale, DesktopText>> = TEXTS;

/** Returns the texts for a language tag such as `zh-TW` or `en-GB`; English if there is no catalogue. */
export function findDesktopText(tag: string): DesktopText {
  return BY_LOCALE[toLocale(tag)] ?? TEXTS.en;
}
