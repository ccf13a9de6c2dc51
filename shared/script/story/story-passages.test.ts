import { expect, test } from 'vitest';
import { createProjectIndex } from '../project-index/project-facts.ts';
import { buildStoryGraph } from './story-graph.ts';
import { describePassages } from './story-passages.ts';

test('returns opening, word count and speakers of each node', () => {
  const index = createProjectIndex();
  index.setScene(
    'game/scene/start.txt',
    'changeBg:sea.png;\n小雪:[你好](ni hao)世界;\n再见;\n阿明:hello there;\nlabel:later;\n又是我;\n:没人;\nlabel:quiet;\nend;',
  );
  index.setScene('game/scene/two.txt', 'intro:很久|以前;\n无名;');
  expect(describePassages(index, buildStoryGraph(index).nodes)).toEqual([
    {
      id: 'game/scene/start.txt#0',
      opening: { speaker: '小雪', text: '你好世界' },
      words: 8,
      speakers: ['小雪', '阿明'],
    },
    { id: 'game/scene/start.txt#1', opening: { speaker: '阿明', text: '又是我' }, words: 5, speakers: ['阿明'] },
    { id: 'game/scene/start.txt#2', opening: null, words: 0, speakers: [] },
    { id: 'game/scene/two.txt#0', opening: { speaker: null, text: '很久 以前' }, words: 6, speakers: [] },
  ]);
});
