import type { Locale } from '../../shared/model/text.ts';

/** Each language's name in that language, so that users can switch from a language they cannot read. */
export const LOCALE_NAMES: Record<Locale, string> = { 'zh-CN': '简体中文', en: 'English' };
