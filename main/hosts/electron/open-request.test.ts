import { expect, it } from 'vitest';
import { readOpenRequest, toOpenRequest } from './open-request.ts';

it.each([
  [[], null],
  [['--project', '/games/sea'], '/games/sea'],
  [['--project=games/sea'], '/home/me/games/sea'],
  [['/games/sea'], '/games/sea'],
  [['--inspect=0', '--remote-debugging-port=0', 'sea'], '/home/me/sea'],
  [['--project', '/a', '/b'], '/a'],
  [['--project'], null],
  [['file:///games/%E6%B5%B7'], '/games/海'],
  [['--project', 'file:///games/sea'], '/games/sea'],
  [['file://elsewhere/games'], '/home/me/file:/elsewhere/games'],
  [[''], null],
])('reads %j as a request for %j', (args, folder) => {
  expect(readOpenRequest(args, '/home/me')).toEqual({ folder });
});

it.each([null, undefined, 'x', 7, {}, { folder: 7 }, { folder: '../relative' }])('takes %j for no folder', (data) => {
  expect(toOpenRequest(data)).toEqual({ folder: null });
});

it('keeps the folder that a second process sent', () => {
  expect(toOpenRequest({ folder: '/games/sea' })).toEqual({ folder: '/games/sea' });
});
