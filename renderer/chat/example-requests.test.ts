import { describe, expect, it } from 'vitest';
import type { ProjectFile } from '../../shared/model/project.ts';
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
  const file = (path: string, kind: ProjectFile['kind'] = 'scene'): ProjectFile => ({ path, kind, bytes: 1 });

  it('keeps the display order of scenes and leaves out other files', () => {
    const files = [
      file('game/scene/start.txt'),
      file('game/background/sea.png', 'background'),
      file('game/scene/b.TXT'),
    ];
    expect(toGameFacts(files, []).scenes).toEqual(['start', 'b']);
  });

  it('sorts speakers by number of lines, then by name, without computed names', () => {
    const speakers = [
      ['{name}', 9],
      ['C', 1],
      ['A', 1],
      ['B', 2],
    ] as const;
    expect(toGameFacts([], speakers).speakers).toEqual(['B', 'A', 'C']);
  });
});
