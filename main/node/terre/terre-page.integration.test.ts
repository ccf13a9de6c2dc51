import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { request as ask, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { StageEvent } from '../../core/ports/stage-link.ts';
import { createStageLink } from '../stage/link/stage-link.ts';
import { createStageServer, type StageServer } from '../stage/stage-server.ts';
import { createTerreClient } from './terre-client.ts';
import { createTerreFiles } from './terre-files.ts';
import { createTerre } from './terre-preview.ts';

/** What the page of a game reaches in a Terre that may do anything, and what that Terre reaches. */

const NEWER = 'webgal-editor-preview-sync.v1';
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let base: string;
let root: string;
let terre: Server;
let terreSockets: WebSocketServer;
let asked: { line: string; headers: IncomingMessage['headers'] }[];
/** What Terre answers under `/games/`. */
let answer: Answer;
let server: StageServer;
let link: ReturnType<typeof createStageLink>;
let url: string;
let events: StageEvent[];
const sockets: WebSocket[] = [];

const PAGE = '<!doctype html><head><script>hostile()</script></head>';
const serve: Answer = ({ url: place }, response) => {
  response.setHeader('set-cookie', 'terre=1').setHeader('content-type', 'text/html');
  if (place === '/games/my%20game/') response.end(PAGE);
  else response.end(`Terre: ${place}`);
};

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'terre-page-')));
  root = path.join(base, 'mine');
  for (const folder of ['mine/game/scene', 'mine/game/bgm', 'engine'])
    await mkdir(path.join(base, folder), { recursive: true });
  await writeFile(path.join(base, 'engine/index.html'), '<head></head>the app’s');
  await writeFile(path.join(root, 'game/scene/start.txt'), 'Yuki:on the disk;');
  [asked, events, answer] = [[], [], serve];
  terre = createServer((request, response) => {
    const { url: place = '', method, headers } = request;
    asked.push({ line: `${method} ${place}`, headers });
    if (place === '/api/test') response.end('WebGAL Terre Application API Test OK');
    else if (place === '/api/manageGame/gameList') response.end('[{"dir":"my game"}]');
    else if (place.startsWith('/api/manageGame/readGameAssets/'))
      response.end(JSON.stringify({ dirPath: path.join(root, 'game') }));
    else answer(request, response);
  });
  terreSockets = new WebSocketServer({ server: terre, handleProtocols: (offered) => offered.has(NEWER) && NEWER });
  terreSockets.on('connection', (_, { url: place, headers }) => asked.push({ line: `SOCKET ${place}`, headers }));
  await new Promise<void>((resolve) => terre.listen(0, '127.0.0.1', resolve));
  server = createStageServer({ engineDirectory: path.join(base, 'engine') });
  const client = createTerreClient({ WEBGAL_PORT: String((terre.address() as AddressInfo).port - 1) });
  link = createStageLink({ server, root, findInTerre: createTerre({ root, client }).find });
  link.on((event) => events.push(event));
  link.serveEngine('terre');
});
afterEach(async () => {
  for (const socket of [...sockets.splice(0), ...terreSockets.clients]) socket.terminate();
  await link.close();
  await server.close();
  terre.closeAllConnections();
  await new Promise((resolve) => terre.close(resolve));
  await rm(base, { recursive: true, force: true });
});

const start = async () => {
  ({ url } = await link.start());
  asked = [];
};

/** Sends the path as it is: `fetch` would resolve it, and sets the host itself. */
const get = (place: string, { method = 'GET', host = new URL(url).host } = {}) =>
  new Promise<{ status: number; text: string; headers: IncomingMessage['headers'] }>((resolve, reject) => {
    const headers = { host, cookie: 'stage=1' };
    ask({ host: '127.0.0.1', port: new URL(url).port, path: place, method, headers }, async (response) => {
      const parts = await response.toArray().catch(() => []);
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString(), headers: response.headers });
    })
      .on('error', reject)
      .end();
  });

