import { expect, it } from 'vitest';
import { toFileKind } from './to-file-kind.ts';

it.each([
  ['game/scene/start.txt', 'scene'],
  ['game/scene/chapter 1/雨夜.TXT', 'scene'],
  ['game/scene/notes.md', 'other'],
  ['game/background/bg.webp', 'background'],
  ['game/figure/live2d/model.json', 'figure'],
  ['game/figure/.DS_Store', 'other'],
  ['game/background/Thumbs.db', 'other'],
  ['game/figure/hiyori.moc3', 'other'],
  ['game/figure/texture.png', 'figure'],
  ['game/background/hiyori/texture_00.png', 'background'],
  ['game/bgm/s.mp3', 'bgm'],
  ['game/vocal/v1.ogg', 'vocal'],
  ['game/video/op.mp4', 'video'],
  ['game/animation/shake.json', 'animation'],
  ['game/template/template.json', 'template'],
  ['game/config.txt', 'config'],
  ['game/scene/config.txt', 'scene'],
  ['game/userStyleSheet.css', 'other'],
  ['game/constructor/x.txt', 'other'],
  ['game/scene', 'other'],
  ['index.html', 'other'],
  ['scene/start.txt', 'other'],
])('%s is a %s', (path, kind) => {
  expect(toFileKind(path)).toBe(kind);
});
