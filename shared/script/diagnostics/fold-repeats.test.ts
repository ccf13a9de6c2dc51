import { expect, test } from 'vitest';
import { foldRepeats } from './fold-repeats.ts';

const finding = (path: string, line: number, code = 'missing-semicolon', message = 'no ;') =>
  ({ path, line, severity: 'info', code, message }) as const;

test('groups equal findings of one file at the position of the first', () => {
  const all = [
    finding('game/scene/a.txt', 1),
    finding('game/scene/a.txt', 2, 'missing-file', 'no a.png'),
    finding('game/scene/a.txt', 3),
    finding('game/scene/b.txt', 1),
  ];
  const folded = foldRepeats(all);
  expect(folded.map(({ first, others }) => [first.path.at(-5), first.line, others.map(({ line }) => line)])).toEqual([
    ['a', 1, [3]],
    ['a', 2, []],
    ['b', 1, []],
  ]);
});

test('keeps findings with other messages or severities apart', () => {
  const one = finding('game/scene/a.txt', 1);
  expect(foldRepeats([one, { ...one, message: 'other' }, { ...one, severity: 'error' }])).toHaveLength(3);
});

test('groups unused files of one folder', () => {
  const paths = ['game/bgm/a.mp3', 'game/bgm/b.mp3', 'game/bgm/sub/c.mp3'];
  const folded = foldRepeats(paths.map((path) => finding(path, 1, 'orphan-file', 'unused')));
  expect(folded.map(({ others }) => others.length)).toEqual([1, 0]);
});

test('groups scenes of one folder that cannot be read', () => {
  const paths = ['game/scene/a.txt', 'game/scene/b.txt'];
  const folded = foldRepeats(paths.map((path) => finding(path, 1, 'unreadable-file', 'not UTF-8')));
  expect(folded.map(({ others }) => others.length)).toEqual([1]);
});

test('groups a name that is missing wherever scenes use it', () => {
  const paths = ['game/scene/a.txt', 'game/scene/b/c.txt'];
  const fold = (code: string) => foldRepeats(paths.map((path) => finding(path, 1, code, 'no a.png'))).length;
  expect([fold('missing-file'), fold('wrong-file-type')]).toEqual([1, 2]);
});
