import { expect, it } from 'vitest';
import { readOpenRequest, toHandOver, toOpenRequest } from './open-request.ts';

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

const send = (request: unknown) => ({ request: Buffer.from(JSON.stringify(request)).toString('base64url') });

it.each([null, undefined, 'x', 7, {}, { request: 7 }, { request: '*' }, send(null), send({}), send({ folder: 7 })])(
  'reads the invalid data %j as a request without a folder',
  (data) => {
    expect(toOpenRequest(data)).toEqual({ folder: null });
  },
);

it('does not accept a relative path as a folder', () => {
  expect(toOpenRequest(send({ folder: '../relative' }))).toEqual({ folder: null });
});

it.each(['/games/sea', '/games/日 本', '/游戏/雨ü のß 🎮', '/a\tb\nc "%20\\', null])(
  'encodes %j with URL-safe characters only',
  (folder) => {
    const sent = toHandOver({ folder });
    expect(sent.request).toMatch(/^[\w-]+$/);
    expect(toOpenRequest(sent)).toEqual({ folder });
  },
);

it('encodes a request for safe mode', () => {
  expect(toOpenRequest(toHandOver({ folder: null, isSafe: true }))).toEqual({ folder: null, isSafe: true });
  expect(toOpenRequest(send({ folder: null, isSafe: 'yes' }))).toEqual({ folder: null });
});
