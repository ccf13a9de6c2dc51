import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStageServer, type OpenStage, type StageServer } from './stage-server.ts';

let folder: string;
let game: string;
let server: StageServer;
let stage: OpenStage;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-engine-'));
  game = join(folder, 'game');
  for (const path of ['engine', 'game/assets', 'game/game/scene', 'game/.webgal_agent'])
    await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, 'engine/index.html'), '<head></head>bundled');
  await writeFile(join(folder, 'outside.js'), 'outside');
  await writeFile(join(game, 'index.html'), '<script>hostile()</script><HEAD lang="x"></HEAD>own');
  await writeFile(join(game, 'assets/index-1.js'), 'run()');
  await writeFile(join(game, 'notes.txt'), 'private');
  await writeFile(join(game, '.webgal_agent/policy.json'), '{}');
  await symlink(join(folder, 'outside.js'), join(game, 'assets/link.js'));
  server = createStageServer({ engineDirectory: join(folder, 'engine') });
  stage = await open();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const open = () =>
  server.open({
    root: game,
    ownEngine: game,
    overlay: () => undefined,
    onMissing: () => undefined,
    onUpgrade: (_request, socket) => socket.end(),
  });

/** Sends the path as it is: `fetch` would resolve it, and sets the host itself. */
const ask = (path: string) =>
  new Promise<{ status: number; text: string; policy: string }>((resolve, reject) => {
    const { port, host } = new URL(stage.origin);
    get({ host: '127.0.0.1', port, path: `/${path}`, headers: { host } }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, text, policy: `${response.headers['content-security-policy']}` });
    }).on('error', reject);
  });

it('runs the app’s scripts before anything that the page of the game contains', async () => {
  const { text, policy } = await ask('');
  expect(text.indexOf('__takeConnections();')).toBeGreaterThan(0);
  expect(text.indexOf('hostile()')).toBeGreaterThan(text.indexOf('__takeConnections();</script>'));
  expect(text.endsWith('own')).toBe(true);
  expect(policy).toMatch(/default-src 'none'.*connect-src 'self' ws:.*worker-src 'none'/);
});

const toHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

it('allows an inline script of the game only with the prelude', async () => {
  const { text, policy } = await ask('');
  expect(text).toContain('<script>0..__takeConnections();hostile()</script>');
  expect(policy).toContain(toHash('0..__takeConnections();hostile()'));
  expect(policy).not.toContain(toHash('hostile()'));
});

it('allows no script without the prelude, wherever a page makes the end of its document type look like a script', async () => {
  await writeFile(join(game, 'index.html'), '<!doctype <script type="text/x"><script>steal()</script><body>own');
  const { text, policy } = await ask('');
  expect(text).not.toContain('<script>steal()');
  expect(policy).not.toContain(toHash('steal()'));
  expect(policy).toContain(toHash('0..__takeConnections();steal()'));
});

it.each(['about:', 'blob:'])(
  'runs none of its own scripts at %s, where functions of a game can have every other name',
  async (protocol) => {
    const { text } = await ask('');
    const own = [...text.slice(0, text.indexOf('hostile()')).matchAll(/<script>([\s\S]*?)<\/script>/g)];
    const scripts = own.map(([, script = '']) => script).filter((script) => script !== '0..__takeConnections();');
    expect(scripts.length).toBeGreaterThan(2);
    for (const script of scripts) {
      const frame = createContext({ location: { protocol }, called: false });
      runInContext(
        'function URLSearchParams() { called = true; } function setTimeout() { called = true; } globalThis.localStorage = null;',
        frame,
      );
      expect(() => runInContext(script, frame)).toThrow();
      expect(frame.called).toBe(false);
      expect(runInContext('0..__takeConnections', frame)).toBeUndefined();
    }
  },
);

it('allows names of modules, and nothing else that is no program', async () => {
  const names = '{"imports":{"a":"/assets/a.js"},"scopes":{}}';
  const refused = [
    ['importmap', 'steal()'],
    ['importmap', '{"prefetch":[{"urls":["http://192.0.2.1/words"]}]}'],
    ['speculationrules', '{"prefetch":[{"urls":["http://192.0.2.1/words"]}]}'],
    ['text/template', 'steal()'],
  ];
  const all = [['importmap', names], ...refused].map(([type, text]) => `<script type="${type}">${text}</script>`);
  await writeFile(join(game, 'index.html'), all.join(''));
  const { text, policy } = await ask('');
  for (const one of all) expect(text).toContain(one);
  expect(policy).toContain(toHash(names));
  for (const [, script = ''] of refused) expect(policy).not.toContain(toHash(script));
});

it.each(['<!doctype html>', '\uFEFF<!DOCTYPE html PUBLIC "a>b">', '<!--><!doctype html>', ''])(
  'does so after the document type %j',
  async (before) => {
    await writeFile(join(game, 'index.html'), `${before}<body onload="hostile()">`);
    const { text } = await ask('index.html');
    expect(text.indexOf('<script>')).toBeLessThanOrEqual(before.length);
    expect(text.indexOf('hostile()')).toBeGreaterThan(text.lastIndexOf('</script>'));
  },
);

it('lets each page but the first one wait for the connections of the page before', async () => {
  const wait = '__waitForConnections();</script>';
  const first = await ask('');
  const second = await ask('');
  expect([first.text.includes(wait), second.text.includes(wait)]).toEqual([false, true]);
  expect(second.text.indexOf(wait)).toBeLessThan(second.text.indexOf('0..__takeConnections();</script>'));
});

it('serves the files of its engine, and nothing else of its folder', async () => {
  expect((await ask('assets/index-1.js')).text).toBe('0..__takeConnections();run()');
  for (const path of [
    ...['notes.txt', '.webgal_agent/policy.json', 'assets/link.js', 'assets/../notes.txt', 'assets/%2e%2e/notes.txt'],
    ...['assets%2f..%2fnotes.txt', 'webgal-serviceworker.js', 'assets', 'assets/'],
  ])
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
});

it('does not start with a page that is missing, too large, or a link to elsewhere', async () => {
  await writeFile(join(game, 'index.html'), ' '.repeat(513 * 1024));
  await expect(open()).rejects.toThrow('no page');
  await rm(join(game, 'index.html'));
  await expect(open()).rejects.toThrow('no page');
  await symlink(join(folder, 'outside.js'), join(game, 'index.html'));
  await expect(open()).rejects.toThrow('no page');
});
