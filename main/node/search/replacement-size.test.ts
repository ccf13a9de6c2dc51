import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createReplacementSize } from './replacement-size.ts';

const template = fc
  .array(
    fc.oneof(
      fc.constantFrom('$$', '$&', '$`', "$'", '$0', '$1', '$2', '$3', '$00', '$01', '$10', '$12', '$99', '$', '<', '>'),
      fc.constantFrom('$<a>', '$<b>', '$<none>', '$<', '$<>', '$$&', 'x', '12'),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

test('the size equals the length of the JavaScript replacement, for any template', () => {
  const expressions = [/b/g, /(a)|(b)/g, /(?<a>a)(?<b>c)?/g, /(?:)/g, /(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)/g, /zz/g];
  fc.assert(
    fc.property(
      template,
      fc.constantFrom(...expressions),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c') }),
      (...given) => {
        const [words, expression, text] = given;
        const sizeOf = createReplacementSize(words);
        let size = text.length;
        for (const match of text.matchAll(expression)) size += sizeOf(match) - match[0].length;
        expect(size).toBe(text.replace(expression, words).length);
      },
    ),
    { numRuns: 2_000 },
  );
});
