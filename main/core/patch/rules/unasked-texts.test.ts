import { expect, it } from 'vitest';
import { createUnaskedTexts } from './unasked-texts.ts';

it('knows the text before the first of several writes, as long as they follow each other', () => {
  const texts = createUnaskedTexts();
  expect(texts.before('a', 'one')).toBe('one');
  texts.wrote('a', 'one', 'two');
  texts.wrote('a', 'two', 'three');
  expect(texts.before('a', 'three')).toBe('one');
  expect(texts.before('a', 'by the user')).toBe('by the user');
  expect(texts.before('b', 'three')).toBe('three');
  texts.agreed('a');
  expect(texts.before('a', 'three')).toBe('three');
});
