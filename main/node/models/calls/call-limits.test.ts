import { expect, test } from 'vitest';
import { createCallLimits } from './call-limits.ts';

test('a thousand calls are taken, one more ends the step', () => {
  const limits = createCallLimits();
  for (let call = 0; call < 1000; call += 1) expect(limits.begin()).toBeUndefined();
  expect(limits.begin()).toMatchObject({ problem: 'endless', detail: 'More than 1000 calls.' });
});

test('arguments end the step when they are too long in all', () => {
  const limits = createCallLimits();
  expect(limits.take('a', `"${'['.repeat(4_000_000)}`)).toBeUndefined();
  expect(limits.take('b', `"${'['.repeat(4_000_000)}`)).toMatchObject({ problem: 'endless' });
});

test('arguments of each call end the step when they are nested too deeply, also in pieces', () => {
  const limits = createCallLimits();
  const text = `{"text":"${'{'.repeat(5000)}"}`;
  for (const piece of [text.slice(0, 3000), text.slice(3000)]) expect(limits.take('a', piece)).toBeUndefined();
  for (let piece = 0; piece < 5; piece += 1) expect(limits.take('b', '['.repeat(100))).toBeUndefined();
  expect(limits.take('c', '[')).toBeUndefined();
  expect(limits.take('b', '[')).toMatchObject({ problem: 'badAnswer', retryable: false });
});
