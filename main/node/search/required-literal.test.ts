import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRequiredLiteral } from './required-literal.ts';

test.each([
  ['雪乃', '', '雪乃'],
  ['jumpLabel:end', '', 'jumpLabel:end'],
  ['^changeBg:.*-next;$', '', 'changeBg:'],
  ['a|b', '', null],
  ['(abc|d)efg', '', 'efg'],
  ['ab?c', '', 'a'],
  ['abc+d', '', 'abc'],
  ['abc{0,2}d', '', 'ab'],
  ['[abc]def', '', 'def'],
  ['\\d+px', '', 'px'],
  ['a\\.txt', '', 'a.txt'],
  ['\\u0041bc', '', null],
  ['abc', 'i', null],
  ['abc雪乃', 'i', '雪乃'],
  ['(?:x)*', '', null],
  ['\\bword\\b', '', 'word'],
  ['(?!no)yes', '', 'yes'],
  ['a', 'v', null],
])('/%s/%s requires %j', (regex, flags, expected) => {
  expect(findRequiredLiteral(regex, flags)).toBe(expected);
});

test('every match contains the literal, for any pattern', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '雪',
    '.',
    '\\d',
    '\\.',
    '[ab]',
    '(a|b)',
    '(?:ab)',
    '(?=a)',
    '(?!b)',
    '\\b',
    '^',
    '$',
    '1',
  );
  const times = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{0,1}', '{1,}', '+?');
  const pattern = fc.array(
    fc.tuple(piece, times).map(([one, many]) => (/[\^$b?]$|\(\?/.test(one) ? one : one + many)),
    {
      minLength: 1,
      maxLength: 6,
    },
  );
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '雪', '.', '1', ' '), maxLength: 30 });
  fc.assert(
    fc.property(pattern, text, fc.constantFrom('', 'i', 'u'), (pieces, subject, flags) => {
      const regex = pieces.join('');
      const literal = findRequiredLiteral(regex, flags);
      const match = new RegExp(regex, flags).exec(subject);
      if (match !== null && literal !== null) expect(subject).toContain(literal);
    }),
    { numRuns: 2000 },
  );
});
