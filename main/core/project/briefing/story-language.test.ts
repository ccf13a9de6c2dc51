import { expect, test } from 'vitest';
import { createMemoryDisk } from '../../../../tests/support/chat-kit.ts';
import { findStoryLanguage, toLanguage } from './story-language.ts';

test.each([
  ['你来了。下雨了，我们回家吧，不要再等了。I love you 是她最后一句话。', 'zh'],
  ['雨が降っている。傘を忘れたから、駅で待っていた。ありがとう、と彼女は言った。', 'ja'],
  ['비가 오고 있어. 우산을 가져오지 않았어. 역에서 기다렸어.', 'ko'],
  ['Идёт дождь. Я забыла зонт и ждала тебя на станции.', 'ru'],
  ['Йде дощ. Я забула парасольку і чекала тебе на станції.', null],
  ['The rain does not stop, and you are what I was waiting for.', 'en'],
  ['Il pleut encore. Je t’ai attendue devant la gare toute la nuit.', null],
  ['雨', null],
])('recognises the language of %s', (text, language) => {
  expect(toLanguage(text)).toBe(language);
});

test('reads spoken text, not commands and file names', async () => {
  const commands = 'changeBg:street_the_and_you_is_it_that.webp -next;\n'.repeat(200);
  const { reader } = createMemoryDisk({
    'game/scene/start.txt': `${commands}changeScene:a.txt;`,
    'game/scene/a.txt': '雪乃:下雨了，我们在车站等到天亮，谁也没有先开口说话。;\n:雨一直没有停。;',
  });
  expect(await findStoryLanguage(reader)).toBe('zh');
});

test('returns null for a game without scenes', async () => {
  expect(await findStoryLanguage(createMemoryDisk({}).reader)).toBeNull();
});
