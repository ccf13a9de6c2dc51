import { expect, test } from 'vitest';
import { toStatement } from './to-statement.ts';

test.each([
  ['scene', 'game/scene/day/two.txt', 'changeScene:day/two.txt;'],
  ['background', 'game/background/街.webp', 'changeBg:街.webp -next;'],
  ['figure', 'game/figure/a b/smile.png', 'changeFigure:a b/smile.png -next;'],
  ['bgm', 'game/bgm/rain.mp3', 'bgm:rain.mp3;'],
  ['vocal', 'game/vocal/door.ogg', 'playEffect:door.ogg;'],
  ['video', 'game/video/op.mp4', 'playVideo:op.mp4;'],
  ['animation', 'game/animation/shake.json', null],
  ['other', 'game/webgal-agent.json', null],
  ['bgm', 'game/bgm/Mili - Main theme.mp3', null],
  ['figure', 'game/figure/a;b.png', null],
] as const)('writes the statement that uses a file: %s %s', (kind, path, statement) => {
  expect(toStatement({ kind, path })).toBe(statement);
});
