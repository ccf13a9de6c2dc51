import { expect, test } from 'vitest';
import { negotiateMajor } from './negotiate-version.ts';

test.each([
  ['2.0.0', 2],
  ['2.9.9', 2],
  ['^2.0.0', 2],
  ['^2.1.0', 2],
  ['^2.4.0', null],
  ['>=1.0.0 <3.0.0', 2],
  ['1.5.0', 1],
  ['^1.0.0', 1],
  ['1.x', 1],
  ['~0.9.0', null],
  ['3.0.0', null],
  ['*', 2],
  ['newest', undefined],
  ['', undefined],
  ['^'.repeat(100), undefined],
])('%s of a tool with the versions 2.3.4 and 1.x: %s', (asked, expected) => {
  expect(negotiateMajor(asked, { current: '2.3.4', earlier: [1] })).toBe(expected);
});