describe('the page of a game in Terre', () => {
  it('has the app’s scripts first and the stage’s headers, and the game’s files of the disk', async () => {
    await start();
    const page = await get('/');
    expect(page.text.indexOf('__takeConnections();')).toBeGreaterThan(0);
    expect(page.text.indexOf('hostile()')).toBeGreaterThan(page.text.indexOf('__takeConnections();</script>'));
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*connect-src 'self' ws:/);
    const script = await get('/assets/index.js?v=1');
    expect(script.text).toBe('0..__takeConnections();Terre: /games/my%20game/assets/index.js');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect((await get('/game/scene/start.txt')).text).toBe('Yuki:on the disk;');
    expect((await get('/game/template/b%20c.scss')).text).toBe('Terre: /games/my%20game/game/template/b%20c.scss');
    for (const { headers } of [page, script]) expect(headers['set-cookie']).toBeUndefined();
    expect(asked.map(({ line }) => line)).toEqual([
      'GET /games/my%20game/',
      'GET /games/my%20game/assets/index.js',
      'GET /games/my%20game/game/template/b%20c.scss',
    ]);
    for (const { headers } of asked) {
      expect(headers).not.toHaveProperty('cookie');
      expect(headers).not.toHaveProperty('origin');
      expect(headers).not.toHaveProperty('referer');
      expect(headers.host).toBe(`127.0.0.1:${(terre.address() as AddressInfo).port}`);
    }
  });

  it('has the headers of the app’s own page', async () => {
    await start();
    const read = async () => {
      const { headers } = await get('/');
      const { 'content-length': _, date, ...others } = headers;
      // Scripts in the page are named by their hashes, the socket by the address.
      const policy = `${others['content-security-policy']}`.replace(/'sha256-[^']*' ?/g, '').replace(/ws:\S+/, 'ws:');
      return { ...others, 'content-security-policy': policy };
    };
    const terres = await read();
    link.serveEngine('bundled');
    ({ url } = await link.move());
    expect(terres).toEqual(await read());
    expect((await get('/')).text).toContain('the app’s');
  });

  it('has no way to anything else of Terre’s', async () => {
    await start();
    const paths = [
      ...[
        '/api/test',
        '/api/manageGame/delete',
        '/games/my%20game/',
        '/games/other/game/config.txt',
        '/public/x.js',
        '/x.js',
      ],
      ...[
        '/assets/../../../api/manageGame/delete',
        '/assets/%2e%2e/%2e%2e/api/test',
        '/assets/..%2f..%2fapi',
        '/assets//api',
      ],
      ...[
        '/assets/',
        '/assets',
        '/game/scene//a.txt',
        '/assets\\..\\..\\api',
        '/assets/%5c..%5capi',
        '/webgal-serviceworker.js',
      ],
      ...['//api/test', '/templates/x', '/template-preview/x', '/assets/%00'],
    ];
    for (const place of paths) {
      const { status } = await get(place);
      expect([place, status >= 400]).toEqual([place, true]);
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect([method, (await get('/assets/index.js', { method })).status]).toEqual([method, 405]);
    expect((await get('/', { host: `127.0.0.1:${new URL(url).port}` })).headers.location ?? '').not.toContain('games');
    expect((await get('/assets/index.js', { host: 'evil.example' })).status).toBe(403);
    expect(asked).toEqual([]);
  });

  it('does not get by Terre what the stage refuses to read', async () => {
    await writeFile(path.join(base, 'secret.txt'), 'secret');
    await symlink(path.join(base, 'secret.txt'), path.join(root, 'game/bgm/link.txt'));
    await symlink(base, path.join(root, 'game/bgm/folder'), 'junction');
    await start();
    for (const place of ['/game/bgm/link.txt', '/game/bgm/folder/secret.txt', '/game/bgm'])
      expect([place, (await get(place)).status]).toEqual([place, 404]);
    expect(asked).toEqual([]);
  });

  it.each(['/api/manageGame/delete', 'http://127.0.0.1:1/', 'http://other.example/'])(
    'does not follow a redirect to %s',
    async (location) => {
      await start();
      answer = (_, response) => response.writeHead(302, { location }).end();
      expect((await get('/assets/index.js')).status).toBe(500);
      expect((await get('/')).status).toBe(500);
      expect(asked.every(({ line }) => line.startsWith('GET /games/my%20game/'))).toBe(true);
    },
  );

  it('ends answers without end, and keeps what was asked before', async () => {
    await start();
    let sent = 0;
    const part = Buffer.alloc(1024 * 1024);
    answer = (_, response) => {
      const more = () => {
        do sent += part.length;
        while (response.write(part));
      };
      response.on('drain', more);
      more();
    };
    expect((await get('/assets/index.js')).status).toBe(500);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    answer = serve;
    expect((await get('/assets/index.js')).status).toBe(200);
  });

  it('waits for no answer longer than the time for one', async () => {
    const { port } = terre.address() as AddressInfo;
    const files = createTerreFiles({ origin: `http://127.0.0.1:${port}`, dir: 'mine' }, 200);
    answer = () => undefined;
    await expect(files.read('assets/index.js')).rejects.toThrow();
    answer = (_, response) => void response.writeHead(200).write('a part');
    await expect(files.read('assets/index.js')).rejects.toThrow();
  });

  it.each<[string, Answer]>([
    ['none', (_, response) => response.writeHead(404).end()],
    ['a failure', (_, response) => response.writeHead(500).end(PAGE)],
    ['one that is too large', (_, response) => response.end(' '.repeat(513 * 1024))],
    ['a closed connection', (_, response) => response.destroy()],
  ])('does not start with %s', async (_, given) => {
    answer = given;
    await expect(link.start()).rejects.toMatchObject({ code: 'E_PREVIEW_FAIL', reason: 'stage.noTerrePage' });
    link.serveEngine('bundled');
    ({ url } = await link.start());
    expect((await get('/')).text).toContain('the app’s');
  });

  it.each(['..', '.', 'a/b', 'a?b#c', '%2e%2e'])('of the name %j is asked for below /games/ only', async (dir) => {
    const { port } = terre.address() as AddressInfo;
    const files = createTerreFiles({ origin: `http://127.0.0.1:${port}`, dir });
    await files.read('assets/index.js');
    const name = /^\.+$/.test(dir) ? [] : [`GET /games/${encodeURIComponent(dir)}/assets/index.js`];
    expect(asked.map(({ line }) => line)).toEqual(name);
  });
});

