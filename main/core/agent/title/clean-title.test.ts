import { expect, it } from 'vitest';
import { cleanTitle, toOneLine } from './clean-title.ts';

it.each([
  ['雨夜的争吵', '雨夜的争吵'],
  ['"A quarrel in the rain."', 'A quarrel in the rain'],
  ['《雨夜的争吵》\n\n希望你喜欢！', '雨夜的争吵'],
  ['**Title: Rain**', 'Rain'],
  ['标题：「雨」', '雨'],
  ['<think>hm\nok</think>\nRain', 'Rain'],
  ['<b>Rain</b>', 'Rain'],
  ['gentle\u202e rain\u200b', 'gentle rain'],
  ['Rain\tand\u0007 snow', 'Rain and snow'],
  ['  \n"" \n', null],
  ['<think>never ends', null],
])('cleans %j', (text, title) => {
  expect(cleanTitle(text)).toBe(title);
});

it('cuts between characters', () => {
  const title = cleanTitle('🌧'.repeat(60)) ?? '';
  expect([...title]).toHaveLength(40);
  expect(title.isWellFormed()).toBe(true);
});

it.each([
  ['《雨》第二章', '《雨》第二章'],
  ['「雪」的台词', '「雪」的台词'],
  ['“引号”', '“引号”'],
  ['# 第三章 <1>。', '# 第三章 <1>。'],
  ['👨‍👩‍👧 family', '👨‍👩‍👧 family'],
  ['雨'.repeat(200), '雨'.repeat(200)],
  ['  two\nlines\u202e  of it ', 'two lines of it'],
  ['\u200b \u202e', null],
])('keeps the words of the user: %j', (text, title) => {
  expect(toOneLine(text)).toBe(title);
});
