import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText } from './folded-text.ts';
import { findFolded, replaceFolded } from './replace-folded.ts';

function replaceOnce(text: string, find: string, replace: string): string | number {
  const folded = foldText(text);
  const places = findFolded(folded, find);
  const [place] = places;
  return place && places.length === 1 ? replaceFolded(text, { text: folded, place, find, replace }) : places.length;
}

describe('a tolerant replacement', () => {
  test.each([
    ['punctuation', '雪乃:海风真舒服，对吧？;\n', '海风真舒服,对吧?', '海风真冷,对吧?', '雪乃:海风真冷，对吧？;\n'],
    [
      'blanks',
      'changeBg:a.jpg -next;\n',
      'changeBg: a.jpg  -next',
      'changeBg: b.jpg  -next',
      'changeBg:b.jpg -next;\n',
    ],
    ['line endings', 'a:1;\r\nb:2;\r\n', 'a:1;\nb:2;', 'a:1;\nb:3;', 'a:1;\r\nb:3;\r\n'],
    ['trailing blanks', 'a:1;  \nb:2;\n', 'a:1;\nb:2;\n', 'a:1;\nb:3;\n', 'a:1;  \nb:3;\n'],
    ['empty lines', 'a:1;\n\n\nb:2;\n', 'a:1;\nb:2;', 'a:9;\nb:2;', 'a:9;\n\n\nb:2;\n'],
    ['quotation marks', ':“你好……”她说。;', '"你好......"她说.', '"再见......"她说.', ':“再见……”她说。;'],
    ['full-width letters', ':ＯＫ！;', 'OK!', 'OK!?', ':ＯＫ！?;'],
    ['a removed line', 'a；\nb；\nc;\n', 'b;\n', '', 'a；\nc;\n'],
    [
      'an argument added before a blank',
      'changeBg:a.jpg -next;',
      'a.jpg-next',
      'a2.jpg-next',
      'changeBg:a2.jpg -next;',
    ],
    ['a removed blank', 'x， y;', 'x, y', 'x,y', 'x，y;'],
    ['words that stay apart', 'now here;', 'nowhere', 'x', 0],
    ['two places', '好，好。\n好,好.\n', '好, 好', 'x', 2],
    ['blanks alone', 'a b', '  \n', 'x', 0],
  ])('keeps what the quotation had otherwise: %s', (_, text, find, replace, expected) => {
    expect(replaceOnce(text, find, replace)).toBe(expected);
  });

  const unit = fc.constantFrom(...'，。：；！？“”…—、　 \n\r甲乙丙丁ab1:;,.?"-|{}');
  const source = fc.array(unit, { minLength: 4, maxLength: 40 }).map((units) => units.join(''));
  const OTHER: Record<string, string> = { '，': ',', '。': '.', '：': ':', '；': ';', '！': '!', '？': '?', '“': '"' };

  test('of a quotation by itself changes nothing, however it is quoted', () => {
    fc.assert(
      fc.property(source, fc.nat(), fc.nat(), (text, from, length) => {
        const start = from % text.length;
        const quoted = text.slice(start, start + 1 + (length % 12));
        const find = quoted.replace(/./gu, (character) => OTHER[character] ?? character).replace(/\r/g, '');
        const made = replaceOnce(text, find, find);
        expect(typeof made === 'number' ? text : made).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('leaves everything around the place as it is', () => {
    fc.assert(
      fc.property(source, source, fc.nat(), (text, replace, from) => {
        const find = text.slice(from % text.length, (from % text.length) + 8);
        const folded = foldText(text);
        const places = findFolded(folded, find);
        const [place] = places;
        if (place === undefined || places.length > 1) return;
        const made = replaceFolded(text, { text: folded, place, find, replace });
        expect(made.startsWith(text.slice(0, place.start))).toBe(true);
        expect(made.endsWith(text.slice(place.end))).toBe(true);
        const inside = made.slice(place.start, made.length - (text.length - place.end));
        const bare = (value: string) => foldText(value).text.replace(/\s/g, '');
        expect(bare(inside)).toBe(bare(replace));
      }),
      { numRuns: 500 },
    );
  });
});
