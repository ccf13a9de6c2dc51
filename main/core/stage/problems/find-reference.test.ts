import { describe, expect, it } from 'vitest';
import { scanScene } from '../../../../shared/script/syntax/scan.ts';
import { findChosenScene, resolveScene } from '../scenes/scene-texts.ts';
import { findFilledReference, findReference } from './find-reference.ts';

describe('findReference', () => {
  const statements = scanScene(
    [
      '; changeBg:comment.png',
      'changeBg:day/海边.png -next;',
      'changeFigure:yuki.png -mouthOpen=open.png;',
      'playEffect:knock.ogg;',
      '雪乃:你好 -v1.ogg;',
      '雪乃:你好 -vocal=v2.wav;',
      'choose:go:next.txt|stay:label;',
      'changeScene:sub/../other.txt?x=1;',
      'bgm:{song}.mp3;',
      'unlockCg:cg.png -name=x;',
    ].join('\n'),
  );

  it.each([
    ['game/background/day/海边.png', 2],
    ['game/background/comment.png', null],
    ['game/figure/yuki.png', 3],
    ['game/figure/open.png', 3],
    ['game/vocal/knock.ogg', 4],
    ['game/vocal/v1.ogg', 5],
    ['game/vocal/v2.wav', 6],
    ['v2.wav', 6],
    ['game/scene/next.txt', 7],
    ['game/scene/label', null],
    ['game/scene/other.txt', 8],
    ['game/bgm/song.mp3', null],
    ['game/background/cg.png', 10],
    ['game/bgm/day/海边.png', null],
  ])('%s', (path, line) => {
    expect(findReference(statements, path)).toBe(line);
  });

  it('matches names in any Unicode normalisation form', () => {
    const scene = scanScene(`changeBg:${'é'.normalize('NFD')}.png`);
    expect(findReference(scene, `game/background/${'é'.normalize('NFC')}.png`)).toBe(1);
  });
});

describe('findFilledReference', () => {
  const statements = scanScene(
    [
      'changeFigure:{who}/{mood}.png;',
      'bgm:song-{number}.mp3;',
      'changeBg:{a}.png;',
      'changeBg:{b}.png;',
      'unlockCg:cg.png -name=x;',
      `playEffect:${'{x}a'.repeat(2_000)}.ogg;`,
    ].join('\n'),
  );

  it.each([
    ['game/figure/yuki/sad.png', 1],
    ['game/figure/yuki.png', null],
    ['game/figure/yuki/sad.webp', null],
    ['game/bgm/song-2.mp3', 2],
    ['game/bgm/song-.mp3', 2],
    ['game/bgm/song.mp3', null],
    ['game/background/beach.png', null],
    [`game/vocal/${'a'.repeat(4_000)}.ogg`, 6],
    [`game/vocal/${'a'.repeat(1_999)}.ogg`, null],
  ])('%s', (path, line) => {
    expect(findFilledReference(statements, path)).toBe(line);
  });
});

const shown = scanScene('choose:(x>1)->去海边\\:现在:b/two.txt|留下:label');

describe('resolveScene', () => {
  const scenes = ['game/scene/start.txt', 'game/scene/a/one.txt', 'game/scene/b/one.txt', 'game/scene/b/two.txt'];
  it.each([
    ['start.txt', 'game/scene/start.txt'],
    ['a/one.txt', 'game/scene/a/one.txt'],
    ['two.txt', 'game/scene/b/two.txt'],
    ['./game/scene/b/one.txt', 'game/scene/b/one.txt'],
    ['one.txt', null],
    ['去海边:现在', null],
    ['temp', null],
  ])('%s', (name, path) => {
    expect(resolveScene(name, scenes)).toBe(path);
  });
});

describe('findChosenScene', () => {
  it.each([
    ['去海边:现在', 'game/scene/b/two.txt'],
    ['留下', null],
    ['start.txt', null],
  ])('%s', (label, path) => {
    expect(findChosenScene(label, shown)).toBe(path);
  });

  it('knows which of several with one label is meant', () => {
    const same = scanScene('choose:同:a.txt|同:b.txt|同:label');
    expect([1, 2, 3, 4].map((nth) => findChosenScene('同', same, nth))).toEqual([
      'game/scene/a.txt',
      'game/scene/b.txt',
      null,
      null,
    ]);
    expect(findChosenScene('同', same)).toBe('game/scene/a.txt');
  });
});
