import { expect, it } from 'vitest';
import { shorten } from './shorten.ts';

it.each([
  ['雨夜', 2, '雨夜'],
  ['雨夜的车站', 4, '雨夜的…'],
  ['', 3, ''],
  ['a🌊b', 3, 'a…'],
])('shortens %j to %i', (text, most, short) => {
  expect(shorten(text, most)).toBe(short);
});
