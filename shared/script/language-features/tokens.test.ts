import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenizeLine } from './tokens.ts';

const read = (line: string) => tokenizeLine(line).map((token) => `${token.type} ${line.slice(token.start, token.end)}`);

describe('tokenizeLine', () => {
  test.each([
    ['; note', ['comment ; note']],
    ['', []],
    [
      '小雪:你好，{name}！|[注](zhù) -v1.wav -fontSize=small; 注',
      [
        'speaker 小雪',
        'punctuation :',
        'text 你好，',
        'interpolation {name}',
        'text ！',
        'punctuation |',
        'markup [',
        'text 注',
        'markup ](zhù)',
        'punctuation -',
        'asset v1.wav',
        'punctuation -',
        'argumentName fontSize',
        'punctuation =',
        'argumentValue small',
        'punctuation ;',
        'comment  注',
      ],
    ],
    [
      'choose:(a>1)[b]->去:go|不去:b.txt;',
      [
        'command choose',
        'punctuation :',
        'punctuation (',
        'variable a',
        'expression >',
        'number 1',
        'punctuation )',
        'punctuation [',
        'variable b',
        'punctuation ]',
        'punctuation ->',
        'string 去',
        'punctuation :',
        'label go',
        'punctuation |',
        'string 不去',
        'punctuation :',
        'scene b.txt',
        'punctuation ;',
      ],
    ],
    [
      'setVar:好感=好感+1 -when=x=="y" -duration=20;',
      [
        'command setVar',
        'punctuation :',
        'variable 好感',
        'punctuation =',
        'variable 好感',
        'expression +',
        'number 1',
        'punctuation -',
        'argumentName when',
        'punctuation =',
        'variable x',
        'expression =',
        'expression =',
        'string "y"',
        'punctuation -',
        'argumentName duration',
        'punctuation =',
        'number 20',
        'punctuation ;',
      ],
    ],
    [
      'setTransform:{"x":-5} -target=fig-left',
      [
        'command setTransform',
        'punctuation :',
        'punctuation {',
        'string "x"',
        'punctuation :',
        'number -5',
        'punctuation }',
        'punctuation -',
        'argumentName target',
        'punctuation =',
        'argumentValue fig-left',
      ],
    ],
  ])('tokenizes %s', (line, expected) => {
    expect(read(line)).toEqual(expected);
  });

  test('returns sorted tokens inside the line for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'changeBg:choose;|-> -[](){}"\\=1a你'), maxLength: 40 }),
        (line) => {
          let from = 0;
          for (const token of tokenizeLine(line)) {
            expect(token.start).toBeGreaterThanOrEqual(from);
            expect(token.end).toBeGreaterThan(token.start);
            from = token.end;
          }
          expect(from).toBeLessThanOrEqual(line.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});
