import { expect, it } from 'vitest';
import { type Statement, scanScene } from '../../../../shared/script/syntax/scan.ts';
import type { Suspect } from './problem-searches.ts';
import { createStageProblems } from './stage-problems.ts';

const LINES = 200;

/** A scene that counts how often one of its statements is read. */
function createScene(path: string, counts: { reads: number }): Suspect {
  const statements = scanScene('changeBg:beach.png;\nYuki:hello;\n'.repeat(LINES / 2));
  const counted = new Proxy(statements as Statement[], {
    get(target, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) counts.reads += 1;
      return Reflect.get(target, name);
    },
  });
  return { path, statements: counted };
}

it('searches the scenes once, however many problems a game reports and however often', () => {
  const counts = { reads: 0 };
  const scenes = Array.from({ length: 20 }, (_, index) => createScene(`game/scene/${index}.txt`, counts));
  const [suspects, others] = [scenes.slice(0, 1), scenes.slice(1)];
  const problems = createStageProblems();
  for (let index = 0; index < 50; index += 1) {
    problems.addFile(`game/background/${index}.png`, 'missing');
    problems.receive({ level: 'blocked', text: `https://example.com/${index}` });
    problems.receive({ level: 'error', text: `expression compile error ${index}` });
  }
  const first = problems.list(suspects, others);
  expect(first.filter(({ reason }) => reason === 'missing-background')).toHaveLength(30);
  for (let report = 0; report < 50; report += 1) expect(problems.list(suspects, others)).toEqual(first);
  // Each scene once for its references; the shown one once for each of 20 addresses and 50 errors.
  expect(counts.reads).toBeLessThanOrEqual((scenes.length + 70) * (LINES + 1));
});

it('searches again in other scenes', () => {
  const problems = createStageProblems();
  problems.addFile('game/background/beach.png', 'missing');
  const scene = { path: 'game/scene/a.txt', statements: scanScene('changeBg:beach.png;') };
  expect(problems.list([], [])).toMatchObject([{ place: null }]);
  expect(problems.list([scene], [])).toMatchObject([{ place: { line: 1 } }]);
  expect(problems.list([], [scene])).toEqual([]);
});

it('drops a missing file once no line names it any more', () => {
  const problems = createStageProblems();
  const scene = (text: string): Suspect[] => [{ path: 'game/scene/a.txt', statements: scanScene(text) }];
  problems.addFile('game/background/be.png', 'missing');
  problems.addFile('game/background/logo.png', 'missing');
  expect(problems.list(scene('changeBg:be.png;'), [])).toHaveLength(2);
  expect(problems.list(scene('changeBg:beach.png;'), [])).toMatchObject([{ place: null }]);
  expect(problems.addFile('game/background/be.png', 'missing')).toBe(true);
  expect(problems.list(scene('changeBg:be.png;'), [])).toHaveLength(2);
});

it('drops a name that was being typed, also when the engine asks for it later', () => {
  const problems = createStageProblems();
  const scene = (text: string): Suspect[] => [{ path: 'game/scene/a.txt', statements: scanScene(text) }];
  const type = (text: string) => problems.noteSent(scanScene(text)[0] as Statement);
  for (const name of ['s', 'st', 'street']) type(`changeBg:${name}`);
  problems.addFile('game/background/st', 'missing');
  problems.addFile('game/background/logo.png', 'missing');
  expect(problems.list(scene('changeBg:street.webp;'), [])).toMatchObject([{ subject: 'game/background/logo.png' }]);
  type('changeBg:nowhere.webp;');
  problems.addFile('game/background/nowhere.webp', 'missing');
  expect(problems.list(scene('changeBg:nowhere.webp;'), [])).toHaveLength(2);
});

it('names the line that made a missing name of a variable, unless the name was only typed on the way to another', () => {
  const problems = createStageProblems();
  const scene = (text: string): Suspect[] => [{ path: 'game/scene/a.txt', statements: scanScene(text) }];
  problems.addFile('game/bgm/rain.mp3', 'missing');
  expect(problems.list(scene('Yuki:hello;\nbgm:{song}.mp3;'), [])).toMatchObject([{ place: { line: 2 } }]);
  problems.addFile('game/bgm/wi.mp3', 'missing');
  expect(problems.list(scene('bgm:wi.mp3;\nbgm:{song}.mp3;'), [])).toHaveLength(2);
  expect(problems.list(scene('bgm:wind.mp3;\nbgm:{song}.mp3;'), [])).toHaveLength(1);
});

it('reports whether anything changed, so that a flood of reports causes no work', () => {
  const problems = createStageProblems();
  const trouble = { level: 'error', text: 'boom' } as const;
  expect([problems.addFile('game/a.png', 'missing'), problems.addFile('game/a.png', 'missing')]).toEqual([true, false]);
  expect([problems.receive(trouble), problems.receive(trouble)]).toEqual([true, false]);
  expect(problems.receive({ level: 'exception', text: 'of the engine' })).toBe(false);
  problems.stick({ path: 'game/scene/a.txt', line: 1 });
  expect(problems.receive({ level: 'exception', text: 'while it is stuck' })).toBe(true);
  for (let index = 0; index < 100; index += 1) problems.receive({ level: 'error', text: `${index}` });
  expect(problems.receive({ level: 'error', text: 'one too many' })).toBe(false);
});

it('finds the one expression of a scene, and is not slowed down by a long line', () => {
  const problems = createStageProblems();
  problems.receive({ level: 'error', text: 'expression compile error' });
  const statements = scanScene(`setVar:a=1;\nsetVar:${'='.repeat(300_000)};\nsetVar:b=1+;`);
  expect(problems.list([{ path: 'game/scene/a.txt', statements }], [])).toMatchObject([{ place: { line: 3 } }]);
});

it('keeps the addresses that a game tried to reach over jumps, until its page is loaded anew', () => {
  const problems = createStageProblems();
  problems.receive({ level: 'blocked', text: 'https://evil.example/' });
  problems.receive({ level: 'error', text: 'expression compile error' });
  problems.restart();
  expect(problems.list([], [])).toMatchObject([{ subject: 'https://evil.example/' }]);
  problems.forget();
  expect(problems.list([], [])).toEqual([]);
});

it('tells a file that no browser can read at the line that names it', () => {
  const problems = createStageProblems();
  problems.addFile('game/background/beach.png', 'unreadable');
  const scene = { path: 'game/scene/a.txt', statements: scanScene('A:hello;\nchangeBg:beach.png;') };
  expect(problems.list([scene], [])).toMatchObject([
    { reason: 'unreadable-file', subject: 'game/background/beach.png', place: { line: 2 } },
  ]);
});

it('tells an error once, by whichever ways it arrives, and as the reason of the line that is stuck', () => {
  const problems = createStageProblems();
  const place = { path: 'game/scene/a.txt', line: 6 };
  const words = '[$parse:syntax] Syntax Error: Token';
  problems.receive(
    { level: 'exception', text: `Uncaught Error: ${words}\nhttp://errors.angularjs.org/"X"/$parse` },
    place,
  );
  problems.receive({ level: 'error', text: `${words} http://errors.angularjs.org/"X"/$parse` }, place);
  problems.receive({ level: 'error', text: words }, { ...place, line: 4 });
  const list = () => problems.list([], []).map((one) => [one.reason, one.subject, one.place?.line]);
  expect(list()).toEqual([
    ['script-error', words, 6],
    ['script-error', words, 4],
  ]);
  problems.stick(place);
  expect(list()).toEqual([
    ['script-error', words, 4],
    ['stuck', words, 6],
  ]);
});
