import type { Locale } from '../../../shared/model/text.ts';

const SCENES: Record<Locale, string> = {
  'zh-CN': `; 游戏从这一幕开始。分号后面的话只给自己看，玩家看不到。
:雨停了，故事从这里开始。;
我:早上好。;
end;
`,
  en: `; The game begins with this scene. What stands behind a semicolon is a note of your own that players do not see.
:The rain has stopped, and the story begins here.;
Me:Good morning.;
end;
`,
};

/** The engine's language names; without one the engine asks players at the first start. */
const LANGUAGES: Record<Locale, string> = { 'zh-CN': 'zh_CN', en: 'en' };

/** Returns the files of a game with one scene. `key` separates its saved games from those of other games. */
export function toNewGame(options: { title: string; key: string; locale: Locale }): { path: string; text: string }[] {
  const { title, key, locale } = options;
  // A semicolon or ` -` would end the value in the settings syntax.
  const name = title
    .replace(/[;；\r\n]/g, ' ')
    .replace(/\s+-/g, '-')
    .trim();
  return [
    { path: 'game/config.txt', text: `Game_name:${name};\nGame_key:${key};\nDefault_Language:${LANGUAGES[locale]};\n` },
    { path: 'game/scene/start.txt', text: SCENES[locale] },
  ];
}
