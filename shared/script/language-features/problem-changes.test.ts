import { expect, test } from 'vitest';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { problemsBeyond } from './problem-changes.ts';

const problem = (path: string, code: string, message: string): Diagnostic =>
  ({ path, line: 1, severity: 'warning', kind: 'syntax', code, message }) as Diagnostic;

test('a problem of the whole game is not new because the number of its lines or the first of them changed', () => {
  const before = [
    problem('game/scene/a.txt', 'old-commands', 'Lines: 445'),
    problem('game/scene/a.txt', 'text', 'x 1'),
  ];
  const after = [problem('game/scene/b.txt', 'old-commands', 'Lines: 444'), problem('game/scene/a.txt', 'text', 'x 2')];
  expect(problemsBeyond(after, before)).toEqual(after.slice(1));
  expect(problemsBeyond(before, after)).toEqual(before.slice(1));
  expect(problemsBeyond(after, [])).toEqual(after);
});
