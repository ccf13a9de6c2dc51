import type { Locale } from '../model/local-text.ts';
import en from './en/language.json' with { type: 'json' };
import ja from './ja/language.json' with { type: 'json' };
import zhCN from './zh-CN/language.json' with { type: 'json' };

interface Language {
  /** Its name in the language itself, so that users can switch from a language they cannot read. */
  name: string;
  /** Stands between the items of a list in a sentence. */
  listSeparator: string;
  /** Its name in a game's `Default_Language`. */
  engineLanguage: string;
}

export const LANGUAGES: Record<Locale, Language> = { 'zh-CN': zhCN, en, ja };