describe('the socket of a game in Terre', () => {
  /** Connects as an engine's page does. */
  async function connect(protocols: string[] = []) {
    const socket = new WebSocket(`ws://127.0.0.1:${new URL(url).port}/api/webgalsync`, protocols, {
      headers: { origin: url, host: new URL(url).host, cookie: 'stage=1' },
    });
    sockets.push(socket);
    const heard: { type?: string; data?: { command: number }; payload?: object }[] = [];
    socket.on('message', (data) => heard.push(JSON.parse(String(data))));
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    return { socket, heard, send: (message: unknown) => socket.send(JSON.stringify(message)) };
  }
  /** Terre's end. */
  async function connectTerre() {
    const received: unknown[] = [];
    await expect.poll(() => terreSockets.clients.size).toBe(1);
    const [socket] = terreSockets.clients as Set<WebSocket>;
    socket?.on('message', (data) => received.push(JSON.parse(String(data))));
    return { received, send: (message: unknown) => socket?.send(JSON.stringify(message)) };
  }
  const snapshot = (sceneName: string, sentenceId = 1) => ({
    ...{ kind: 'event', type: 'stage.snapshot.updated' },
    payload: { sceneName, sentenceId, stageState: { showText: 'hi' } },
  });
  const order = (type: string, payload: object) => ({
    ...{ kind: 'request', type: `preview.command.${type}`, requestId: 'x', payload },
  });
  const register = {
    ...{ kind: 'request', type: 'session.register-preview', requestId: 'r' },
    payload: { gameId: 'key', embeddedLaunchId: 'stolen' },
  };
  const older = (command: number, sceneMsg: object = {}) => ({
    event: 'message',
    data: { command, sceneMsg, stageSyncMsg: {}, message: 'm' },
  });

  it('lets reports through to Terre, and no orders', async () => {
    await start();
    const engine = await connect([NEWER]);
    const { received } = await connectTerre();
    expect(asked.map(({ line, headers }) => [line, headers.cookie, headers.origin])).toEqual([
      ['SOCKET /api/webgalsync', undefined, undefined],
    ]);
    engine.socket.send('[[[');
    for (const message of [
      ...[order('sync-scene', { sceneName: 'start.txt', sentenceId: 1 }), order('run-snippet', { snippet: 'end;' })],
      ...[older(0, { scene: 'start.txt', sentence: 1 }), older(1, { scene: 'start.txt', sentence: 1 })],
      ...[{ kind: 'request', type: 'session.register-editor', requestId: 'e', payload: {} }, snapshot('../x.txt')],
      ...[{ kind: 'event', type: 'editor.saved', payload: {} }, snapshot('start.txt?jump=1'), null, 7],
    ])
      engine.send(message);
    engine.send(register);
    engine.send({ kind: 'event', type: 'preview.ready.updated', payload: { ready: true, more: 1 } });
    engine.send({ ...snapshot('start.txt'), more: 1 });
    await expect
      .poll(() => received)
      .toEqual([
        { ...register, payload: { gameId: 'key' } },
        { kind: 'event', type: 'preview.ready.updated', payload: { ready: true } },
        snapshot('start.txt'),
      ]);
  });

  it('lets the orders of the protocol through to the engine, and nothing else', async () => {
    await start();
    const engine = await connect([NEWER]);
    const terre = await connectTerre();
    engine.send(register);
    engine.send({ kind: 'event', type: 'preview.ready.updated', payload: { ready: true } });
    await expect.poll(() => events.map(({ kind }) => kind)).toContain('connected');
    const greeted = engine.heard.length;
    for (const message of [
      ...[
        order('sync-scene', { sceneName: '../../x', sentenceId: 1 }),
        order('sync-scene', { sceneName: 'a.txt?jump=1', sentenceId: 1 }),
      ],
      ...[order('sync-scene', { sceneName: 'http://other.example/a.txt', sentenceId: 1 }), order('delete', {}), '[[['],
      ...[
        { kind: 'response', type: 'session.register-preview', requestId: 'r', payload: {} },
        older(0, { scene: 'a.txt', sentence: 1 }),
      ],
    ])
      terre.send(message);
    terre.send({ ...order('sync-scene', { sceneName: 'start.txt', sentenceId: 2, more: 1 }), more: 1 });
    terre.send(order('reload-templates', {}));
    await expect
      .poll(() => engine.heard.slice(greeted))
      .toEqual([order('sync-scene', { sceneName: 'start.txt', sentenceId: 2 }), order('reload-templates', {})]);
    expect(events.filter(({ kind }) => kind === 'led')).toEqual([{ kind: 'led', scene: 'start.txt', line: 2 }]);
  });

  it('passes the numbered commands of an older engine, and not their echo', async () => {
    await start();
    const engine = await connect();
    const terre = await connectTerre();
    engine.send(older(1, { scene: 'start.txt', sentence: 1 }));
    await expect.poll(() => terre.received).toEqual([older(1, { scene: 'start.txt', sentence: 1 })]);
    await expect.poll(() => engine.heard.length).toBe(1);
    for (const message of [
      ...[older(1, { scene: 'start.txt', sentence: 1 }), older(0, { scene: '../x', sentence: 1 }), older(99), older(9)],
      ...[older(0, { scene: 'start.txt', sentence: 2 }), older(6, { scene: 'temp', sentence: 1 })],
    ])
      terre.send(message);
    await expect.poll(() => engine.heard.slice(1).map(({ data }) => data?.command)).toEqual([0, 6]);
    expect(events.filter(({ kind }) => kind === 'led').map((event) => 'scene' in event && event.scene)).toEqual([
      'start.txt',
      null,
    ]);
  });

  it('tells Terre’s jumps from the app’s', async () => {
    await start();
    const engine = await connect([NEWER]);
    const terre = await connectTerre();
    engine.send({ kind: 'event', type: 'preview.ready.updated', payload: { ready: true } });
    const jumped = () => events.flatMap((event) => (event.kind === 'snapshot' ? [event.jumped] : []));
    link.jump('start.txt', 1, 'the text of the app');
    engine.send(snapshot('start.txt?jump=1'));
    await expect.poll(jumped).toEqual([true]);
    terre.send(order('sync-scene', { sceneName: 'start.txt', sentenceId: 1 }));
    await expect.poll(() => events.at(-1)).toEqual({ kind: 'led', scene: 'start.txt', line: 1 });
    // A report of before may arrive late.
    engine.send(snapshot('start.txt?jump=1'));
    engine.send(snapshot('start.txt'));
    await expect.poll(jumped).toEqual([true, false, false]);
    link.jump('start.txt', 1, 'another text of the app');
    engine.send(snapshot('start.txt?jump=2'));
    await expect.poll(jumped).toEqual([true, false, false, true]);
    // Lines of the app's texts are not those of the file that Terre has.
    expect(terre.received.filter((message) => JSON.stringify(message).includes('jump='))).toEqual([]);
  });

  it('is lost with Terre, and not when the page closes', async () => {
    await start();
    const closing = await connect([NEWER]);
    await connectTerre();
    closing.socket.close();
    await expect.poll(() => terreSockets.clients.size).toBe(0);
    expect(events.map(({ kind }) => kind)).not.toContain('terre-lost');
    await connect([NEWER]);
    await connectTerre();
    for (const socket of terreSockets.clients) socket.terminate();
    await expect.poll(() => events.map(({ kind }) => kind)).toContain('terre-lost');
  });

  it('closes for a message that is too large', async () => {
    await start();
    await connect([NEWER]);
    const terre = await connectTerre();
    terre.send(order('run-snippet', { snippet: 'x'.repeat(1024 * 1024) }));
    await expect.poll(() => events.map(({ kind }) => kind)).toContain('terre-lost');
  });
});
