import { expect, test } from 'vitest';
import { createProjectIndex } from '../../shared/script/project-index/project-facts.ts';
import { findStoryLines, toStoryWords } from '../../shared/script/story/story-lines.ts';
import { describeStory } from '../../shared/script/story/story-passages.ts';
import { findInStory } from './find-in-story.ts';
import { type Detail, type MapWording, type Mark, toStoryMap } from './layout/story-map.ts';

const wording: MapWording = {
  words: String,
  lines: String,
  minutes: String,
  scenes: String,
  others: 'others',
  call: 'call',
  separator: ', ',
  condition: (condition) => condition,
  mark: (mark) => mark.toUpperCase(),
};

const TEXTS = {
  start: '小雪:你好;\n潮声漫上来;\nchoose:留下:stay|走:two.txt|丢:nowhere;\nlabel:stay;\n再见;\nend;',
  two: 'B:hello there;\nbgm:Sea Song.mp3;\nB:the last line;\nend;',
};

function search(text: string, { mark = null, detail = 'scenes' }: { mark?: Mark | null; detail?: Detail } = {}) {
  const index = createProjectIndex();
  for (const [name, own] of Object.entries(TEXTS)) index.setScene(`game/scene/${name}.txt`, own);
  const { nodes } = toStoryMap(describeStory(index), detail, wording);
  const { matches, lines } = findInStory(nodes, { text, mark, hits: findStoryLines(index, toStoryWords(text)) });
  const titles = new Map(nodes.map(({ id, title }) => [id, title]));
  return [...matches.map(({ id, lines: [line = '-'] }) => `${titles.get(id)} ${line}`), lines];
}

test('finds a line anywhere in a scene', () => {
  expect(search('last LINE')).toEqual(['two 3', 1]);
  expect(search('sea song')).toEqual(['two 2', 1]);
  expect(search('留下')).toEqual(['start 3', 1]);
  // Full-width letters and spaces, as an input method leaves them.
  expect(search('Ｓea　ＳＯＮＧ')).toEqual(['two 2', 1]);
  expect(search('ｔｗｏ')).toEqual(['two -', 'start 3', 1]);
});

test('finds the speaker, also in lines that omit the name', () => {
  expect(search('小雪')).toEqual(['start 1', 3]);
  expect(search('小雪 潮声')).toEqual(['start 2', 1]);
});

test('matches words across scene name and one line, but not across two lines', () => {
  expect(search('two there')).toEqual(['two 1', 1]);
  // A match in the name ranks before a line that targets the scene.
  expect(search('two')).toEqual(['two -', 'start 3', 1]);
  expect(search('start')).toEqual(['start -', 0]);
  expect(search('hello last')).toEqual([0]);
});

test('matches a mark, a mark with words, the word of a mark, and an empty search', () => {
  expect(search('', { mark: 'ending' })).toEqual(['start -', 'two -', 0]);
  expect(search('last', { mark: 'ending' })).toEqual(['two 3', 1]);
  expect(search('missing')).toEqual(['nowhere -', 0]);
  expect(search('  ')).toEqual([0]);
});

test('matches only the own lines of a passage', () => {
  expect(search('再见', { detail: 'passages' })).toEqual(['start › stay 5', 1]);
});
