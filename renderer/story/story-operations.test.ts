import { expect, test } from 'vitest';
import { BRANCHING, toBranchingGame } from '../../tests/support/games/branching-game.ts';
import { createLanguageOperations } from '../state/language/language-operations.ts';
import type { MapWords } from './layout/map-words.ts';
import { createStoryOperations } from './story-operations.ts';

const count = { one: '{} x', other: '{} xs' };
const words: MapWords = {
  locale: 'en',
  counted: { words: count, lines: count, minutes: count, scenes: count },
  others: 'Other scenes',
  call: 'call',
  separator: ', ',
  condition: 'if {}',
  marks: { start: 'Start', ending: 'Ending', deadEnd: 'Dead end', unreachable: 'Never reached', missing: 'Missing' },
};

function open(texts: Iterable<[string, string]>) {
  const operations = createLanguageOperations();
  operations.reset({ engineVersion: '4.6.1' });
  for (const [path, text] of texts) operations.setText({ path, text });
  const story = createStoryOperations();
  const take = () => story.take({ json: operations.storyJson({}), words });
  take();
  return {
    story,
    find: (text: string) => story.find({ text, mark: null, hits: operations.findLines({ words: [text] }) }),
    write: (path: string, text: string) => {
      operations.setText({ path, text });
      take();
    },
  };
}

const ANY = { detail: null, open: null, place: null } as const;

test('opens a story of 150 scenes folded, except the chapter of the edited scene', () => {
  const { story } = open(toBranchingGame());
  const path = `game/scene/${BRANCHING.ending}.txt`;
  const view = story.draw({ ...ANY, place: { path, line: 1 } });
  expect([view.boxes > 148, view.placed.nodes.length < 45, view.open.map(({ title }) => title)]).toEqual([
    true,
    true,
    ['结局'],
  ]);
  expect(story.locate({ path, line: 2 })).toMatchObject({ box: path, id: path });
  const hidden = story.locate({ path: 'game/scene/Kenji_终章.txt', line: 1 });
  expect(hidden?.box).toBe(hidden?.chapter);
});

test('returns the chapter to open for a match in a folded chapter', () => {
  const { story, find } = open(toBranchingGame());
  story.draw(ANY);
  expect(find('灯塔')).toMatchObject({ boxes: 2 });
  const matches = [story.match({ at: 0 }), story.match({ at: 1 })];
  expect(matches.map((match) => match?.id)).toContain(`game/scene/${BRANCHING.ending}.txt`);
  const chapter = matches.find((match) => match?.id.includes(BRANCHING.ending))?.chapter ?? '';
  expect(story.draw({ ...ANY, open: [chapter] }).placed.nodes.some(({ title }) => title === BRANCHING.ending)).toBe(
    true,
  );
  expect(story.rows({ from: 0, to: 9, isFound: true }).map(({ line }) => line !== null)).toEqual([false, false, true]);
  expect(story.rows({ from: 0, to: 1, isFound: false })[0]?.line).toBeNull();
});

test('lists every line that a search found below its scene, in pages of any size', () => {
  const texts = new Map([
    ['game/scene/start.txt', 'A:rain;\nB:sun;\nA:rain;\nchangeScene:two.txt;'],
    ['game/scene/two.txt', 'A:rain;\nend;'],
    ['game/scene/rain.txt', 'A:rain;\nend;'],
  ]);
  const { story, find } = open(texts);
  story.draw({ ...ANY, detail: 'scenes' });
  expect(find('rain')).toEqual({ boxes: 3, lines: 4 });
  const toRows = (from: number, to: number) =>
    story.rows({ from, to, isFound: true }).map(({ node, line }) => `${node.title} ${line ?? '-'}`);
  const all = ['rain -', 'rain 1', 'start -', 'start 1', 'start 3', 'two -', 'two 1'];
  expect(toRows(0, 100)).toEqual(all);
  for (const size of [1, 2, 4]) {
    const pages = Array.from({ length: Math.ceil(all.length / size) }, (_, page) =>
      toRows(page * size, (page + 1) * size),
    );
    expect(pages.flat()).toEqual(all);
  }
});

test('keeps the layout when only text changes, and lays out again for a new edge', () => {
  const texts = toBranchingGame();
  const { story, write } = open(texts);
  const before = story.draw(ANY);
  const path = 'game/scene/start.txt';
  write(path, (texts.get(path) ?? '').replace('早点出门', '早些出门').replace('今天的海', '昨天的海'));
  const after = story.draw(ANY);
  const places = ({ placed }: typeof after) => placed.nodes.map(({ id, x, y }) => [id, x, y]);
  expect(places(after)).toEqual(places(before));
  expect(after.placed.ways.map(({ points }) => points)).toEqual(before.placed.ways.map(({ points }) => points));
  // Identical objects prove that the layout was not computed again.
  expect(after.placed.ways[0]?.points).toBe(before.placed.ways[0]?.points);
  expect(after.placed.ways.some(({ words: own }) => own.includes('早些出门'))).toBe(true);
  write(path, `${texts.get(path)}\nchangeScene:回忆_1.txt;`);
  expect(story.draw(ANY).placed.ways[0]?.points).not.toBe(before.placed.ways[0]?.points);
});

test('limits drawn nodes for five thousand scenes and keeps the chapter opened last', () => {
  for (const end of [
    (at: number) => `changeScene:s${at + 1}.txt;`,
    () => 'end;',
    (at: number) => `changeScene:s${at % 70}.txt;`,
  ]) {
    const texts = Array.from({ length: 5000 }, (_, at): [string, string] => [
      `game/scene/${at === 0 ? 'start' : `s${at}`}.txt`,
      `A:line ${at};\n${end(at)}`,
    ]);
    const { story, find } = open(texts);
    const view = story.draw(ANY);
    expect([view.boxes >= 5000, view.placed.isPlain]).toEqual([true, false]);
    const chapters = view.placed.nodes.flatMap((node) => (node.folded ? node.id : []));
    const all = story.draw({ ...ANY, open: chapters });
    expect(all.placed.nodes.length).toBeLessThanOrEqual(400);
    expect(all.open.at(-1)?.id).toBe(chapters.at(-1));
    expect(find('line 4321')).toEqual({ boxes: 1, lines: 1 });
    expect(story.picture({ look: LOOK }).svg.match(/>s4321</g)?.length).toBe(1);
  }
});
const LOOK = { palette: {} as never, fontFamily: 'x', title: 'x' };

test('finds a scene by its first node, also when its first lines belong to none', () => {
  const { story } = open([
    ['game/scene/start.txt', '; a comment;\n\n:Rain.;\nchoose:A:a|B:b;\nlabel:a;\n:A.;\nlabel:b;\n:B.;\nend;\n'],
  ]);
  story.draw({ ...ANY, detail: 'passages' });
  expect(story.locateScene({ path: 'game/scene/start.txt' })).toMatchObject({
    id: 'game/scene/start.txt#0',
    chapter: null,
  });
  expect(story.locateScene({ path: 'game/scene/other.txt' })).toBeNull();
});
