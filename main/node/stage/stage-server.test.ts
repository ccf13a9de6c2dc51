import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { createContext, runInContext, runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { toPng } from '../../../tests/support/games/png-file.ts';
import type { StageEvent } from '../../core/ports/stage-link.ts';
import { createAssetStore, describeAssetBytes } from '../assets/asset-store.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createStageLink } from './link/stage-link.ts';
import { SCRIPT_PRELUDE } from './scripts/stage-connections-script.ts';
import { createStageServer, type StageServer } from './stage-server.ts';

const ENGINE_PAGE =
  '<!DOCTYPE html><html><head><script src="./assets/index.js"></script></head><body><script>go()</script></body></html>';

let folder: string;
let port: number;
/** The host name of the stage, the only one it answers to. */
let host: string;
let server: StageServer;
let link: ReturnType<typeof createStageLink>;
const events: StageEvent[] = [];

async function put(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preview-'));
  await put('engine/index.html', ENGINE_PAGE);
  await put('engine/assets/index.js', 'engine()');
  await put('engine/webgal-serviceworker.js', 'cache()');
  await put('outside/secret.txt', 'secret');
  await put('project/game/scene/start.txt', 'A:hello;');
  await put('project/game/scene/海边 约会.txt', '雪乃:你好;');
  await put('project/game/bgm/sea.mp3', Buffer.from('0123456789'));
  await put('project/game/background/beach.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await put('project/game/.webgal_agent/log.jsonl', 'secret');
  await put('project/game/.env', 'secret');
  await put('project/.webgal_agent/log.jsonl', 'secret');
  await put('project/.env', 'secret');
  await put('project/.git/config', 'secret');
  await put('project/notes.txt', 'secret');
  await put('project/package.json', 'secret');
  await put('project/manifest.json', '{}');
  await symlink(join(folder, 'outside'), join(folder, 'project/game/figure'));
  await symlink(join(folder, 'outside/secret.txt'), join(folder, 'project/game/scene/linked.txt'));
  await symlink(join(folder, 'project/.webgal_agent'), join(folder, 'project/game/video'));
  await symlink(join(folder, 'project/notes.txt'), join(folder, 'project/game/scene/notes.txt'));
  await symlink(join(folder, 'project/game/scene/start.txt'), join(folder, 'project/game/scene/alias.txt'));
  server = createStageServer({ engineDirectory: join(folder, 'engine') });
  server.embedIn('app://webgal-agent');
  link = createStageLink({ server, root: join(folder, 'project') });
  link.on((event) => events.push(event));
  ({ host } = new URL((await link.start()).url));
  port = Number(host.split(':')[1]);
});

afterAll(async () => {
  await link.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(() => {
  events.length = 0;
  link.setOverlay(new Map());
});

interface Asked {
  method?: string;
  headers?: Record<string, string>;
}

/** Sends a request with the path exactly as given: `fetch` would normalize it. */
function ask(path: string, { method = 'GET', headers = {} }: Asked = {}) {
  return new Promise<{ status: number; body: string; headers: Record<string, string | string[] | undefined> }>(
    (resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            body: Buffer.concat(parts).toString(),
            headers: response.headers,
          }),
        );
      });
      sent.on('error', reject);
      sent.end();
    },
  );
}

