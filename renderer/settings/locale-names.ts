import type { Locale } from '../../shared/model/text.ts';

/** Each language in its own words, so that one finds home from a language one cannot read. */
export const LOCALE_NAMES: Record<Locale, string> = { 'zh-CN': '简体中文', en: 'English' };
