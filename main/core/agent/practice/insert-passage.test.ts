import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { insertPassage } from './insert-passage.ts';

describe('insertPassage', () => {
  it.each([
    ['A:hi;\nend;\n', 'A:hi;\nX\nend;\n'],
    ['A:hi;\r\nend;\r\n', 'A:hi;\r\nX\r\nend;\r\n'],
    ['A:hi;', 'A:hi;\nX'],
    ['A:hi;\n', 'A:hi;\nX\n'],
    ['', 'X\n'],
    ['\uFEFFend;', '\uFEFFX\nend;'],
    [
      'changeScene:a.txt;\nlabel:x;\nchangeScene:b.txt -when=a>1;\n',
      'changeScene:a.txt;\nlabel:x;\nX\nchangeScene:b.txt -when=a>1;\n',
    ],
    ['choose:a:here|b:c.txt;\n:after;\n', 'X\nchoose:a:here|b:c.txt;\n:after;\n'],
    ['choose:a:here|b:there;\n', 'choose:a:here|b:there;\nX\n'],
    ['; end;\nending:x;\ncallScene:a.txt;\n', '; end;\nending:x;\ncallScene:a.txt;\nX\n'],
  ])('%j', (scene, expected) => {
    expect(insertPassage(scene, ['X'])).toBe(expected);
  });

  it('removes nothing from any text', () => {
    const line = fc.constantFrom('A:hi;', 'end;', 'changeScene:a.txt;', 'choose:a:b.txt;', '', '; note', '\uFEFFend;');
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), (lines, ending) => {
        const scene = lines.join(ending);
        const mark = '@@';
        const [head, tail] = insertPassage(scene, [mark]).split(mark);
        const rest = `${head}${tail}`;
        expect(rest.replaceAll(/\s/g, '')).toBe(scene.replaceAll(/\s/g, ''));
        expect(rest.length - scene.length).toBeLessThanOrEqual(ending.length);
      }),
    );
  });
});