describe('what the stage serves', () => {
  it('is the project over the engine', async () => {
    expect(await ask('/game/scene/start.txt')).toMatchObject({
      status: 200,
      body: 'A:hello;',
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      },
    });
    expect(await ask('/assets/index.js')).toMatchObject({ status: 200, body: 'engine()' });
    expect(await ask('/manifest.json')).toMatchObject({ status: 200, body: '{}' });
    expect(await ask('/game/scene/alias.txt')).toMatchObject({ status: 200, body: 'A:hello;' });
  });

  it.each(['//', '//[', '/%'])('is a 404 for an invalid address: %s', async (path) => {
    expect((await ask(path)).status).toBe(400);
  });

  it('has names in any script, and ignores an unknown query', async () => {
    const path = `/game/scene/${encodeURIComponent('海边 约会.txt')}?x=1`;
    expect(await ask(path)).toMatchObject({ status: 200, body: '雪乃:你好;' });
  });

  // Windows cannot have the others.
  const ODD_NAMES = [
    '\u202asea.mp3',
    'rain\u2069 .mp3',
    ...(sep === '/' ? ['a:b?.mp3', 'aux.mp3', 'wave~1.mp3', 'x.'] : []),
  ];
  it.each(ODD_NAMES)('includes a file that no path of the app can name: %j', async (name) => {
    await put(`project/game/vocal/${name}`, 'heard');
    expect(await ask(`/game/vocal/${encodeURIComponent(name)}`)).toMatchObject({ status: 200, body: 'heard' });
    expect(await ask(`/game/vocal/${encodeURIComponent(`${name} `)}`)).toMatchObject({ status: 404, body: '' });
    expect(events.filter(({ kind }) => kind === 'missing')).toHaveLength(1);
  });

  it('is the text in memory where there is one, and the disk stays unchanged', async () => {
    link.setOverlay(new Map([['game/scene/start.txt', '雪乃:未保存;']]));
    expect(await ask('/game/scene/start.txt')).toMatchObject({ status: 200, body: '雪乃:未保存;' });
    link.setOverlay(new Map());
    expect((await ask('/game/scene/start.txt')).body).toBe('A:hello;');
  });

  it('is the text of a jump for that jump alone', async () => {
    link.jump('start.txt', 3, 'flattened');
    expect((await ask('/game/scene/start.txt?jump=1')).body).toBe('flattened');
    expect((await ask('/game/scene/start.txt?jump=2')).body).toBe('A:hello;');
    expect((await ask('/game/scene/start.txt')).body).toBe('A:hello;');
  });

  it('supports ranges, for players that seek', async () => {
    const sound = (range: string) => ask('/game/bgm/sea.mp3', { headers: { range } });
    expect(await sound('bytes=2-4')).toMatchObject({
      status: 206,
      body: '234',
      headers: { 'content-range': 'bytes 2-4/10', 'content-length': '3', 'content-type': 'audio/mpeg' },
    });
    expect(await sound('bytes=7-')).toMatchObject({ status: 206, body: '789' });
    expect(await sound('bytes=-2')).toMatchObject({ status: 206, body: '89' });
    expect(await sound('bytes=0-99')).toMatchObject({ status: 206, body: '0123456789' });
    expect(await sound('bytes=10-')).toMatchObject({ status: 416, headers: { 'content-range': 'bytes */10' } });
    expect(await sound('bytes=0-1,3-4')).toMatchObject({ status: 200, body: '0123456789' });
    expect(await sound('lines=1')).toMatchObject({ status: 200 });
  });

  it('is the sound of a proposal, and never the text that stands for it', async () => {
    const assets = createAssetStore(createAgentFolder(join(folder, 'project')));
    const sound = Buffer.from('RIFF....WAVEfmt and some samples');
    await assets.add(sound);
    const line = describeAssetBytes(sound);
    link.setOverlay(new Map([['game/bgm/sea.mp3', line]]));
    expect(await ask('/game/bgm/sea.mp3', { headers: { range: 'bytes=8-11' } })).toMatchObject({
      ...{ status: 206, body: 'WAVE' },
      headers: { 'content-type': 'audio/mpeg', 'x-content-type-options': 'nosniff' },
    });
    for (const text of ['abcdef', line.replace(/[0-9a-f]{64}/, '0'.repeat(64))]) {
      link.setOverlay(new Map([['game/bgm/sea.mp3', text]]));
      expect((await ask('/game/bgm/sea.mp3')).status).toBe(404);
    }
  });

  it('supports HEAD requests', async () => {
    expect(await ask('/game/bgm/sea.mp3', { method: 'HEAD' })).toMatchObject({
      status: 200,
      body: '',
      headers: { 'content-length': '10' },
    });
    expect((await ask('/game/scene/start.txt', { method: 'POST' })).status).toBe(405);
  });

  it('is a page with a strict policy and the scripts of the app first', async () => {
    const page = await ask('/?lang=en');
    expect(page.body.indexOf('localStorage')).toBeLessThan(page.body.indexOf('./assets/index.js'));
    expect(page.body).toContain('.html-body__title-enter{display:none');
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`connect-src 'self' ws://${host} data: blob:`);
    expect(policy).toContain('frame-ancestors app://webgal-agent');
    expect(policy).toContain("worker-src 'none'");
    // No popups: a window that a game opens would outlive its page.
    expect(policy).toMatch(/sandbox allow-scripts allow-same-origin allow-modals allow-downloads$/);
    expect(page.headers['permissions-policy']).toContain('publickey-credentials-get=()');
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
    expect(policy.match(/'sha256-[^']+'/g)?.length).toBe(5);
    expect((await ask('/index.html')).body).toBe(page.body);
    expect((await ask('/game/background/beach.svg')).headers['content-security-policy']).toContain('sandbox');
  });

  it.each([
    ['zh-CN', '0'],
    ['en', '1'],
    ['ja', '2'],
    ['unknown', '0'],
  ])('starts the engine in the language of the app: %s', async (locale, engineNumber) => {
    const [, script = ''] = /<script>([^<]*try\{localStorage.*?)<\/script>/.exec((await ask('/')).body) ?? [];
    const stored = new Map<string, string>();
    const localStorage = { setItem: (key: string, value: string) => stored.set(key, value) };
    runInNewContext(script, {
      localStorage,
      location: { protocol: 'http:', search: `?lang=${locale}` },
      URLSearchParams,
    });
    expect(stored.get('lang')).toBe(engineNumber);
  });

  it('lets the app show pictures, and no other type, in another page', async () => {
    await put('project/game/background/beach.png', 'png');
    const policyOf = async (path: string) => (await ask(path)).headers['cross-origin-resource-policy'];
    expect(await policyOf('/game/background/beach.png')).toBe('cross-origin');
    // A page draws SVG in its own process.
    expect(await policyOf('/game/background/beach.svg')).toBe('same-origin');
    expect(await policyOf('/')).toBe('same-origin');
  });
});

