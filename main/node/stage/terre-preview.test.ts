import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { createTerrePreview } from './terre-preview.ts';

let base: string;
let root: string;
let server: Server;
let asked: string[];
let jumps: string[];

/** Answers as Terre 4.6 does, for the games given by folder name and real path. */
async function startTerre(
  games: Record<string, string>,
  greeting = 'WebGAL Terre Application API Test OK',
): Promise<number> {
  server = createServer((request, response) => {
    const place = decodeURIComponent(request.url ?? '');
    asked.push(`${request.method} ${place}`);
    const dir = /^\/api\/manageGame\/readGameAssets\/(.+)\/game$/.exec(place)?.[1];
    if (place === '/api/test') response.end(greeting);
    else if (place === '/api/manageGame/gameList')
      response.end(JSON.stringify(Object.keys(games).map((name) => ({ dir: name }))));
    else if (dir !== undefined) response.end(JSON.stringify({ dirPath: games[dir] }));
    else response.writeHead(404).end();
  });
  const sockets = new WebSocketServer({ server, path: '/api/webgalsync' });
  sockets.on('connection', (socket) => socket.on('message', (data) => jumps.push(String(data))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'terre-')));
  root = path.join(base, 'mine');
  await mkdir(path.join(root, 'game', 'scene'), { recursive: true });
  asked = [];
  jumps = [];
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
  await rm(base, { recursive: true, force: true });
});

const show = (port: number) =>
  createTerrePreview({ root, environment: { WEBGAL_PORT: String(port - 1) } })(
    'ch 1.txt',
    new AbortController().signal,
  );

it('finds the game of Terre by its real path, and sends a jump to its preview', async () => {
  await symlink(root, path.join(base, 'linked'), 'junction');
  const port = await startTerre({ other: base, 'my game': path.join(base, 'linked', 'game') });
  expect(await show(port)).toEqual({
    url: `http://127.0.0.1:${port}/games/my%20game/#scene=ch%201.txt`,
    logs: [expect.stringContaining('ch 1.txt')],
  });
  await expect
    .poll(() => jumps.map((jump) => JSON.parse(jump).data.sceneMsg))
    .toEqual([{ scene: 'ch 1.txt', sentence: 1 }]);
  // It sends only queries.
  expect(asked.every((line) => line.startsWith('GET '))).toBe(true);
});

it.each<[string, Record<string, string>, string | undefined]>([
  ['does not have the game', { other: '/nowhere' }, undefined],
  ['is another program', {}, 'hello'],
])('fails with a hint when it %s', async (_, games, greeting) => {
  const port = await startTerre(games, greeting);
  await expect(show(port)).rejects.toMatchObject({ code: 'E_PREVIEW_FAIL', hint: expect.stringContaining('embedded') });
});
