import { LANGUAGES } from '../../../shared/i18n/languages.ts';
import { projectTexts } from '../../../shared/i18n/project.ts';
import type { Locale } from '../../../shared/model/local-text.ts';

/** Returns the files of a game with one scene. `key` separates its saved games from those of other games. */
export function toNewGame(options: { title: string; key: string; locale: Locale }): { path: string; text: string }[] {
  const { title, key, locale } = options;
  // A semicolon or ` -` would end the value in the settings syntax.
  const name = title
    .replace(/[;；\r\n]/g, ' ')
    .replace(/\s+-/g, '-')
    .trim();
  // Without a language the engine asks players at the first start.
  const language = LANGUAGES[locale].engineLanguage;
  return [
    { path: 'game/config.txt', text: `Game_name:${name};\nGame_key:${key};\nDefault_Language:${language};\n` },
    { path: 'game/scene/start.txt', text: projectTexts.translate(locale, 'firstScene') },
  ];
}