describe('what the stage does not serve', () => {
  const NOT_THERE = [
    '/game/scene/none.txt',
    '/game/scene',
    '/game/scene/',
    '/webgal-serviceworker.js',
    '/notes.txt',
    '/package.json',
    '/project/game/scene/start.txt',
  ];
  it.each(NOT_THERE)('answers %s with a plain 404', async (path) => {
    expect(await ask(path)).toMatchObject({
      status: 404,
      body: '',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    });
  });

  const FORBIDDEN = [
    '/.env',
    '/.git/config',
    '/.webgal_agent/log.jsonl',
    '/game/.env',
    '/game/.webgal_agent/log.jsonl',
    '/game/.WEBGAL_AGENT/log.jsonl',
    '/game/../notes.txt',
    '/game/..%2fnotes.txt',
    '/game/%2e%2e/notes.txt',
    '/game/%2e%2e%2f%2e%2e%2foutside/secret.txt',
    '/game/..%5cnotes.txt',
    '/game//..//notes.txt',
    '/%2e%2e/outside/secret.txt',
    '/../outside/secret.txt',
    '/game/scene/start.txt%00.png',
    '/game/scene/%c0%ae%c0%ae/secret.txt',
    '/game/scene/start.txt.',
    '/game/scene/start.txt::$DATA',
    '/game/CON',
    // Names are compared with the folder's listing, so a short alias does not match.
    '/game/GIT~1/config',
    '/game/%E2%80%AE.env',
    '/game/.env%E2%80%AC',
    '/game/.env.',
    '/%E2%81%A6.git/config',
    '/game/scene/%E2%80%AAstart.txt',
    '/game/vocal%5C..%5C..%5Cnotes.txt',
    '/game/scene/%E2%80%AA/../../notes.txt',
    '/game/.%E2%80%AA./notes.txt',
    '/game/scene/%',
    // Links that leave the game, or lead to a forbidden place in it.
    '/game/figure/secret.txt',
    '/game/scene/linked.txt',
    '/game/video/log.jsonl',
    '/game/scene/notes.txt',
  ];
  it.each(FORBIDDEN)('refuses %s', async (path) => {
    const { status, body } = await ask(path);
    expect([400, 404]).toContain(status);
    expect(body).toBe('');
  });

  it('is reported when it matters, and ignored when no game has it', async () => {
    for (const path of [
      '/game/background/none.png',
      '/game/background/',
      '/lib/live2d.min.js',
      '/icons/favicon.ico',
      '/game/userStyleSheet.css',
      '/game/template/template.json',
      '/v1.wav',
      '/webgal-serviceworker.js',
    ]) {
      await ask(path);
    }
    expect(events).toEqual([
      { kind: 'missing', path: 'game/background/none.png' },
      { kind: 'missing', path: 'v1.wav' },
    ]);
  });
});

