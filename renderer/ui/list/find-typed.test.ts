import { expect, it } from 'vitest';
import { findTyped } from './find-typed.ts';

const items = ['start', 'chapter 1', 'chapter 2', 'Coda', '雨夜'];
let at = 0;
const type = (keys: string, from: number) => {
  at += 10_000;
  let found: number | null = from;
  for (const key of keys) {
    at += 100;
    found = findTyped(items, { key, at, from: found ?? from, toText: (item) => item });
  }
  return found;
};

it('finds the next item with the typed letter, wraps around and ignores case', () => {
  expect([type('c', 0), type('c', 1), type('c', 3), type('s', 0), type('雨', 0)]).toEqual([1, 2, 1, 0, 4]);
});

it('joins quickly typed letters and moves on for a repeated letter', () => {
  expect([type('co', 0), type('chapter 2', 0), type('cc', 0)]).toEqual([3, 2, 2]);
});

it('ignores other keys, a leading space and unmatched text', () => {
  expect([type('x', 0), type(' ', 0)]).toEqual([null, null]);
  expect(findTyped(items, { key: 'Enter', at: 0, from: 0, toText: String })).toBeNull();
  expect(findTyped([], { key: 'a', at: 0, from: 0, toText: String })).toBeNull();
});
