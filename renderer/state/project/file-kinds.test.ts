import { describe, expect, it } from 'vitest';
import type { FileKind, ProjectFile } from '../../../shared/model/project.ts';
import { formatBytes, groupFiles, toShortName, toStageUrl } from './file-kinds.ts';

const file = (path: string, kind: FileKind): ProjectFile => ({ path, kind, bytes: 1 });
const files = [
  file('game/scene/start.txt', 'scene'),
  file('game/scene/chapter2.txt', 'scene'),
  file('game/scene/chapter10.txt', 'scene'),
  file('game/scene/雨夜/争吵.txt', 'scene'),
  file('game/figure/yukino.webp', 'figure'),
  file('game/background/rain.webp', 'background'),
  file('game/config.txt', 'config'),
];

describe('groupFiles', () => {
  it('keeps the order and omits empty kinds', () => {
    const { scenes, assets } = groupFiles(files, '');
    expect(scenes.map(toShortName)).toEqual(['start.txt', 'chapter2.txt', 'chapter10.txt', '雨夜/争吵.txt']);
    expect(assets.map(({ kind, files: found }) => [kind, found.map(toShortName)])).toEqual([
      ['background', ['rain.webp']],
      ['figure', ['yukino.webp']],
      ['config', ['config.txt']],
    ]);
  });

  it('matches words anywhere in the path, ignoring case', () => {
    const { scenes, assets } = groupFiles(files, ' CHAPTER  2 ');
    expect([scenes.map(toShortName), assets]).toEqual([['chapter2.txt'], []]);
  });

  it('finds names by full-width letters', () => {
    expect(groupFiles(files, 'ＣＨＡＰＴＥＲ　２').scenes.map(toShortName)).toEqual(['chapter2.txt']);
  });
});

it('escapes special characters of names in URLs', () => {
  expect(toStageUrl('http://127.0.0.1:9/', 'game/background/雨 夜#1?.webp')).toBe(
    'http://127.0.0.1:9/game/background/%E9%9B%A8%20%E5%A4%9C%231%3F.webp',
  );
});

it('formats sizes in readable units', () => {
  expect([formatBytes(12_340, 'en'), formatBytes(3_456_789, 'en')]).toEqual(['12.3 kB', '3.5 MB']);
});