it('a picture that no browser can read is reported', async () => {
  const content = { 'text.png': 'no picture', 'empty.webp': '', 'empty.json': '', 'whole.png': toPng(4, 4) };
  for (const [name, bytes] of Object.entries(content)) await put(`project/game/background/${name}`, bytes);
  for (const name of Object.keys(content)) await ask(`/game/background/${name}`);
  await ask('/game/background/text.png', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(events).toEqual([
    { kind: 'unreadable', path: 'game/background/text.png' },
    { kind: 'unreadable', path: 'game/background/empty.webp' },
  ]);
});

it('a picture missing in the app’s page is not reported for the stage', async () => {
  await ask('/game/background/none.png', { headers: { 'sec-fetch-site': 'same-site' } });
  await ask('/game/background/none.png', { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(events).toEqual([]);
  await ask('/game/background/none.png', { headers: { 'sec-fetch-site': 'same-origin' } });
  expect(events).toEqual([{ kind: 'missing', path: 'game/background/none.png' }]);
});

describe('access', () => {
  it.each(['evil.example', 'localhost', '127.0.0.1', 'evil.example:80'])('is refused by the name %s', async (name) => {
    expect(await ask('/game/scene/start.txt', { headers: { host: name } })).toMatchObject({
      status: 403,
      body: '',
      headers: { connection: 'close' },
    });
  });

  const connect = (path: string, headers: Record<string, string>) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { host, ...headers } });
      socket.on('open', () => {
        socket.terminate();
        resolve('open');
      });
      socket.on('unexpected-response', (_, response) => resolve(String(response.statusCode)));
      socket.on('error', () => resolve('error'));
    });

  it('over a socket is granted only to the page of this server', async () => {
    const origin = `http://${host}`;
    for (const path of ['/api/webgalsync', '/__stage/bridge']) {
      expect(await connect(path, { origin })).toBe('open');
      expect(await connect(path, {})).toBe('403');
      expect(await connect(path, { origin: 'https://evil.example' })).toBe('403');
      expect(await connect(path, { origin: 'http://127.0.0.1:1' })).toBe('403');
      expect(await connect(path, { origin: 'null' })).toBe('403');
      expect(await connect(path, { origin, host: 'evil.example' })).toBe('403');
    }
    expect(await connect('/api/other', { origin })).toBe('404');
  });
});

describe('a stage without an engine', () => {
  it('reports that, and can be tried again', async () => {
    const nowhere = createStageServer({ engineDirectory: join(folder, 'nowhere') });
    const empty = createStageLink({ server: nowhere, root: join(folder, 'project') });
    const failure = { code: 'E_PREVIEW_FAIL', reason: 'stage.noEngine' };
    await expect(empty.start()).rejects.toMatchObject(failure);
    await expect(empty.start()).rejects.toMatchObject(failure);
    await empty.close();
    await nowhere.close();
  });
});

it('loses one socket, not the app, when its handshake fails', async () => {
  const stage = await server.open({
    root: join(folder, 'project'),
    overlay: () => undefined,
    onMissing: () => undefined,
    onUpgrade: () => {
      throw new Error('unforeseen');
    },
  });
  const headers = { host: new URL(stage.origin).host, origin: stage.origin };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers });
  await expect(new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))).rejects.toThrow(
    'socket hang up',
  );
  expect((await ask('/', { headers })).status).toBe(200);
  stage.close();
  expect((await ask('/', { headers })).status).toBe(403);
});

