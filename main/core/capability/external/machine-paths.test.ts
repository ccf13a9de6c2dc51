import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasMachinePath, shortenMachinePaths } from './machine-paths.ts';
import { toExternalAnswer } from './to-answer.ts';

test.each([
  ['Wrote /home/yukino/My games/rain.png.', 'Wrote …/My games/rain.png.'],
  ['(/Users/雪乃/图片/海边.png) and "/tmp/a/b.txt"', '(…/海边.png) and "…/b.txt"'],
  ['C:\\Users\\x\\a.png, D:/games/b.png; \\\\server\\share\\c.png', '…/a.png, …/b.png; …/c.png'],
  ['file:///home/x/a.png file://localhost/C:/b.png', '…/a.png …/b.png'],
  ['{"path":"/var/folders/z/a.wav"}', '{"path":"…/a.wav"}'],
  ['error:/opt/tool/run.js:12', 'error:…/run.js:12'],
  ['`/home/alice/a.png`, [/srv/x/b.png] 保存到/home/雪乃/c.png', '`…/a.png`, […/b.png] 保存到…/c.png'],
  ['x,/home/alice/a.png;/work/b/c.png|/usr/lib/d.so', 'x,…/a.png;…/c.png|…/d.so'],
  ['C:\\Users\\Alice Smith\\My games (old)\\a.png is there', '…/a.png is there'],
  ['{"path":"C:\\\\Users\\\\Alice Smith\\\\a.png"}', '{"path":"…/a.png"}'],
  ['Moved C:\\a\\b.png to D:\\c\\d.png', 'Moved …/b.png to …/d.png'],
  ['/c/Users/alice/a.png', '…/a.png'],
  ['https://example.com/?file=/home/alice/a.png', 'https://example.com/?file=…/a.png'],
  // Addresses, paths of the game and ordinary text stay.
  [
    'https://example.com/home/x/a.png game/scene/start.txt A/B 12:30',
    'https://example.com/home/x/a.png game/scene/start.txt A/B 12:30',
  ],
])('shortens %s', (text, short) => {
  expect(shortenMachinePaths(text)).toBe(short);
  expect(hasMachinePath(short)).toBe(false);
});

test.each([
  'http://[::1]:3000/home/a/b http://127.0.0.1:80/data/x wss://例え.日本/usr/x https://a.b/(c)/d',
  '1/2, 2026/11/26, 24/7, km/h, and/or, A / B, /, // a comment, /s, </p>',
  './data/a.json ../work/b.txt ~/data/c ~/home/d game/data/e.png 背景/data/雨.png décor/work/f.png',
  '**/tmp/** **/data/*.json {root}/data/x @/work/y',
  '/home /data /tmp/ and /usr',
  'changeBg:rain.png -next; jumpLabel:a/b; 雪乃:去/home 吗?',
  'C: 12, D:2 a:b ratio 16:9',
])('leaves %s', (text) => {
  expect(shortenMachinePaths(text)).toBe(text);
});

const FOLDERS = [
  '/home',
  '/Users',
  '/data',
  '/srv',
  '/usr',
  '/work',
  '/mnt/c',
  '/private/var',
  'C:\\Users',
  'D:/games',
  'file:///home',
];

test('finds a path after whatever is no part of a name', () => {
  const between = fc.oneof(
    fc.constantFrom(...' \n\t`"\'([{<>,;:=|!?#$%^&+-–—“”「」（），。：、'),
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 3 })
      .filter((text) => !/[\p{L}\p{N}_/\\.…~}@*]$/u.test(text)),
  );
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      between,
      fc.constantFrom(...FOLDERS),
      between,
      (start, before, folder, after) => {
        // What precedes may be an address or a path of its own, of which this would be a part.
        fc.pre(!/[:\\/]/.test(start));
        const separator = folder.startsWith('C:') ? '\\' : '/';
        const text = [`${start}${before}${folder}`, 'alice', 'secret-game', `a.png${after}`].join(separator);
        expect(hasMachinePath(text)).toBe(true);
        expect(shortenMachinePaths(text)).not.toMatch(/alice|secret-game/);
        expect(hasMachinePath(shortenMachinePaths(text))).toBe(false);
      },
    ),
  );
});

// With a cost that grows with the square of the text, this would not end in the time of a test.
test('ends for long text without a path in it', () => {
  expect(shortenMachinePaths('/home/'.repeat(200_000))).toBe('…/home');
  expect(shortenMachinePaths('file:///'.repeat(200_000))).toBe('…');
  for (const piece of ['C:\\a b ', 'C:\\a b', 'http://a:1', '\\\\a\\', '/data', 'https://[', 'a '.repeat(9)]) {
    shortenMachinePaths(piece.repeat(100_000));
    shortenMachinePaths(`C:\\${piece.repeat(100_000)}`);
  }
});

test('neither an answer nor a failure of a program names a folder of this computer', () => {
  const part = { kind: 'text' as const, text: 'Kept at /home/yukino/secret-game/a.png' };
  const link = { kind: 'link' as const, address: 'file:///home/yukino/secret-game/b.png' };
  const of = { provider: 'Art', mark: '[[m]]' };
  const { text } = toExternalAnswer({ content: [part, link], failed: false }, of);
  expect(text).toContain('…/a.png');
  expect(text).not.toMatch(/yukino|secret-game/);
  expect(() => toExternalAnswer({ content: [part], failed: true }, of)).toThrow(/…\/a\.png/);
});
