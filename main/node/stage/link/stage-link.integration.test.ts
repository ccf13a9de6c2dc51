import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { StageEvent } from '../../../core/ports/stage-link.ts';
import { createStageServer, type StageServer } from '../stage-server.ts';
import { createStageLink } from './stage-link.ts';

const NEWER = 'webgal-editor-preview-sync.v1';

let folder: string;
let url: string;
let server: StageServer;
let link: ReturnType<typeof createStageLink>;
let events: StageEvent[];
const sockets: WebSocket[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stage-link-'));
  await mkdir(join(folder, 'game/scene'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<head></head>');
  await writeFile(join(folder, 'game/scene/start.txt'), 'A:one;');
  server = createStageServer({ engineDirectory: folder });
  link = createStageLink({ server, root: folder });
  events = [];
  link.on((event) => events.push(event));
  ({ url } = await link.start());
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await link.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a page's end of a socket and records the messages it receives. */
async function open(path: string, protocols: string[] = []) {
  const socket = new WebSocket(`ws://127.0.0.1:${new URL(url).port}${path}`, protocols, {
    headers: { origin: url, host: new URL(url).host },
  });
  sockets.push(socket);
  const heard: unknown[] = [];
  socket.on('message', (data) => {
    const text = String(data);
    heard.push(text.startsWith('{') ? JSON.parse(text) : text);
  });
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  return { socket, heard, send: (message: unknown) => socket.send(JSON.stringify(message)) };
}

const oldSync = (scene: string, sentence: number) => ({
  event: 'message',
  data: { command: 1, sceneMsg: { scene, sentence }, stageSyncMsg: { showText: 'hi' }, message: 'sync' },
});
const oldJump = (scene: string, sentence: number) => ({
  event: 'message',
  data: { command: 0, sceneMsg: { scene, sentence }, stageSyncMsg: {}, message: 'Sync' },
});
const oldEnter = {
  event: 'message',
  data: {
    command: 5,
    sceneMsg: {},
    stageSyncMsg: {},
    message: '[{"component":"isShowLogo","visibility":false},{"component":"isEnterGame","visibility":true}]',
  },
};

describe('an engine of the 4.5 line', () => {
  it('is ready with its first message, receives jumps, and reports its position', async () => {
    link.jump('start.txt', 2, 'text');
    const engine = await open('/api/webgalsync');
    expect(engine.socket.protocol).toBe('');
    engine.send(oldSync('start.txt', 0));
    await expect.poll(() => engine.heard).toEqual([oldEnter, oldJump('start.txt?jump=1', 2)]);
    engine.send(oldSync('start.txt?jump=1', 2));
    await expect
      .poll(() => events)
      .toEqual([
        { kind: 'connected' },
        { kind: 'snapshot', scene: 'start.txt', line: 0, jumped: false, stage: { showText: 'hi' } },
        { kind: 'snapshot', scene: 'start.txt', line: 2, jumped: true, jump: 1, stage: { showText: 'hi' } },
      ]);
    link.jump('sub/b.txt', 5);
    await expect.poll(() => engine.heard.at(-1)).toEqual(oldJump('sub/b.txt', 5));
    // A busy engine reports of the jump before.
    engine.send(oldSync('start.txt?jump=1', 3));
    await expect.poll(() => events.at(-1)).toMatchObject({ scene: 'start.txt', line: 3, jumped: false, jump: 1 });
  });

  it('returns to its position when the page has reloaded', async () => {
    const first = await open('/api/webgalsync');
    first.send(oldSync('start.txt', 0));
    await expect.poll(() => events.length).toBe(2);
    link.jump('start.txt', 4);
    first.socket.terminate();
    await expect.poll(() => events.at(-1)).toEqual({ kind: 'disconnected' });
    const second = await open('/api/webgalsync');
    second.send(oldSync('start.txt', 0));
    await expect.poll(() => second.heard).toEqual([oldEnter, oldJump('start.txt', 4)]);
  });

  it('is connected until the last page that shows it is closed', async () => {
    const [one, two] = [await open('/api/webgalsync'), await open('/api/webgalsync')];
    one.send(oldSync('start.txt', 0));
    two.send(oldSync('start.txt', 0));
    await expect.poll(() => events.filter(({ kind }) => kind === 'connected').length).toBe(2);
    one.socket.terminate();
    two.send(oldSync('start.txt', 1));
    await expect.poll(() => events.at(-1)).toMatchObject({ kind: 'snapshot', line: 1 });
    expect(events.some(({ kind }) => kind === 'disconnected')).toBe(false);
    two.socket.terminate();
    await expect.poll(() => events.at(-1)).toEqual({ kind: 'disconnected' });
  });

  it('may send any message without harm', async () => {
    const engine = await open('/api/webgalsync');
    for (const junk of ['', 'null', '{"data":{"command":1}}', '{', '[]', '{"data":{"command":1,"sceneMsg":7}}']) {
      engine.socket.send(junk);
    }
    engine.socket.send(Buffer.from([0xff, 0xfe, 0x00]));
    engine.send(oldSync('start.txt', -5));
    await expect
      .poll(() => events)
      .toEqual([
        { kind: 'connected' },
        { kind: 'snapshot', scene: 'start.txt', line: 0, jumped: false, stage: { showText: 'hi' } },
      ]);
  });
});

describe('an engine of the 4.6 line', () => {
  it('registers, receives jumps, and reports its position', async () => {
    link.jump('start.txt', 9);
    const engine = await open('/api/webgalsync', [NEWER]);
    expect(engine.socket.protocol).toBe(NEWER);
    engine.send({ kind: 'request', type: 'session.register-preview', requestId: 'r1', payload: {} });
    engine.send({ kind: 'event', type: 'preview.ready.updated', payload: { ready: true } });
    await expect
      .poll(() => engine.heard)
      .toEqual([
        { kind: 'response', type: 'session.register-preview', requestId: 'r1', payload: {} },
        {
          kind: 'request',
          type: 'preview.command.set-component-visibility',
          requestId: 'stage-1',
          payload: { isShowLogo: false, isEnterGame: true },
        },
        {
          kind: 'request',
          type: 'preview.command.sync-scene',
          requestId: 'stage-2',
          payload: { sceneName: 'start.txt', sentenceId: 9 },
        },
      ]);
    engine.send({
      kind: 'event',
      type: 'stage.snapshot.updated',
      payload: { sceneName: 'start.txt', sentenceId: 9, stageState: { showName: 'A' } },
    });
    await expect
      .poll(() => events)
      .toEqual([
        { kind: 'connected' },
        { kind: 'snapshot', scene: 'start.txt', line: 9, jumped: true, stage: { showName: 'A' } },
      ]);
  });
});

describe('files that the engine reads once', () => {
  const style = 'game/template/Stage/TextBox/textbox.scss';
  const ask = (path: string, from: 'same-origin' | 'cross-site') =>
    new Promise((resolve) => {
      const { host, port } = new URL(url);
      get({ host: '127.0.0.1', port, path: `/${path}`, headers: { host, 'sec-fetch-site': from } }, (response) =>
        resolve(response.resume()),
      );
    });

  it('are known when the engine asked for them, not when the page of the app did', async () => {
    await ask('game/figure/a.webp', 'same-origin');
    await ask('game/figure/b.webp', 'cross-site');
    expect(['a', 'b'].map((name) => link.hasAsked(`game/figure/${name}.webp`))).toEqual([true, false]);
  });

  it.each([
    ['4.5', [], oldSync('start.txt', 0), { event: 'message', data: expect.objectContaining({ command: 4 }) }],
    [
      '4.6',
      [NEWER],
      { kind: 'event', type: 'preview.ready.updated', payload: { ready: true } },
      expect.objectContaining({ type: 'preview.command.reload-templates', payload: {} }),
    ],
  ])('are styles that an engine of %s loads anew when it is told, and asks for', async (_, protocols, hello, order) => {
    const engine = await open('/api/webgalsync', protocols);
    engine.send(hello);
    await expect.poll(() => events.map(({ kind }) => kind)).toContain('connected');
    const reloaded = link.reloadStyles();
    await expect.poll(() => engine.heard.at(-1)).toEqual(order);
    await ask(style, 'same-origin');
    expect(await reloaded).toBe(true);
  });

  it('are not loaded anew without an engine, which is said in two seconds', async () => {
    expect(await link.reloadStyles()).toBe(false);
  });
});

it('moves to another origin, and closes connections to the old one', async () => {
  const kinds = () => events.map(({ kind }) => kind).filter((kind) => kind !== 'snapshot');
  const old = url;
  const engine = await open('/api/webgalsync');
  const left = new Promise((resolve) => engine.socket.on('close', resolve));
  engine.send(oldSync('start.txt', 0));
  await expect.poll(() => kinds()).toEqual(['connected']);
  ({ url } = await link.move());
  expect(url).not.toBe(old);
  await left;
  const next = await open('/api/webgalsync');
  next.send(oldSync('start.txt', 0));
  await expect.poll(() => kinds()).toEqual(['connected', 'disconnected', 'connected']);
  url = old;
  await expect(open('/api/webgalsync')).rejects.toThrow('403');
});

describe('the bridge in the page', () => {
  it('reports problems, without harmless messages', async () => {
    const bridge = await open('/__stage/bridge');
    bridge.send({ kind: 'trouble', level: 'error', text: 'expression compile error' });
    bridge.send({ kind: 'trouble', level: 'warning', text: 'valueFromState result null, key = "x": 1' });
    bridge.send({ kind: 'trouble', level: 'exception', text: 'Request failed with status code 404' });
    bridge.send({ kind: 'trouble', level: 'nonsense', text: 'x' });
    bridge.send({ kind: 'trouble', level: 'blocked', text: 'https://example.com/a.png' });
    await expect
      .poll(() => events)
      .toEqual([
        { kind: 'trouble', level: 'error', text: 'expression compile error' },
        { kind: 'trouble', level: 'blocked', text: 'https://example.com/a.png' },
      ]);
  });

  it('is not blocked by a text that is slow to match', async () => {
    const bridge = await open('/__stage/bridge');
    const slow = 'valueFromState result null, key = '.repeat(20_000);
    bridge.send({ kind: 'trouble', level: 'error', text: slow });
    bridge.send({ kind: 'trouble', level: 'error', text: 'after it' });
    await expect.poll(() => events.at(-1)).toMatchObject({ text: 'after it' });
    expect(events[0]).toEqual({ kind: 'trouble', level: 'error', text: slow.slice(0, 2000) });
  });

  it('receives the reload command', async () => {
    const bridge = await open('/__stage/bridge');
    link.reload();
    await expect.poll(() => bridge.heard).toEqual(['reload']);
  });
});

describe('orders to the page', () => {
  const toState = (sentence: number, more: object = {}) => ({
    ...{
      frame: JSON.stringify(oldSync('go on', sentence)),
      file: 'b.txt',
      choices: [],
      hasInput: false,
      isOnTitle: false,
      hasTextBox: true,
    },
    ...more,
  });
  type Sent = { id: number; order: string };
  const last = (page: { heard: unknown[] }) => page.heard.at(-1) as Sent;

  it('resolve to the state that the page answers with', async () => {
    const page = await open('/__stage/bridge');
    const reply = link.driver.choose(2);
    await expect.poll(() => page.heard).toEqual([{ id: 1, order: 'choose', option: 2, sentAt: expect.any(Number) }]);
    page.send({ kind: 'answer', id: 1, state: toState(3, { choices: [{ text: 'A', isEnabled: true }] }) });
    expect(await reply).toEqual({
      done: true,
      state: {
        ...{ file: 'b.txt', scene: 'go on', line: 3, jumped: false, stage: { showText: 'hi' } },
        ...{ choices: [{ text: 'A', isEnabled: true }], hasInput: false, isOnTitle: false, hasTextBox: true },
      },
    });
  });

  it('have a reason without a page, without an answer, and when the page reports one', async () => {
    expect(await link.driver.step()).toEqual({ done: false, reason: 'closed', state: null });
    const page = await open('/__stage/bridge');
    const began = performance.now();
    expect(await link.driver.step()).toEqual({ done: false, reason: 'no-answer', state: null });
    expect(performance.now() - began).toBeLessThan(2_500);
    const reply = link.driver.step();
    await expect.poll(() => page.heard.length).toBe(2);
    page.send({ kind: 'answer', id: last(page).id, reason: 'choice', state: toState(3) });
    expect(await reply).toMatchObject({ done: false, reason: 'choice', state: { line: 3 } });
  });

  it('end when the page goes', async () => {
    const page = await open('/__stage/bridge');
    const reply = link.driver.step();
    await expect.poll(() => page.heard.length).toBe(1);
    page.socket.terminate();
    expect(await reply).toMatchObject({ reason: 'no-answer' });
  });

  it('go to the visible page that connected last, and only it can answer', async () => {
    const [one, two] = [await open('/__stage/bridge'), await open('/__stage/bridge')];
    two.send({ kind: 'seen', isVisible: false });
    two.send({ kind: 'trouble', level: 'error', text: 'after it' });
    await expect.poll(() => events.length).toBe(1);
    const reply = link.driver.readState();
    await expect.poll(() => one.heard.length).toBe(1);
    expect(two.heard).toEqual([]);
    two.send({ kind: 'answer', id: last(one).id, state: toState(9) });
    one.send({ kind: 'answer', id: last(one).id, state: toState(4) });
    expect(await reply).toMatchObject({ state: { line: 4 } });
  });

  it('set a variable by a statement, and are done when the engine shows the value', async () => {
    const engine = await open('/api/webgalsync');
    engine.send(oldSync('start.txt', 0));
    await expect.poll(() => engine.heard.length).toBe(1);
    const page = await open('/__stage/bridge');
    const GameVar: Record<string, unknown> = { love: 1 };
    page.socket.on('message', (data) => {
      const sync = oldSync('start.txt', 1);
      const frame = JSON.stringify({ data: { ...sync.data, stageSyncMsg: { GameVar } } });
      page.send({ kind: 'answer', id: (JSON.parse(String(data)) as Sent).id, state: toState(1, { frame }) });
    });
    const reply = link.driver.setVariable('love', 7);
    await expect.poll(() => engine.heard.at(-1)).toMatchObject({ data: { command: 3, message: 'setVar:love=7;' } });
    GameVar.love = 7;
    expect(await reply).toMatchObject({ done: true, state: { stage: { GameVar: { love: 7 } } } });
    expect(await link.driver.setVariable('love', 8)).toMatchObject({ done: false, reason: 'ignored' });
    expect(await link.driver.setVariable('__proto__', 8)).toMatchObject({ done: false, reason: 'unknown-name' });
  });

  it('ignore answers that no page would send', async () => {
    const page = await open('/__stage/bridge');
    const reply = link.driver.readState();
    await expect.poll(() => page.heard.length).toBe(1);
    const { id } = last(page);
    for (const junk of [
      { kind: 'answer', id },
      { kind: 'answer', id, state: { ...toState(1), file: 'x'.repeat(1001) } },
      { kind: 'answer', id, reason: 'invented', state: toState(1) },
      { kind: 'answer', id, state: toState(1, { choices: Array(51).fill({ text: '', isEnabled: true }) }) },
      { kind: 'order', id, order: 'write', path: '/etc/passwd' },
    ])
      page.send(junk);
    page.send({ kind: 'answer', id, state: toState(5) });
    expect(await reply).toMatchObject({ done: true, state: { line: 5 } });
  });
});

describe('a game that floods the stage', () => {
  const hello = (requestId: string) => ({ kind: 'request', type: 'session.register-preview', requestId, payload: {} });

  it('has a limited number of sockets, and they are free again for its next page', async () => {
    const held = [];
    for (let count = 0; count < 16; count += 1)
      held.push(await open(count % 2 ? '/api/webgalsync' : '/__stage/bridge'));
    await expect(open('/api/webgalsync')).rejects.toThrow('503');
    for (const { socket } of held) socket.terminate();
    await vi.waitFor(() => open('/__stage/bridge'), { timeout: 20_000 });
  });

  it('loses a socket that sends a frame of more than a megabyte', async () => {
    const engine = await open('/api/webgalsync');
    const closed = new Promise((resolve) => engine.socket.on('close', resolve));
    engine.send({ ...oldSync('start.txt', 0), padding: 'x'.repeat(1024 * 1024) });
    await closed;
    expect(events).toEqual([]);
  });

  it('receives no long answers', async () => {
    const engine = await open('/api/webgalsync', [NEWER]);
    engine.send(hello('x'.repeat(100_000)));
    engine.send(hello('short'));
    await expect.poll(() => engine.heard).toMatchObject([{ requestId: 'short' }]);
  });

  it('delays its own reports only, and loses none', async () => {
    const [flood, bridge] = [await open('/api/webgalsync'), await open('/__stage/bridge')];
    for (let line = 0; line < 300; line += 1) flood.send(oldSync('start.txt', line));
    await expect.poll(() => events).toContainEqual(expect.objectContaining({ kind: 'snapshot' }));
    link.reload();
    await expect.poll(() => bridge.heard).toEqual(['reload']);
    const lines = () => events.flatMap((event) => (event.kind === 'snapshot' ? [event.line] : []));
    await expect.poll(() => lines()).toEqual(Array.from({ length: 300 }, (_, line) => line));
  });

  it('cannot change objects of the app through names of a state', async () => {
    const engine = await open('/api/webgalsync');
    const state = '{"__proto__":{"showText":"x"},"constructor":{"prototype":{"polluted":1}},"toString":1}';
    const frame = JSON.stringify(oldSync('start.txt', 0)).replace('{"showText":"hi"}', state);
    engine.socket.send(frame);
    engine.socket.send(frame.replace(state, `{"deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`));
    await expect.poll(() => events).toHaveLength(3);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

it.each(['//', '//[', '/nowhere'])('rejects a socket at %s, and continues', async (path) => {
  await expect(open(path)).rejects.toThrow('404');
  const bridge = await open('/__stage/bridge');
  link.reload();
  await expect.poll(() => bridge.heard).toEqual(['reload']);
});

it('releases its port', async () => {
  await link.close();
  await expect(fetch(url)).rejects.toThrow();
});
