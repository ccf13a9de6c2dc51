import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isTruthy, scanScene } from './scan.ts';
import { findSuperseded } from './superseded.ts';

const always = () => true;
const superseded = (...lines: string[]) =>
  [...findSuperseded(scanScene(lines.join('\n')), lines.length, always)].sort();

it('names what a later statement overwrites', () => {
  expect(superseded('bgm:a.mp3;', 'bgm:b.mp3;', 'bgm:none;')).toEqual([0, 1]);
  expect(superseded('setVar:a=1;', 'setVar:b=2;', 'setVar:a=3;')).toEqual([0]);
  expect(superseded('pixiPerform:rain;', 'pixiInit;', 'pixiPerform:snow;')).toEqual([0]);
  expect(superseded('playEffect:a.ogg -id=x;', 'playEffect:none -id=x;', 'playEffect:b.ogg -id=y;')).toEqual([0]);
  expect(superseded('changeBg:a.png;', 'changeBg:b.png;', 'changeBg:c.png;')).toEqual([0, 1]);
});

it('keeps each place of a figure apart', () => {
  expect(superseded('changeFigure:a.png -left;', 'changeFigure:b.png;', 'changeFigure:c.png -id=x;')).toEqual([]);
  expect(superseded('changeFigure:a.png -left;', 'changeFigure:b.png -left;')).toEqual([0]);
  expect(superseded('changeFigure:a.png -left -zIndex=3;', 'changeFigure:b.png -left;')).toEqual([]);
});

it('does not rely on what may not happen or may be read', () => {
  expect(superseded('bgm:a.mp3;', 'bgm:b.mp3 -when=x>1;')).toEqual([]);
  expect(superseded('setVar:a=1;', 'setVar:b=a;', 'setVar:a=3;')).toEqual([]);
  expect(superseded('setVar:a=1;', 'setVar:a=a+1;')).toEqual([]);
  expect(superseded('setVar:a=1 -global;', 'setVar:a=2;')).toEqual([]);
  expect(superseded('changeBg:a.png;', 'setTransform:{} -target=bg-main;', 'changeBg:a.png;')).toEqual([]);
  expect(superseded('changeBg:a.png;', 'changeBg:none;')).toEqual([]);
});

it('counts only what the story passes', () => {
  const statements = scanScene('bgm:a.mp3;\nbgm:b.mp3;\nA:c;');
  expect([...findSuperseded(statements, 2, (index) => index !== 1)]).toEqual([]);
});

/** What the engine would be left with: pictures with what was done to them, music, performances, variables, conditions met. */
function run(lines: readonly string[], isSkipped: (index: number) => boolean, holds: boolean): unknown {
  const pictures = new Map<string, { file: string; done: string[] }>();
  const left: Record<string, string> = {};
  const variables = new Map<string, number>();
  let performs: string[] = [];
  scanScene(lines.join('\n')).forEach((statement, index) => {
    const name = statement.command?.name;
    if (name === undefined || isSkipped(index) || (statement.argument('when') && !holds)) return;
    if (name === 'changeBg' || name === 'changeFigure') {
      const place = name === 'changeBg' ? 'bg' : isTruthy(statement.argument('left')?.value) ? 'left' : 'center';
      const file = statement.content.replace('none', '');
      const picture = pictures.get(place) ?? { file: '', done: [] };
      pictures.set(place, file === picture.file ? picture : { file, done: [] });
    } else if (name === 'setTransform') {
      const place = statement.argument('target')?.value as string;
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
  return { pictures: [...pictures].sort(), left, variables: [...variables].sort(), performs };
}

it('leaves the stage as it would be without leaving anything out', () => {
  const file = fc.constantFrom('a', 'b', 'none', '');
  const tail = fc.constantFrom('', ' -when=x', ' -next');
  const line = fc.oneof(
    fc.tuple(fc.constantFrom('changeBg:', 'bgm:', 'miniAvatar:'), file, tail),
    fc.tuple(fc.constant('changeFigure:'), file, fc.constantFrom('', ' -left', ' -left -when=x')),
    fc.tuple(fc.constant('setTransform:{}'), fc.constantFrom(' -target=bg', ' -target=left', ' -target=center')),
    fc.tuple(fc.constantFrom('pixiPerform:rain', 'pixiPerform:snow', 'pixiInit:x'), tail),
    fc.tuple(fc.constantFrom('setVar:n=1', 'setVar:n=2', 'setVar:n=n+1', 'setVar:m=n', 'setVar:m=3'), tail),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 14 }), fc.boolean(), (parts, holds) => {
      const lines = parts.map((part) => part.join(''));
      const skipped = findSuperseded(scanScene(lines.join('\n')), lines.length, always);
      expect(run(lines, (index) => skipped.has(index), holds)).toEqual(run(lines, () => false, holds));
    }),
    { numRuns: 3000 },
  );
});
