import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toAscii } from './write-ascii.ts';

const evaluate = (code: string): unknown => new Function(`return ${code}`)();

test('the same strings, templates and patterns come from code in ASCII', () => {
  const letters = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => `雪${text}😀`);
  fc.assert(
    fc.property(letters, (text) => {
      const template = `\`${text.replaceAll(/[\\`$]/g, '\\$&')}\``.replaceAll('\r', '\\r');
      for (const code of [JSON.stringify(text), template]) {
        const ascii = toAscii(code);
        expect(ascii).toMatch(/^[\p{ASCII}]*$/u);
        expect(evaluate(ascii)).toBe(text);
      }
    }),
  );
  const pattern = '/^[、。-】😀]+[^…]$/u.test("、😀。x")';
  expect(evaluate(toAscii(pattern))).toBe(evaluate(pattern));
  expect(evaluate(toAscii('(() => { const 名 = { 键: 1 }; return 名.键; })()'))).toBe(1);
});

test('a raw template that would change is refused, with its text', () => {
  expect(() => toAscii('const a = String.raw`…`;')).toThrow('.raw`…`');
  expect(toAscii('const a = String.raw`\\u2026`;')).toBe('const a = String.raw`\\u2026`;');
});
