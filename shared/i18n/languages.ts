import type { Locale } from '../model/local-text.ts';
import { TEXTS } from './texts/language.ts';

interface Language {
  /** Its name in the language itself, so that users can switch from a language they cannot read. */
  name: string;
  /** Stands between the items of a list in a sentence. */
  listSeparator: string;
  /** Its name in a game's `Default_Language`. */
  engineLanguage: string;
  /** Its number in the engine's storage, which the stage sets. */
  engineNumber: string;
}

export const LANGUAGES: Record<Locale, Language> = TEXTS;
