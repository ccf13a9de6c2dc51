import { expect, it } from 'vitest';
import { scanScene } from '../syntax/scan.ts';
import { toStageText } from './stage-text.ts';
import { findReached, findStoryPath, type Picks, type StoryPath } from './story-path.ts';
import { findStoryWay } from './story-way.ts';

const SCENE = [
  'choose:Stay \\: here:stay|Walk:walk|Leave:bridge.txt;',
  'label:stay;',
  'setVar:warmth=2;',
  'jumpLabel:after;',
  'label:walk;',
  'setVar:warmth=1;',
  'label:after;',
  'Yuki:done;',
];
function find(lines: string[], line: number, picks?: Picks): StoryPath | null {
  const path = findStoryPath(scanScene(lines.join('\n')), line - 1, picks);
  return path === 'too-long' ? null : path;
}

it('lists the options that lead to a line, as the player sees them, and the one that is taken', () => {
  expect(find(SCENE, 8)?.forks).toEqual([
    {
      at: 0,
      options: [
        { place: 0, text: 'Stay : here' },
        { place: 1, text: 'Walk' },
      ],
      taken: 0,
    },
  ]);
});

it('takes a picked option, and the text for the stage follows it', () => {
  const picks = new Map([[0, 1]]);
  const path = find(SCENE, 8, picks);
  expect(path?.forks[0]?.taken).toBe(1);
  expect(path?.isOnPath.map((isOn, index) => (isOn ? index + 1 : 0)).filter(Boolean)).toEqual([1, 5, 6, 7, 8]);
  const text = SCENE.join('\n');
  const way = findStoryWay([{ path: '', statements: scanScene(text), target: 7, picks }]);
  expect(toStageText(text, 8, way).text).toBe('setVar:warmth=1;\nYuki:done;');
  expect(toStageText(text, 8).text).toBe('setVar:warmth=2;\nYuki:done;');
});

it('has no fork in front of a line that one option leads to, or all options to the same place', () => {
  expect(find(SCENE, 3)?.forks).toEqual([]);
  expect(find(SCENE, 6)?.forks).toEqual([]);
  expect(find(['choose:A:on|B:on;', 'label:on;', 'Yuki:hi;'], 3)?.forks).toEqual([]);
  // The way round a loop comes to the same menu again.
  expect(find(['label:again;', 'choose:Once more:again|On:on;', 'label:on;', 'Yuki:hi;'], 4)?.forks).toEqual([]);
});

it('ignores a pick that does not lead to the line or does not exist', () => {
  expect(find(SCENE, 3, new Map([[0, 1]]))?.isOnPath[2]).toBe(true);
  expect(find(SCENE, 8, new Map([[0, 7]]))?.forks[0]?.taken).toBe(0);
});

it('reaches the statements to which there is a path, and no others', () => {
  const scenes = [
    ['A:hi;', 'choose:Left:left|Right:other.txt;', 'A:never;', 'label:left;', 'A:left;', 'end;', 'A:lost;'],
    [
      'label:again;',
      'jumpLabel:out -when=a>1;',
      'jumpLabel:again;',
      'A:never;',
      'label:out;',
      'changeScene:x.txt;',
      '',
    ],
    ['jumpLabel:{where};', 'A:never;', 'label:x;', 'A:x;'],
    [''],
  ];
  for (const lines of scenes) {
    const statements = scanScene(lines.join('\n'));
    const reached = findReached(statements);
    expect(reached).toEqual(statements.map((_, at) => findStoryPath(statements, at) !== null));
  }
});
