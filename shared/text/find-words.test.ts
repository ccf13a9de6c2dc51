import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findWords, toFolded, toWords } from './find-words.ts';

const find = (text: string, request: string) => findWords(text, toWords(request));

it('finds parts of words in any script, whatever their case and width', () => {
  expect(find('The RAIN stops', 'rain')).toEqual({ before: 'The ', match: 'RAIN', after: ' stops' });
  expect(find('海边的雨停了，雪乃回头。', '雨停')).toMatchObject({ before: '海边的', match: '雨停' });
  expect(find('夜のガラス', 'ｶﾞﾗｽ')).toMatchObject({ match: 'ガラス' });
  expect(find('ＡＢＣ', 'bc')).toMatchObject({ before: 'Ａ', match: 'ＢＣ' });
  expect(find('100 ㎒', 'mhz')).toMatchObject({ match: '㎒' });
  expect(find('Die Straße', 'STRASSE')).toMatchObject({ match: 'Straße' });
  expect(find('ΟΔΟΣ', 'οδος')).toMatchObject({ match: 'ΟΔΟΣ' });
  expect(find('か\u3099く', 'がく')).toMatchObject({ match: 'か\u3099く' });
});

it('needs all words, in any order', () => {
  expect(find('night and rain', 'rain night')).toMatchObject({ match: 'rain' });
  expect(find('night and snow', 'rain night')).toBeNull();
  expect(find('anything', '   ')).toBeNull();
});

it('shows a line around the place', () => {
  const found = find(`${'a'.repeat(100)}\n\n  here\tis ${'b'.repeat(300)}`, 'here');
  expect(found?.before).toMatch(/^…a{30,36} $/);
  expect(found?.after).toMatch(/^ is b{100,120}…$/);
});

it('returns the place as it is written, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }), (text, word) => {
      const words = toWords(word);
      const found = findWords(text, words);
      expect(found !== null).toBe(words.length > 0 && words.every((each) => toFolded(text).includes(each)));
    }),
  );
});
