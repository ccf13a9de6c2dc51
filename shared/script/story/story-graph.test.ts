import { describe, expect, test } from 'vitest';
import { createProjectIndex } from '../project-index/project-facts.ts';
import { countWords, summarizeScene } from './outline.ts';
import { buildStoryGraph, unreachableLines } from './story-graph.ts';

function story() {
  const index = createProjectIndex();
  index.setScene(
    'game/scene/start.txt',
    '小雪:你好;\ncallScene:memory.txt;\nchoose:留下:stay|(love>1)->走:two.txt|丢:nowhere;\nlabel:stay;\n再见;\nend;\n到不了;\nlabel:lost;\nA:x;',
  );
  index.setScene('game/scene/memory.txt', ':很久以前;');
  index.setScene('game/scene/two.txt', '小雪:hello there;\njumpLabel:a -when=x>1;\nlabel:a;\nB:停;');
  return index;
}

describe('buildStoryGraph', () => {
  test.each(['', '\n\n', '; what happens here'])('has a scene without statements, %j, that others lead to', (text) => {
    const index = story();
    index.setScene('game/scene/new.txt', text);
    index.setScene('game/scene/two.txt', 'choose:去:new.txt;');
    const { nodes, edges, broken } = buildStoryGraph(index);
    const id = 'game/scene/new.txt#0';
    expect(nodes.find((node) => node.id === id)).toMatchObject({ line: 1, isReachable: true, isDeadEnd: true });
    expect(edges.filter(({ to }) => to === id)).toHaveLength(1);
    expect(broken.filter(({ target }) => target === 'new.txt')).toEqual([]);
    index.setScene('game/scene/two.txt', 'end;');
    expect(buildStoryGraph(index).nodes.find((node) => node.id === id)).toMatchObject({ isReachable: false });
  });

  test('returns nodes, edges, endings and dead ends', () => {
    const graph = buildStoryGraph(story());
    expect(
      graph.nodes.map((node) => [
        node.id,
        node.label,
        `${node.line}-${node.endLine}`,
        [node.isReachable && 'reachable', node.isEnding && 'ending', node.isDeadEnd && 'dead end']
          .filter(Boolean)
          .join(', '),
      ]),
    ).toEqual([
      ['game/scene/memory.txt#0', null, '1-1', 'reachable'],
      ['game/scene/start.txt#0', null, '1-3', 'reachable'],
      ['game/scene/start.txt#1', 'stay', '4-6', 'reachable, ending'],
      ['game/scene/start.txt#2', null, '7-7', ''],
      ['game/scene/start.txt#3', 'lost', '8-9', 'dead end'],
      ['game/scene/two.txt#0', null, '1-2', 'reachable'],
      ['game/scene/two.txt#1', 'a', '3-4', 'reachable, dead end'],
    ]);
    expect(graph.edges).toEqual([
      { from: 'game/scene/start.txt#0', to: 'game/scene/memory.txt#0', kind: 'call', line: 2 },
      { from: 'game/scene/start.txt#0', to: 'game/scene/start.txt#1', kind: 'choose', line: 3, text: '留下' },
      {
        from: 'game/scene/start.txt#0',
        to: 'game/scene/two.txt#0',
        kind: 'choose',
        line: 3,
        text: '走',
        condition: 'love>1',
      },
      // The label does not exist, so the engine continues with the next line.
      { from: 'game/scene/start.txt#0', to: 'game/scene/start.txt#1', kind: 'choose', line: 3, text: '丢' },
      { from: 'game/scene/start.txt#2', to: 'game/scene/start.txt#3', kind: 'next', line: 7 },
      { from: 'game/scene/two.txt#0', to: 'game/scene/two.txt#1', kind: 'jump', line: 2, condition: 'x>1' },
      { from: 'game/scene/two.txt#0', to: 'game/scene/two.txt#1', kind: 'next', line: 2 },
    ]);
    expect(graph.broken).toEqual([{ from: 'game/scene/start.txt#0', line: 3, target: 'nowhere', text: '丢' }]);
    expect(graph.characters[0]).toEqual({ name: '小雪', lines: 4, words: 9 });
  });

  test('has no dead end where the conditions of the last exits cover all cases', () => {
    const deadEnds = (last: string) => {
      const index = createProjectIndex();
      const scene = `setVar:love=1;\nchangeScene:a.txt -when=love>=40;\nchangeScene:b.txt -when=love${last};`;
      index.setScene('game/scene/start.txt', scene);
      for (const name of ['a', 'b']) index.setScene(`game/scene/${name}.txt`, ':x;\nend;');
      return buildStoryGraph(index).nodes.flatMap(({ isDeadEnd, path }) => (isDeadEnd ? path : []));
    };
    expect(deadEnds('<40')).toEqual([]);
    expect(deadEnds('<30')).toEqual(['game/scene/start.txt']);
  });

  test('returns unreachable lines', () => {
    expect(unreachableLines(story(), 'game/scene/start.txt')).toEqual([{ first: 7, last: 9 }]);
  });

  test('handles a hundred and fifty scenes in cycles', () => {
    const index = createProjectIndex();
    for (let scene = 0; scene < 150; scene += 1) {
      index.setScene(
        `game/scene/${scene === 0 ? 'start' : scene}.txt`,
        `A:hi;\nchoose:on:${(scene % 149) + 1}.txt|back:start.txt;`,
      );
    }
    const graph = buildStoryGraph(index);
    expect([graph.nodes.length, graph.edges.length, graph.nodes.every((node) => node.isReachable)]).toEqual([
      150,
      300,
      true,
    ]);
  });
});

describe('summarizeScene', () => {
  test('counts dialogues, words, labels, choices and speakers', () => {
    expect(summarizeScene(story(), 'game/scene/start.txt')).toEqual({
      path: 'game/scene/start.txt',
      lines: 9,
      dialogues: 4,
      words: 8,
      labels: [
        { name: 'stay', line: 4 },
        { name: 'lost', line: 8 },
      ],
      speakers: [
        { name: '小雪', lines: 3, words: 7 },
        { name: 'A', lines: 1, words: 1 },
      ],
      choices: 1,
      leadsTo: [
        { scene: 'memory.txt', line: 2, how: 'call' },
        { scene: 'two.txt', line: 3, how: 'choose' },
      ],
    });
    expect([countWords('你好，world! It’s 3 o’clock'), countWords('')]).toEqual([6, 0]);
    expect(['人々', '𠮷野家', 'ラーメン', '한국어 좋아요'].map(countWords)).toEqual([2, 3, 4, 2]);
  });
});
