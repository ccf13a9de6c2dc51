import { expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { toScenePath } from './to-scene-path.ts';

it.each([
  ['rainy_night', 'game/scene/rainy_night.txt'],
  [' 灯塔.txt ', 'game/scene/灯塔.txt'],
  ['act2/Storm.TXT', 'game/scene/act2/Storm.TXT'],
  ['ch1.2', 'game/scene/ch1.2.txt'],
])('converts “%s” to a scene path', (name, path) => {
  expect(toScenePath(name)).toBe(path);
});

it.each(['../../config', 'a/../../x', 'con', 'a:b', 'what?', '.git/x', '.txt', '.hidden', 'a/', 'a/.b', '#1', '50%'])(
  'rejects “%s”',
  (name) => {
    expect(() => toScenePath(name)).toThrow(AppError);
  },
);
