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

it.each([
  '../../config',
  'a/../../x',
  'con',
  'a:b',
  'what?',
  '.git/x',
  '.txt',
  '.hidden',
  'a/',
  'a/.b',
  '#1',
  '50%',
  '\u200b',
  '\u200b.txt',
])('rejects “%s”', (name) => {
  expect(() => toScenePath(name)).toThrow(AppError);
});

it.each([
  ['雨夜'.repeat(41), true],
  ['雨夜'.repeat(43), false],
  [`${'a'.repeat(300)}/b`, false],
  [`${'a'.repeat(200)}/${'b'.repeat(200)}`, true],
])('limits the bytes of each name: “%s”', (name, isAllowed) => {
  if (isAllowed) expect(toScenePath(name)).toBe(`game/scene/${name}.txt`);
  else expect(() => toScenePath(name)).toThrow(expect.objectContaining({ reason: 'file.nameTooLong' }));
});
