import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../../tests/support/any-character.ts';
import { findNearestLines, markDifference } from './nearest-lines.ts';
import { numberLines, toTextLines, withoutLineNumbers } from './numbered-lines.ts';

describe('the nearest lines', () => {
  const text = 'changeBg:a.jpg;\n雪乃:海风真舒服呢;\n:浪声。;\n雪乃:海边真冷呢;\nend;\n';

  test('are those most like the quotation, with each difference marked', () => {
    const [first, second] = findNearestLines(text, '雪乃:海风很舒服啊;');
    expect(first).toEqual({
      line: 2,
      text: '2| 雪乃:海风真舒服呢;',
      difference: '雪乃:海风«真≠很»舒服«呢≠啊»;',
    });
    expect(second?.line).toBe(4);
  });

  test('of several lines begin where the quotation begins', () => {
    expect(findNearestLines(text, ':浪声;\n雪乃:海边真冷啊，是吧;\n')[0]).toEqual({
      line: 3,
      text: '3| :浪声。;\n4| 雪乃:海边真冷呢;',
      difference: ':浪声«。≠»;\n雪乃:海边真冷«呢≠啊，是吧»;',
    });
  });

  test('are none where nothing is similar, and few and short in a long text', () => {
    expect(findNearestLines(text, 'completely different words')).toEqual([]);
    const long = `${'雪乃:海风真舒服呢;'.repeat(500)}\n`.repeat(50);
    const near = findNearestLines(long, Array(30).fill('雪乃:海风真舒服啊;'.repeat(500)).join('\n'));
    expect(near.length).toBeLessThanOrEqual(3);
    expect(JSON.stringify(near).length).toBeLessThan(15_000);
  });

  test('a marked difference contains both texts', () => {
    const line = fc.string({ unit: anyCharacter, maxLength: 30 }).filter((value) => !/[«≠»]/.test(value));
    fc.assert(
      fc.property(line, line, (left, right) => {
        const marked = markDifference(left, right);
        expect(marked.replace(/«([^≠]*)≠([^»]*)»/gu, '$1')).toBe(left);
        expect(marked.replace(/«([^≠]*)≠([^»]*)»/gu, '$2')).toBe(right);
      }),
    );
  });
});

describe('line numbers', () => {
  test('are removed from what was numbered', () => {
    const line = fc.string({ unit: fc.constantFrom(...'甲乙|: 12;'), maxLength: 8 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 2, maxLength: 6 }), fc.integer({ min: 1, max: 2000 }), (lines, first) => {
        expect(withoutLineNumbers(numberLines(lines, first))).toBe(lines.join('\n'));
      }),
    );
  });

  test.each([['12| a'], ['12| a\n14| b'], ['12| a\nb'], ['甲| a\n乙| b'], ['']])(
    'are not taken for text: %j',
    (text) => {
      expect(withoutLineNumbers(text)).toBeNull();
    },
  );

  test('count lines as editors do', () => {
    expect(toTextLines('\ufeffa\r\nb\r\n')).toEqual(['a', 'b']);
    expect(toTextLines('a\n\n')).toEqual(['a', '']);
    expect(toTextLines('')).toEqual([]);
  });
});
