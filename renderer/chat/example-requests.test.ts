import { describe, expect, it } from 'vitest';
import { toExampleRequests, toGameFacts } from './example-requests.ts';

describe('toExampleRequests', () => {
  it('uses scene and character names of the game', () => {
    expect(toExampleRequests({ scenes: ['start', 'beach'], speakers: ['雪乃', '我', '店长'] })).toEqual([
      { key: 'choice', values: { scene: 'beach' } },
      { key: 'quarrel', values: { one: '雪乃', other: '我' } },
      { key: 'check', values: {} },
    ]);
  });

  it('handles one speaker, no speaker and an empty game', () => {
    expect(toExampleRequests({ scenes: ['start'], speakers: ['A'] })[1]).toEqual({
      key: 'deepen',
      values: { one: 'A', scene: 'start' },
    });
    expect(toExampleRequests({ scenes: ['start'], speakers: [] })[1]?.key).toBe('mood');
    expect(toExampleRequests({ scenes: [], speakers: [] }).map(({ key }) => key)).toEqual(['opening', 'cast', 'howTo']);
  });
});

describe('toGameFacts', () => {
  it('sorts scenes by number, including Chinese numerals', () => {
    const scenes = ['第十章', '第二章', '第一百零二章', 'start', 'ch10', 'ch9'];
    const facts = toGameFacts(
      scenes.map((name) => ({ path: `game/scene/${name}.txt`, text: '' })),
      () => [],
    );
    expect(facts.scenes).toEqual(['start', 'ch9', 'ch10', '第二章', '第十章', '第一百零二章']);
  });

  it('puts the first scene first and sorts speakers by number of lines', () => {
    const scenes = [
      { path: 'game/scene/beach.txt', text: 'B,A,{name}' },
      { path: 'game/scene/start.txt', text: 'A,,B,C,B' },
    ];
    expect(toGameFacts(scenes, (text) => text.split(','))).toEqual({
      scenes: ['start', 'beach'],
      speakers: ['B', 'A', 'C'],
    });
  });
});
