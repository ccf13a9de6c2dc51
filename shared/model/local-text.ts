import { z } from 'zod';

/** The languages of the app; each has a folder in `shared/i18n`. */
export const LOCALES = ['zh-CN', 'en', 'ja'] as const;
export const Locale = z.enum(LOCALES);
export type Locale = z.infer<typeof Locale>;

/** A sentence in the languages that it is translated to, for texts created outside the page's i18n. */
export const LocalText = z.object({
  'zh-CN': z.string(),
  en: z.string(),
  ja: z.string().optional(),
} satisfies Record<Locale, z.ZodType>);
export type LocalText = z.infer<typeof LocalText>;

/** Returns a text that is the same in every language, such as a name. */
export function toSameText(text: string): LocalText {
  return { 'zh-CN': text, en: text };
}

/** Returns the app's language for a language tag such as `zh-Hans-CN` or `ja_JP.UTF-8`; null if it has none. */
export function findLocale(tag: string): Locale | null {
  const language = tag.toLowerCase().split(/[-_.]/)[0];
  return LOCALES.find((locale) => locale.split('-')[0] === language) ?? null;
}

/** Returns the app's language for a language tag; English if it has none. */
export function toLocale(tag: string): Locale {
  return findLocale(tag) ?? 'en';
}

/** Returns the text in the language of a tag; English where it is not translated. */
export function toLocalText(text: LocalText, tag: string): string {
  return text[toLocale(tag)] ?? text.en;
}
