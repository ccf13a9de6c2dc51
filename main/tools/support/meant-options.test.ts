import { expect, it } from 'vitest';
import { toMeantOptions } from './meant-options.ts';

it.each([
  [
    ['白天', '夜里'],
    ['白天', '夜里'],
  ],
  [
    ['1. Day', '2. Night'],
    ['Day', 'Night'],
  ],
  [
    ['A) Day', 'B) Night'],
    ['Day', 'Night'],
  ],
  [
    ['（1）白天', '（2）夜里'],
    ['白天', '夜里'],
  ],
  [
    ['3. May', 'June'],
    ['3. May', 'June'],
  ],
  [
    ['1.5 hours', '2 hours'],
    ['1.5 hours', '2 hours'],
  ],
  [
    ['Day', ' Day ', 'Night', ''],
    ['Day', 'Night'],
  ],
  [
    [{ label: 'Day', description: 'sunny' }, { text: 'Night' }],
    ['Day', 'Night'],
  ],
  [{ a: 'Day', b: 'Night' }, ['Day', 'Night']],
  ['["Day","Night"]', ['Day', 'Night']],
  ['- Day\n- Night', ['Day', 'Night']],
  [['- Day\n- Night'], ['Day', 'Night']],
  [
    [1, 2],
    ['1', '2'],
  ],
  [
    ['a\nb', 'c'],
    ['a b', 'c'],
  ],
  [['Day'], undefined],
  [['Day', 'Day'], undefined],
  [[null, {}, []], undefined],
  [undefined, undefined],
])('reads %j as %j', (given, meant) => {
  expect(toMeantOptions(given)).toEqual(meant);
});

it('bounds number and length', () => {
  const many = toMeantOptions(Array.from({ length: 9 }, (_, index) => `${index}${'长'.repeat(400)}`));
  expect(many).toHaveLength(6);
  expect(Math.max(...(many ?? []).map(({ length }) => length))).toBeLessThanOrEqual(200);
});
