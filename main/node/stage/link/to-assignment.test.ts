import { expect, it } from 'vitest';
import { toAssignment } from './to-assignment.ts';

it('writes numbers and truth values as the engine reads them', () => {
  expect(toAssignment('love', 3, false)).toBe('setVar:love=3;');
  expect(toAssignment('love', -1.5, false)).toBe('setVar:love=(-1.5);');
  expect(toAssignment('好感', false, false)).toBe('setVar:好感=false;');
  expect(toAssignment('seen', true, true)).toBe('setVar:seen=true -global;');
  expect(toAssignment('seen', null, true)).toBe('setVar:seen=unset() -global;');
});

it('escapes all of a text that an expression or a script would read as something else', () => {
  expect(toAssignment('name', 'a+b', false)).toBe('setVar:name=("a\\u002bb");');
  expect(toAssignment('name', '";\n{x} -y=true', false)).not.toMatch(/;\S|\n|\{|-| /);
  expect(toAssignment('name', '你', false)).toBe('setVar:name=("\\u4f60");');
});

it.each(['', 'a b', 'a=b', 'a;b', 'a:b', '{a}', 'a-b', 'a\nb', '__proto__', 'hasOwnProperty', 'x'.repeat(201)])(
  'refuses the name %j',
  (name) => expect(toAssignment(name, 1, true)).toBeNull(),
);
