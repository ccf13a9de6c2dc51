import { expect, it } from 'vitest';
import { toAssignment } from './to-assignment.ts';

it('writes numbers and truth values as the engine reads them', () => {
  expect(toAssignment('love', 3)).toBe('setVar:love=3;');
  expect(toAssignment('love', -1.5)).toBe('setVar:love=(-1.5);');
  expect(toAssignment('好感', false)).toBe('setVar:好感=false;');
});

it('escapes all of a text that an expression or a script would read as something else', () => {
  expect(toAssignment('name', 'a+b')).toBe('setVar:name=("a\\u002bb");');
  expect(toAssignment('name', '";\n{x} -y=true')).not.toMatch(/;\S|\n|\{|-| /);
  expect(toAssignment('name', '你')).toBe('setVar:name=("\\u4f60");');
});

it.each(['', 'a b', 'a=b', 'a;b', 'a:b', '{a}', 'a-b', 'a\nb', '__proto__', 'hasOwnProperty', 'x'.repeat(201)])(
  'refuses the name %j',
  (name) => expect(toAssignment(name, 1)).toBeNull(),
);
