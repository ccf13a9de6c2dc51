import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scanScene } from '../syntax/scan.ts';
import { isTruthy } from '../syntax/scan-arguments.ts';
import { findSuperseded } from './superseded.ts';

const superseded = (...lines: string[]) => [...findSuperseded(scanScene(lines.join('\n')))].sort();

it('returns statements that a later one overwrites', () => {
  expect(superseded('bgm:a.mp3;', 'bgm:b.mp3;', 'bgm:none;')).toEqual([0, 1]);
  expect(superseded('setVar:a=1;', 'setVar:b=2;', 'setVar:a=3;')).toEqual([0]);
  expect(superseded('pixiPerform:rain;', 'pixiInit;', 'pixiPerform:snow;')).toEqual([0]);
  expect(superseded('playEffect:a.ogg -id=x;', 'playEffect:none -id=x;', 'playEffect:b.ogg -id=y;')).toEqual([0]);
  expect(superseded('changeBg:a.png;', 'changeBg:b.png;', 'changeBg:c.png;')).toEqual([0, 1]);
});

it('returns effects on a picture that was replaced', () => {
  const transform = 'setTransform:{} -target=fig-left;';
  expect(superseded('changeFigure:a.png -left;', transform, 'changeFigure:b.png -left;', transform)).toEqual([0, 1]);
  expect(superseded('changeFigure:a.png;', transform, 'changeFigure:b.png;')).toEqual([0]);
});

it('distinguishes the slots of figures', () => {
  expect(superseded('changeFigure:a.png -left;', 'changeFigure:b.png;', 'changeFigure:c.png -id=x;')).toEqual([]);
  expect(superseded('changeFigure:a.png -left;', 'changeFigure:b.png -left;')).toEqual([0]);
  expect(superseded('changeFigure:a.png -id=x;', 'changeFigure:b.png -id=y;', 'changeFigure:c.png -id=x;')).toEqual([]);
  expect(superseded('changeFigure:a.png -left -zIndex=3;', 'changeFigure:b.png -left;')).toEqual([]);
});

it('keeps what may not be executed or may be read', () => {
  expect(superseded('bgm:a.mp3;', 'bgm:b.mp3 -when=x>1;')).toEqual([]);
  expect(superseded('setVar:a=1;', 'setVar:b=a;', 'setVar:a=3;')).toEqual([]);
  expect(superseded('setVar:a=1;', 'setVar:a=a+1;')).toEqual([]);
  expect(superseded('setVar:a=1 -global;', 'setVar:a=2;')).toEqual([]);
  expect(superseded('changeBg:a.png;', 'setTransform:{} -target=bg-main;', 'changeBg:a.png;')).toEqual([]);
  expect(superseded('changeBg:a.png;', 'changeBg:none;')).toEqual([]);
});

/** The engine's final state: pictures with their effects, music, performances, variables, conditions met. */
function run(lines: readonly string[], isSkipped: (index: number) => boolean, holds: boolean): unknown {
  const pictures = new Map<string, { file: string; done: string[] }>();
  const free = new Map<string, { file: string; done: string[] }>();
  const left: Record<string, string> = {};
  const variables = new Map<string, number>();
  let performs: string[] = [];
  scanScene(lines.join('\n')).forEach((statement, index) => {
    const name = statement.command?.name;
    if (name === undefined || isSkipped(index) || (statement.argument('when') && !holds)) return;
    if (name === 'changeBg' || name === 'changeFigure') {
      const id = statement.argument('id')?.value as string | undefined;
      const file = statement.content.replace('none', '');
      if (id !== undefined) {
        // In order of appearance, which is the stacking order.
        if (file === '') free.delete(id);
        else if (free.get(id)?.file !== file) free.set(id, { file, done: [] });
        return;
      }
      const place = name === 'changeBg' ? 'bg' : isTruthy(statement.argument('left')?.value) ? 'left' : 'center';
      const picture = pictures.get(place) ?? { file: '', done: [] };
      pictures.set(place, file === picture.file ? picture : { file, done: [] });
    } else if (name === 'setTransform') {
      const target = statement.argument('target')?.value as string;
      const figure = free.get(target);
      if (figure) free.set(target, { ...figure, done: [...figure.done, statement.content] });
      if (target === 'x') return;
      const place = target.replace('bg-main', 'bg').replace('fig-', '');
      const picture = pictures.get(place) ?? { file: '', done: [] };
      pictures.set(place, { ...picture, done: [...picture.done, statement.content] });
    } else if (name === 'pixiInit') performs = [];
    else if (name === 'pixiPerform') performs.push(statement.content);
    else if (name === 'setVar') {
      const [variable = '', value = ''] = statement.content.split('=');
      const [other = '', plus = '0'] = value.split('+');
      const known = /^\d+$/.test(other) ? Number(other) : (variables.get(other) ?? 0);
      variables.set(variable, known + Number(plus));
    } else left[name] = statement.content;
  });
  return { pictures: [...pictures].sort(), free: [...free], left, variables: [...variables].sort(), performs };
}

it('keeps the final state when superseded statements are left out', () => {
  const file = fc.constantFrom('a', 'b', 'none', '');
  const tail = fc.constantFrom('', ' -when=x', ' -next');
  const line = fc.oneof(
    fc.tuple(fc.constantFrom('changeBg:', 'bgm:', 'miniAvatar:'), file, tail),
    fc.tuple(fc.constant('changeFigure:'), file, fc.constantFrom('', ' -left', ' -left -when=x')),
    fc.tuple(fc.constant('changeFigure:'), file, fc.constantFrom(' -id=x', ' -id=y', ' -id=x -when=n')),
    fc.tuple(
      fc.constantFrom('setTransform:{}', 'setTransform:{"alpha":1}'),
      fc.constantFrom(' -target=bg-main', ' -target=fig-left', ' -target=fig-center -when=n', ' -target=x'),
    ),
    fc.tuple(fc.constantFrom('pixiPerform:rain', 'pixiPerform:snow', 'pixiInit:x'), tail),
    fc.tuple(fc.constantFrom('setVar:n=1', 'setVar:n=2', 'setVar:n=n+1', 'setVar:m=n', 'setVar:m=3'), tail),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 14 }), fc.boolean(), (parts, holds) => {
      const lines = parts.map((part) => part.join(''));
      const skipped = findSuperseded(scanScene(lines.join('\n')));
      expect(run(lines, (index) => skipped.has(index), holds)).toEqual(run(lines, () => false, holds));
    }),
    { numRuns: 3000 },
  );
});
