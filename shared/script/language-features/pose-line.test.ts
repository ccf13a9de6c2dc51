import { expect, it } from 'vitest';
import { toPoseEdit } from './pose-line.ts';

const pose = { moved: { x: -120, y: 0 }, size: { x: -1, y: 1 }, turned: 90, opacity: 0.5 };
const LINE =
  'setTransform:{"position":{"x":-120,"y":0},"scale":{"x":-1,"y":1},"rotation":1.5708,"alpha":0.5} -target=fig-left -duration=0 -next;';

it.each(['A:hello;', 'hello', 'choose:a:b|c:d;', 'getUserInput:x;'])('poses before the player reads "%s"', (text) => {
  const at = { line: 3, column: 1, endLine: 3, endColumn: 1 };
  expect(toPoseEdit(text, { line: 3, target: 'fig-left', pose })).toEqual({ ...at, newText: `${LINE}\n` });
});

it.each(['changeFigure:a.webp -left;', 'changeBg:b.webp;', 'setAnimation:enter -target=fig-left;'])(
  'poses behind "%s"',
  (text) => {
    const at = { line: 3, column: text.length + 1, endLine: 3, endColumn: text.length + 1 };
    expect(toPoseEdit(text, { line: 3, target: 'fig-left', pose })).toEqual({ ...at, newText: `\n${LINE}` });
  },
);

it.each(['', 'a;b', 'a\nchangeScene:x', 'a -next'])('writes no line for the name "%s"', (target) => {
  expect(toPoseEdit('A:hello;', { line: 1, target, pose })).toBeNull();
});
