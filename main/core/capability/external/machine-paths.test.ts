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
  // Addresses, paths of the game and ordinary text stay.
  [
    'https://example.com/home/x/a.png game/scene/start.txt A/B 12:30',
    'https://example.com/home/x/a.png game/scene/start.txt A/B 12:30',
  ],
])('shortens %s', (text, short) => {
  expect(shortenMachinePaths(text)).toBe(short);
  expect(hasMachinePath(short)).toBe(false);
});

// With a cost that grows with the square of the text, this would not end in the time of a test.
test('ends for long text without a path in it', () => {
  expect(shortenMachinePaths('/home/'.repeat(200_000))).toBe('…/home');
  expect(shortenMachinePaths('file:///'.repeat(200_000))).toBe('…');
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
