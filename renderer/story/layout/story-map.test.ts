import { expect, test } from 'vitest';
import { createProjectIndex } from '../../../shared/script/project-index/project-facts.ts';
import { type DescribedStory, describeStory } from '../../../shared/script/story/story-passages.ts';
import { countMarks, findNodeAt, type MapWording, type StoryMap, toStoryMap } from './story-map.ts';

const wording: MapWording = {
  words: (count) => `${count}w`,
  lines: (count) => `${count}l`,
  minutes: (count) => `${count}m`,
  scenes: (count) => `${count}s`,
  others: 'others',
  call: 'call',
  separator: ', ',
  condition: (condition) => `if ${condition}`,
  mark: (mark) => mark.toUpperCase(),
};

function read(scenes: Record<string, string>): DescribedStory {
  const index = createProjectIndex();
  for (const [name, text] of Object.entries(scenes)) index.setScene(`game/scene/${name}.txt`, text);
  return describeStory(index);
}

const story = read({
  alone: '独白;',
  start:
    '小雪:你好;\ncallScene:memory.txt;\nchoose:留下:stay|(love>1)->走:two.txt|丢:nowhere|远:gone.txt;\nlabel:stay;\n再见;\nend;\n到不了;',
  memory: ':很久以前;',
  two: 'B:hello there;\nchangeScene:gone.txt -when=x>1;\nend;',
});

const boxes = ({ nodes }: StoryMap) =>
  nodes.map(({ title, line, opening, note, marks }) => [
    title,
    line,
    opening,
    note,
    marks.map(({ text }) => text).join(),
  ]);
const ways = ({ edges }: StoryMap) =>
  edges.map(({ from, to, line, kind, lines }) => `${from} ${kind} ${to} @${line} ${lines.join('/')}`.trim());

test('returns scenes in reading order with text, counts and marks', () => {
  const map = toStoryMap(story, 'scenes', wording);
  expect(boxes(map)).toEqual([
    ['start', 1, '小雪: 你好', '7w · 7l · 1m · 小雪', 'START,ENDING'],
    ['memory', 1, '很久以前', '4w · 1l · 1m', ''],
    ['two', 1, 'B: hello there', '2w · 3l · 1m · B', 'ENDING'],
    ['nowhere', 3, '', '', 'MISSING'],
    ['gone.txt', 3, '', '', 'MISSING'],
    ['alone', 1, '独白', '2w · 1l · 1m', 'UNREACHABLE,DEADEND'],
  ]);
  expect(ways(map)).toEqual([
    'game/scene/start.txt call game/scene/memory.txt @2 call',
    'game/scene/start.txt choose game/scene/two.txt @3 走/if love>1',
    'game/scene/start.txt missing missing:game/scene/start.txt:nowhere @3 丢',
    'game/scene/start.txt missing missing::gone.txt @3 远',
    'game/scene/two.txt missing missing::gone.txt @2 if x>1',
  ]);
});

test('returns passages with the edges within a scene', () => {
  const map = toStoryMap(story, 'passages', wording);
  expect(map.nodes.map(({ title, line, marks }) => [title, line, marks.map(({ text }) => text).join()])).toEqual([
    ['start', 1, 'START'],
    ['memory', 1, ''],
    ['start › stay', 4, 'ENDING'],
    ['two', 1, 'ENDING'],
    ['nowhere', 3, 'MISSING'],
    ['gone.txt', 3, 'MISSING'],
    ['alone', 1, 'UNREACHABLE,DEADEND'],
    ['start : 7', 7, 'UNREACHABLE,DEADEND'],
  ]);
  expect(ways(map)).toContain('game/scene/start.txt#0 choose game/scene/start.txt#1 @3 留下');
});

test('handles an empty story and scenes named like object members', () => {
  expect(toStoryMap(read({}), 'scenes', wording)).toEqual({ detail: 'scenes', nodes: [], edges: [] });
  const odd = toStoryMap(read({ start: 'choose:a:__proto__|b:constructor;' }), 'passages', wording);
  expect(odd.nodes.map(({ title }) => title)).toEqual(['start', '__proto__', 'constructor']);
});

test('lists scenes that are never reached in natural order', () => {
  const others = Object.fromEntries(['第十章', '第二章', 'day10', 'day2'].map((name) => [name, 'end;']));
  const { nodes } = toStoryMap(read({ start: 'end;', ...others }), 'scenes', wording);
  expect(nodes.map(({ title }) => title)).toEqual(['start', 'day2', 'day10', '第二章', '第十章']);
});

test('counts marks, finds the node of a line, and skips missing targets', () => {
  const { nodes } = toStoryMap(story, 'passages', wording);
  expect(countMarks(nodes)).toEqual([
    { mark: 'start', count: 1 },
    { mark: 'ending', count: 2 },
    { mark: 'deadEnd', count: 2 },
    { mark: 'unreachable', count: 2 },
    { mark: 'missing', count: 2 },
  ]);
  const at = (path: string, line: number) => findNodeAt(nodes, { path: `game/scene/${path}.txt`, line })?.title ?? null;
  expect([at('start', 3), at('start', 5), at('start', 99), at('none', 1)]).toEqual([
    'start',
    'start › stay',
    null,
    null,
  ]);
});