it('redirects from the plain address to the newest stage, and from no other path', async () => {
  const plain = { host: `localhost:${port}` };
  expect(await ask('/?scene=start.txt', { headers: plain })).toMatchObject({
    status: 302,
    headers: { location: `http://${host}/?scene=start.txt` },
  });
  expect((await ask('/game/scene/start.txt', { headers: plain })).status).toBe(403);
});

it('does not redirect to a stage of the app’s page alone', async () => {
  const beside = await server.open({
    ...{ root: join(folder, 'project'), isNamedOnly: true },
    ...{ overlay: () => undefined, onMissing: () => undefined, onUpgrade: () => undefined },
  });
  const { headers } = await ask('/', { headers: { host: `localhost:${port}` } });
  expect(headers.location).toBe(`http://${host}/`);
  beside.close();
});

it.each(['cross-site', 'same-site', 'same-origin'])(
  'redirects no page of another site (%s) to the stage',
  async (site) => {
    for (const name of ['localhost', '127.0.0.1']) {
      const headers = { host: `${name}:${port}`, 'sec-fetch-site': site };
      const answer = await ask('/', { headers });
      expect([answer.status, answer.headers.location]).toEqual([403, undefined]);
    }
    const typed = { host: `localhost:${port}`, 'sec-fetch-site': 'none' };
    expect((await ask('/', { headers: typed })).status).toBe(302);
  },
);

it('puts its prelude before unsaved text of a script too', async () => {
  link.setOverlay(new Map([['lib/live2d.min.js', 'draft()']]));
  expect((await ask('/lib/live2d.min.js')).body).toBe(`${SCRIPT_PRELUDE}draft()`);
});

it.each(['function globalThis() {}', 'function Number() {} function Object() {}', 'let globalThis = {}, window = {};'])(
  'runs its prelude before a script that declares %j',
  (declarations) => {
    const context = createContext({ taken: 0 });
    runInContext(
      "Object.defineProperty(Number.prototype, '__takeConnections', { value: () => { taken += 1; } })",
      context,
    );
    runInContext(`${SCRIPT_PRELUDE}${declarations}`, context);
    expect(context.taken).toBe(1);
  },
);

it('runs no script of a game in a frame without the app’s scripts', () => {
  const frame = createContext({ ran: false });
  expect(() => runInContext(`${SCRIPT_PRELUDE}ran = true;`, frame)).toThrow('not a function');
  expect(frame.ran).toBe(false);
});

it('lets a page wait for the connections of the page before once a script of the game was sent', async () => {
  await ask('/lib/live2d.min.js');
  expect((await ask('/')).body).toContain('0..__waitForConnections();</script>');
  const startedAt = performance.now();
  expect((await ask('/__stage/wait?1')).body).toBe('0..__waitForConnections();');
  expect(performance.now() - startedAt).toBeGreaterThan(80);
});

it('refuses the script of a service worker', async () => {
  await put('project/lib/sw.js', 'onfetch = () => {}');
  expect((await ask('/lib/sw.js')).status).toBe(200);
  expect((await ask('/lib/sw.js', { headers: { 'service-worker': 'script' } })).status).toBe(403);
});

it('serves no byte of a file outside while links are swapped', async () => {
  const place = join(folder, 'project/game/vocal');
  await put('aside/secret.txt', 'outside');
  await put('project/game/vocal/secret.txt', 'inside');
  const away = join(folder, 'project/game/vocal-away');
  let isSwapping = true;
  const swapping = (async () => {
    while (isSwapping) {
      await rename(place, away);
      await symlink(join(folder, 'aside'), place);
      await rm(place);
      await rename(away, place);
    }
  })();
  const bodies = new Set<string>();
  for (let read = 0; read < 400; read += 1) bodies.add((await ask('/game/vocal/secret.txt')).body);
  isSwapping = false;
  await swapping;
  expect([...bodies].filter((body) => body !== '' && body !== 'inside')).toEqual([]);
});
