import { expect, test } from 'vitest';
import { isEngineAtLeast } from './engine-version.ts';

test.each([
  ['4.5.18', '4.5.18', true],
  ['4.5.17', '4.5.18', false],
  ['v4.10.0', '4.5.18', true],
  ['4.5.15-1', '4.5.15', true],
  // Unknown: the app's own version.
  ['next', '4.5.18', true],
  // The own count of a fork.
  ['1.2.0', '4.5.18', true],
  ['3.9.7', '4.0.0', false],
])('%s is at least %s: %s', (version, minimum, isIt) => {
  expect(isEngineAtLeast(version, minimum)).toBe(isIt);
});
