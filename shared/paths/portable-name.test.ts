import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isForbiddenName, toNameFault, toWriteFault } from './portable-name.ts';

describe('toNameFault', () => {
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
    ['.ssh'],
    ['.SSH'],
    ['.ｓｓｈ'],
    ['.aws'],
    ['.gnupg'],
    ['.docker'],
    ['.config'],
    ['.git-credentials'],
    ['.gitconfig'],
    ['.netrc'],
    ['_netrc'],
    ['_NetRC'],
    ['.npmrc'],
    ['.NPMRC'],
    ['.yarnrc.yml'],
    ['.pypirc'],
    ['.envrc'],
    ['id_rsa'],
    ['ID_RSA'],
    ['id_ed25519'],
    ['id_ecdsa_sk'],
    ['id_rsa.bak'],
    ['server.pem'],
    ['SERVER.PEM'],
    ['服务器.key'],
    ['a.p12'],
    ['a.b.ppk'],
    ['release.keystore'],
    ['passwords.kdbx'],
    ['ｓerver.ｐem'],
  ])('refuses %j', (name) => {
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
    ['environment'],
    ['id_rsa_story.txt'],
    ['id_card.png'],
    ['_notes.txt'],
    ['key'],
    ['keys.txt'],
    ['pem.txt'],
    ['server.pem.txt'],
    ['monkey'],
    ['.npmignore'],
    ['a b.txt'],
    ['雪乃 (1).png'],
    ["it's"],
    ['.git2'],
    ['e\u0301.txt'],
    ['🌸.txt'],
    ['nullable.txt'],
    ['ゆき.txt'],
    ['auxiliary'],
  ])('allows %j', (name) => {
    expect(toNameFault(name)).toBeNull();
  });

  test('gives the same result with and without the fast path', () => {
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
      '.pem',
      'id_rsa',
      '_netrc',
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

describe('toWriteFault', () => {
  test.each([
    '.claude/settings.json',
    '.vscode/tasks.json',
    '.github/workflows/ci.yml',
    '.husky/pre-commit',
    '.cursor/mcp.json',
    '.mcp.json',
    '.gitattributes',
    '.gitmodules',
    '.bashrc',
    '.prettierrc.js',
    'game/.vscode/settings.json',
    'game/．vscode/settings.json',
    'game/\u200b.vscode/settings.json',
    '.gitignore/x',
    '.editorconfig/.gitignore',
  ])('refuses %j', (path) => {
    expect(toWriteFault(path)).toContain('orders');
  });

  test.each(['game/scene/start.txt', '.gitignore', 'game/.gitkeep', '.EditorConfig', '.', 'a.b/c.d'])(
    'allows %j',
    (path) => {
      expect(toWriteFault(path)).toBe(null);
    },
  );
});
