import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AttackedGame, createAttackedGame, START } from '../support/attacks/attacked-game.ts';

/**
 * Small calls that request large amounts of work: none hangs the app, exhausts its memory or ends it. Vitest's timeout
 * detects a hang.
 */

const patch = (body: string) => ({ patch_text: `*** Begin Patch\n${body}\n*** End Patch` });
const repeat = (count: number, toLine: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => toLine(index)).join('\n');

let game: AttackedGame;
beforeAll(async () => {
  game = await createAttackedGame({
    'evil/evil.txt': `${'a'.repeat(3_000)}!\n${'x '.repeat(2_000)}\n${'ab'.repeat(200)}c`,
    'game/scene/ones.txt': `${'a\n'.repeat(20_000)}`,
    'game/scene/pairs.txt': repeat(30_000, (index) => (index % 17 === 0 || index % 23 === 0 ? 'b' : 'a')),
    ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`names/${'a'.repeat(100)}${index}.txt`, ''])),
  });
});
afterAll(() => game.dispose());

describe.skipIf(process.platform === 'win32')('resource exhaustion', () => {
  test('terminates endless patterns in every argument, and runs the next one', async () => {
    const bombs = ['(a+)+$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(?=(a+))a*b\\1', '(?<!(a+)+)!', '(x+x+)+y', '(.*)*c\\1d'];
    const slow = await Promise.all([
      ...bombs.slice(0, 2).map((regex) => game.attack('search_files', { path: 'evil', regex })),
      ...bombs.slice(2, 4).map((pattern) => game.attack('grep', { path: 'evil', pattern, multiline: true })),
      ...bombs
        .slice(4)
        .map((regex) => game.attack('replace_in_file', { path: 'evil/evil.txt', find: `/${regex}/u`, replace: 'z' })),
    ]);
    for (const { ok, error } of slow)
      if (!ok) expect(['E_TIMEOUT', 'E_TOO_LARGE', 'E_BAD_ARGS']).toContain(error?.code);
    expect(slow.filter(({ error }) => error?.code === 'E_TIMEOUT').length).toBeGreaterThan(2);
    expect((await game.value('search_files', { path: START, regex: '雪乃' })).matches).toHaveLength(2);
  }, 90_000);

  test('refuses invalid patterns, and accepts names of sizes as text', async () => {
    for (const regex of [
      '(',
      '[',
      '\\',
      '(?m)x',
      'a{2,1}',
      '(?<a>x)(?<a>y)',
      '\\u{110000}',
      '*',
      '(?<=',
      '\\k<x>(?<y>)',
    ]) {
      for (const flags of ['', 'u']) {
        const outcome = await game.attack('replace_in_file', {
          path: START,
          find: regex,
          replace: '',
          flags: flags || 'i',
        });
        if (!outcome.ok) expect(['E_BAD_ARGS', 'E_NOT_FOUND']).toContain(outcome.error?.code);
      }
    }
    await game.attack('search_files', { path: 'game', regex: `${'('.repeat(900)}a${')'.repeat(900)}` });
    await game.attack('search_files', { path: 'game', regex: 'a{1,65535}{1,65535}' });
    await game.attack('search_files', { path: 'game', regex: `a${'{0,999}'.repeat(3)}`.repeat(1) });
    for (const flags of ['x', 'uv', '__proto__', 'i\0']) {
      expect(await game.refusal('replace_in_file', { path: START, find: 'a', replace: 'b', flags })).toBe('E_BAD_ARGS');
    }
    // Letters with case folding, one of them across scripts.
    expect((await game.value('grep', { pattern: 'ſ', path: 'evil', '-i': true })).matches).toEqual([]);
  });

  test('refuses replacements that would exhaust memory before computing them', async () => {
    const at = { path: 'game/scene/ones.txt' };
    for (const replace of [
      '$&'.repeat(1_000_000),
      '$`'.repeat(1_000),
      "$'",
      '$1'.repeat(500_000),
      'x'.repeat(1_000_000),
    ]) {
      expect(await game.refusal('replace_in_file', { ...at, find: '/(a)/', replace })).toBe('E_TOO_LARGE');
    }
    expect(await game.refusal('replace_in_file', { ...at, find: 'a', replace: 'b'.repeat(1_000_000) })).toBe(
      'E_TOO_LARGE',
    );
    expect(await game.refusal('replace_in_file', { ...at, find: '/(?:)/', replace: 'b'.repeat(100_000) })).toBe(
      'E_TOO_LARGE',
    );
    expect(await game.text(at.path)).toBe('a\n'.repeat(20_000));
  });

  test('treats special sequences in a literal replacement as text', async () => {
    await game.put('game/scene/money.txt', 'a.b a.b axb\n');
    expect(
      await game.value('replace_in_file', { path: 'game/scene/money.txt', find: 'a.b', replace: "$&$1$$$`$'" }),
    ).toEqual({ count: 2 });
    expect(await game.text('game/scene/money.txt')).toBe("$&$1$$$`$' $&$1$$$`$' axb\n");
  });

  test('matches arbitrary globs without hanging or leaving the game', async () => {
    const globs = [
      ...['../**', '/**', '**/../../**', '..\\**', './../*', '~/**', 'C:/**', '{..,.}/**', '[.][.]/**', '\\.\\./**'],
      ...['{'.repeat(400), '{a,{b,{c,{d}}}}', '**/'.repeat(160), '*a'.repeat(240), '[', '[!', '\\', '{a,b}'.repeat(90)],
      ...[
        `${'{a,a}'.repeat(7)}${'*?'.repeat(200)}`,
        `**/${'{a,b}'.repeat(6)}${'*a'.repeat(200)}b`,
        '{**,**}/'.repeat(7),
      ],
    ];
    for (const glob of globs) {
      const listed = await game.value('list_files', { path: '.', globs: [glob] });
      expect(JSON.stringify(listed), glob).not.toMatch(/secret|\.git|\.env|node_modules|webgal_agent|\.\./);
      await game.attack('glob_file_search', { glob_pattern: glob });
      await game.attack('search_files', { path: 'names', regex: 'CANARY', filePattern: glob });
    }
    await game.attack('list_files', {
      path: '.',
      globs: Array.from({ length: 50 }, () => `${'{a,a}'.repeat(7)}${'*?'.repeat(100)}b`),
    });
  });

  test('handles patches that are long, repetitive, overlapping or miscounted', async () => {
    const update = (file: string, body: string) => patch(`*** Update File: game/scene/${file}\n${body}`);
    const many = repeat(100_000, () => '@@\n a\n+b');
    expect(await game.refusal('apply_patch', update('ones.txt', many))).toMatch(/E_BAD_ARGS|E_TOO_LARGE/);
    expect(
      await game.refusal(
        'apply_patch',
        update(
          'pairs.txt',
          repeat(20_000, (at) => `@@ a\n a\n-${at % 2 ? 'b' : 'a'}`),
        ),
      ),
    ).toMatch(/E_BAD_ARGS|E_TOO_LARGE/);
    expect(await game.refusal('apply_patch', update('ones.txt', `@@\n${'-a\n'.repeat(10_000)}-b`))).toMatch(
      /E_BAD_ARGS|E_TOO_LARGE/,
    );
    expect(await game.refusal('apply_patch', update('ones.txt', `@@\n-x\n${'\n'.repeat(500_000)}`))).toBe('E_BAD_ARGS');
    expect(await game.refusal('apply_patch', patch(`*** Add File: x${' '.repeat(500_000)}y`))).toMatch(
      /E_BAD_ARGS|E_DENY_PATH/,
    );
    expect(await game.refusal('apply_patch', patch(repeat(1_000, (at) => `*** Add File: p/${at}.txt\n+x`)))).toBe(
      'E_BAD_ARGS',
    );
    const overlapping = '@@\n-雪乃:你好;\n+甲\n@@\n-雪乃:你好;\n+乙';
    for (const body of [
      overlapping,
      '@@ -1,99 +1,1 @@\n-雪乃:没有;\n+x',
      '@@\n-雪乃:你好;\n-雪乃:你好;',
      ' x',
      '@@\n~x',
    ]) {
      expect(await game.refusal('apply_patch', update('start.txt', body)), body).toBe('E_BAD_ARGS');
    }
    const twice = '*** Delete File: game/scene/ones.txt\n*** Update File: game/self/scene/ones.txt\n@@\n+x';
    expect(await game.refusal('apply_patch', patch(twice))).toMatch(/E_BAD_ARGS|E_CONFLICT/);
    // With the other line endings it matches, and keeps the endings of the file.
    await game.put('game/scene/dos.txt', '甲:一;\r\n乙:二;\r\n');
    await game.value('apply_patch', {
      patch_text: update('dos.txt', '@@\n 甲:一;\n-乙:二;\n+乙:三;').patch_text.replaceAll('\n', '\r\n'),
    });
    expect(await game.text('game/scene/dos.txt')).toBe('甲:一;\r\n乙:三;\r\n');
    await game.expectUntouched();
  });

  test('compares long texts without common lines', async () => {
    await game.put(
      'game/scene/old.txt',
      repeat(150_000, (index) => `a${index}`),
    );
    const { diff } = await game.value('write_to_file', {
      path: 'game/scene/old.txt',
      content: repeat(150_000, (index) => `b${index}`),
      dryRun: true,
    });
    expect(diff.hunks).toHaveLength(1);
    expect(await game.refusal('write_to_file', { path: 'x.txt', content: 'x'.repeat(50_000_000), dryRun: true })).toBe(
      'E_BAD_ARGS',
    );
    expect(await game.refusal('write_to_file', { path: 'x.txt', content: '名'.repeat(2_000_000), dryRun: true })).toBe(
      'E_TOO_LARGE',
    );
  });
});
