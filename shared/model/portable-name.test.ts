import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isForbiddenName, toNameFault } from './portable-name.ts';

describe('a name is refused on every system', () => {
  test.each([
    ['..'],
    ['a.'],
    ['a '],
    ['...'],
    ['.git '],
    ['con'],
    ['CON.txt'],
    ['nul .txt'],
    ['aux.tar.gz'],
    ['com1'],
    ['LPT9.log'],
    ['com¹'],
    ['lpt³.txt'],
    ['CONIN$'],
    ['clock$'],
    ['GIT~1'],
    ['PROGRA~1.txt'],
    ['NODE_M~1'],
    ['a:b'],
    ['start.txt:hidden'],
    ['a\\b'],
    ['a\0b'],
    ['a\nb'],
    ['a*'],
    ['a?'],
    ['"a"'],
    ['a|b'],
    ['a<b'],
    ['\ud800'],
    ['a\uffff'],
    ['.git'],
    ['.GIT'],
    ['.Git'],
    ['.g\u200cit'],
    ['.gi\u200dt'],
    ['\ufeff.git'],
    ['．git'],
    ['.ｇｉｔ'],
    ['.gıt'],
    ['node_modules'],
    ['NODE_MODULES'],
    ['node_moduleſ'],
    ['.env'],
    ['.ENV'],
    ['.env.local'],
    ['.Env.Production'],
    ['.webgal_agent'],
    ['.WebGAL_Agent'],
  ])('%j', (name) => {
    expect(toNameFault(name)).not.toBeNull();
  });

  test.each([
    ['start.txt'],
    ['第一章.txt'],
    ['.gitignore'],
    ['.github'],
    ['console.txt'],
    ['com10.txt'],
    ['común.txt'],
    ['a~b.txt'],
    ['abcdefghi~1.txt'],
    ['node_modules2'],
    ['.envrc'],
    ['environment'],
    ['a b.txt'],
    ['雪乃 (1).png'],
    ["it's"],
    ['.git2'],
    ['e\u0301.txt'],
    ['🌸.txt'],
    ['nullable.txt'],
    ['ゆき.txt'],
    ['auxiliary'],
  ])('but not %j', (name) => {
    expect(toNameFault(name)).toBeNull();
  });

  test('the short way and the long way agree', () => {
    const word = fc.constantFrom(
      'con',
      'com1',
      'nul',
      '.',
      '.git',
      'node_modules',
      'a',
      '1',
      '-',
      '_',
      '~',
      ' ',
      '雪',
      '.env',
      'ſ',
      'K',
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const name = words.join('');
        const isRefused = toNameFault(name) !== null;
        if (isForbiddenName(name) || /[. ]$/.test(name)) expect(isRefused).toBe(true);
        if (/^(con|nul|com1)(\.|$)/i.test(name)) expect(isRefused).toBe(true);
      }),
    );
  });
});
