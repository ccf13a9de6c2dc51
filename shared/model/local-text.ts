import { z } from 'zod';

/** The languages of the app, in the order of its menus; each has a folder with every text in `shared/i18n`. */
export const LOCALES = ['zh-CN', 'en', 'ja'] as const;
export const Locale = z.enum(LOCALES);
export type Locale = z.infer<typeof Locale>;

/**
 * The languages that every `LocalText` has. Sessions and audit logs keep these texts; those of earlier versions lack the
 * languages added since, which are therefore not required.
 */
export const RECORDED_LOCALES = ['zh-CN', 'en'] as const satisfies readonly Locale[];
type RecordedLocale = (typeof RECORDED_LOCALES)[number];

type LocalTextShape = Record<RecordedLocale, z.ZodString> &
  Record<Exclude<Locale, RecordedLocale>, z.ZodOptional<z.ZodString>>;

function toLocalTextShape(): LocalTextShape {
  const recorded: readonly Locale[] = RECORDED_LOCALES;
  const fields = LOCALES.map((locale) => [locale, recorded.includes(locale) ? z.string() : z.string().optional()]);
  return Object.fromEntries(fields) as LocalTextShape;
}

/** A sentence in the languages that it is translated to, for texts created outside the page's i18n. */
export const LocalText = z.object(toLocalTextShape());
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

/**
 * Returns the language tag of the system. Every `Intl` type knows it; the rules of plurals are the ones that load no calendars and
 * no collations, which takes the others 5 to 10 ms of a program's start.
 */
export function readSystemLocale(): string {
  return new Intl.PluralRules().resolvedOptions().locale;
}

/** Returns the text in the language of a tag; English where it is not translated. */
export function toLocalText(text: LocalText, tag: string): string {
  return text[toLocale(tag)] ?? text.en;
}
