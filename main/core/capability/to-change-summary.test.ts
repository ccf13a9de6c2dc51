import { expect, test } from 'vitest';
import { toChangeSummary } from './to-change-summary.ts';

test('shows the changes of each file verbatim', () => {
  expect(
    toChangeSummary([
      { path: 'a.txt', before: 'one\ntwo\nthree\n', after: 'one\nzwei\u202e\nthree\n' },
      { path: 'b.txt', before: null, after: 'new\n' },
      { path: 'c.txt', before: 'gone\r\n', after: null },
    ]),
  ).toEqual({
    files: [
      {
        path: 'a.txt',
        kind: 'changed',
        added: 1,
        removed: 1,
        lines: ['@2', '-two', '+zwei⟦U+202E RIGHT-TO-LEFT OVERRIDE⟧'],
      },
      { path: 'b.txt', kind: 'new', added: 1, removed: 0, lines: ['+new'] },
      { path: 'c.txt', kind: 'removed', added: 0, removed: 1, lines: ['-gone'] },
    ],
    more: 0,
  });
});

test('reports changes of line endings only, and hides nothing below empty lines or spaces', () => {
  const hidden = `b;\n${'\n'.repeat(3000)}jumpLabel:trap;${' '.repeat(3000)}end;\n`;
  expect(
    toChangeSummary([
      { path: 'a.txt', before: 'a\nb\n', after: 'a\r\nb\r\n' },
      { path: 'b.txt', before: 'a;', after: hidden },
    ]),
  ).toEqual({
    files: [
      { path: 'a.txt', kind: 'lineEndings', added: 0, removed: 0, lines: [] },
      {
        ...{ path: 'b.txt', kind: 'changed', added: 3003, removed: 1 },
        lines: ['@1', '-a;', '+b;', '+⟦3000 × ␤⟧', '+jumpLabel:trap;⟦3000 × ␠⟧end;', '+'],
      },
    ],
    more: 0,
  });
});

test('is bounded, and reports how much was left out', () => {
  const text = Array.from({ length: 100 }, (_, index) => `${index}${'x'.repeat(1000)}`).join('\n');
  const { files, more } = toChangeSummary([
    { path: 'a.txt', before: null, after: `${text}\n` },
    { path: 'b.txt', before: 'x\n', after: 'y\n' },
  ]);
  const lines = files.flatMap((file) => file.lines);
  expect([lines.length, more]).toEqual([60, 42]);
  expect(Math.max(...lines.map((line) => line.length))).toBe(242);
  expect(files.map(({ added, removed }) => [added, removed])).toEqual([
    [100, 0],
    [1, 1],
  ]);
});
