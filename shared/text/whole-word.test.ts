import { expect, test } from 'vitest';
import { toWholeWord } from './whole-word.ts';

const mark = (text: string, word: string) => text.replace(toWholeWord(word), '[$&]');

test.each([
  // Within a script that has spaces.
  ['Ann, Anna, Johann, Ann_e, Ann2, Ann!', 'Ann', '[Ann], Anna, Johann, Ann_e, Ann2, [Ann]!'],
  ['Мир, мира, Мир', 'Мир', '[Мир], мира, [Мир]'],
  ['cafe\u0301 cafe', 'cafe', 'cafe\u0301 [cafe]'],
  // Beside another script.
  ['和Alice说，Alices', 'Alice', '和[Alice]说，Alices'],
  ['彼はAliceと', 'Alice', '彼は[Alice]と'],
  ['第3章和第33章', '3', '第[3]章和第33章'],
  // A word of Katakana ends where they end.
  ['アリスがアリストとアリス・アリスー', 'アリス', '[アリス]がアリストと[アリス]・アリスー'],
  // No spaces: every place is whole.
  ['小满说小满来了', '小满', '[小满]说[小满]来了'],
  ['小满A和小满AB', '小满A', '[小满A]和小满AB'],
  ['食べるのだ', 'べる', '食[べる]のだ'],
  ['a.c abc', 'a.c', '[a.c] abc'],
  // Signs end a word themselves.
  ['a - b', ' - ', 'a[ - ]b'],
  ['はい！いいえ！', 'い！', 'は[い！]いいえ！'],
])('in “%s”, finds “%s” whole', (text, word, marked) => {
  expect(mark(text, word)).toBe(marked);
});
