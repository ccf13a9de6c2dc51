import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Composed, compose } from '../../main/compose.ts';
import { createWebHost } from '../../main/hosts/web/web-host.ts';
import type { Input, Method, Output } from '../../shared/contract.ts';
import type { Reply } from '../../shared/errors.ts';
import type { Wire } from '../../shared/wire.ts';
import { createFakeModelServer } from '../support/services/fake-model-server.ts';

const ENGINE = join(import.meta.dirname, '..', '..', 'node_modules', 'webgal-engine', 'dist');

interface WayIn {
  wire: Wire;
  close(): Promise<void>;
}

/**
 * Every way for a page to reach the app without a window; `e2e/desktop/ipc.spec.ts` covers the window. Add new hosts
 * here.
 */
const HOSTS: Record<string, (composed: Composed, folder: string) => Promise<WayIn>> = {
  async 'in process'({ app }) {
    const copy = <T>(value: T): T => structuredClone(value);
    return {
      wire: {
        call: async (method, input) => copy(await app.call(method, copy(input))),
        on: (listener) => app.on((event, payload) => listener(event, copy(payload))),
      },
      close: async () => {},
    };
  },

  async 'the web host'({ app }, folder) {
    const { serveWeb } = await import('../../main/hosts/web/serve-web.ts');
    const host = await serveWeb(app, { port: 0, pageFolder: folder, stageSource: 'http://*.localhost:1' });
    const origin = `http://127.0.0.1:${host.port}`;
    const token = host.url.split('#launch=')[1] ?? '';
    const launched = await fetch(`${origin}/launch`, { method: 'POST', headers: { origin }, body: token });
    const { session } = (await launched.json()) as { session: string };
    const headers = { authorization: `Bearer ${session}`, origin, 'content-type': 'application/json' };
    const listeners = new Set<(event: string, payload: unknown) => void>();
    const events = await fetch(`${origin}/events`, { method: 'POST', headers });
    const reading = readEvents(events, (event, payload) => {
      for (const listener of listeners) listener(event, payload);
    });
    return {
      wire: {
        async call(method, input) {
          const body = JSON.stringify(input);
          return (
            await fetch(`${origin}/call/${encodeURIComponent(method)}`, { method: 'POST', headers, body })
          ).json();
        },
        on(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      async close() {
        await host.close();
        await reading;
      },
    };
  },
};

async function readEvents(response: Response, hear: (event: string, payload: unknown) => void): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk as Uint8Array, { stream: true });
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') continue;
      const { event, payload } = JSON.parse(line) as { event: string; payload: unknown };
      hear(event, payload);
    }
  }
}

describe.each(Object.entries(HOSTS))('the contract through %s', (_name, open) => {
  let folder: string;
  let composed: Composed;
  let way: WayIn;
  let news: { event: string; payload: unknown }[];
  /** Everything sent to the page. */
  let crossed: string;

  async function ask<M extends Method>(method: M, input: Input<M>): Promise<Reply<Output<M>>> {
    const reply = (await way.wire.call(method, input)) as Reply<Output<M>>;
    crossed += JSON.stringify(reply);
    return reply;
  }

  async function get<M extends Method>(method: M, input: Input<M>): Promise<Output<M>> {
    const reply = await ask(method, input);
    if (!reply.ok) throw new Error(`${method}: ${reply.error.message}`);
    return reply.value;
  }

  const heard = async (event: string): Promise<unknown> => {
    for (let tries = 0; tries < 2000; tries += 1) {
      const found = news.findLast((each) => each.event === event);
      if (found) return found.payload;
      await new Promise((done) => setTimeout(done, 10));
    }
    throw new Error(`No ${event}; there was: ${news.map((each) => each.event).join(', ')}`);
  };

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'hosts-')));
    const scenes = join(folder, 'resources', 'sample-game', 'game', 'scene');
    await mkdir(scenes, { recursive: true });
    await writeFile(join(scenes, 'start.txt'), '\uFEFF雪:你好;\r\n:再见;\r\n');
    await writeFile(join(scenes, '..', 'config.txt'), 'Game_name:海边;\n');
    await symlink(ENGINE, join(folder, 'resources', 'engine'), 'junction');
    await mkdir(join(folder, 'page'));
    await writeFile(join(folder, 'page', 'index.html'), '<!doctype html>');
    composed = await compose({
      host: createWebHost(),
      resources: join(folder, 'resources'),
      environment: {
        WEBGAL_AGENT_HOME: join(folder, 'home'),
        WEBGAL_AGENT_DOCUMENTS: join(folder, 'documents'),
        WEBGAL_AGENT_KEYCHAIN: 'memory',
      },
    });
    way = await open(composed, join(folder, 'page'));
    news = [];
    crossed = '';
    way.wire.on((event, payload) => {
      news.push({ event, payload });
      crossed += JSON.stringify(payload);
    });
  });

  afterEach(async () => {
    await composed.dispose();
    await way.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it.each([
    ['toString', {}, 'E_UNSUPPORTED'],
    ['__proto__', {}, 'E_UNSUPPORTED'],
    ['app.info', { extra: true }, 'E_BAD_ARGS'],
    ['app.info', null, 'E_BAD_ARGS'],
    ['script.read', { path: '../../etc/passwd' }, 'E_BAD_ARGS'],
    ['project.open', { id: '/etc' }, 'E_NOT_FOUND'],
  ])('returns a failure as data: %s %j', async (method, input, code) => {
    expect(await way.wire.call(method, input)).toMatchObject({
      ok: false,
      error: { code, message: expect.any(String), recoverable: true },
    });
  });

  it('opens, reads and writes a game, sends events, and never sends an absolute path', async () => {
    const opened = await get('project.openSample', {});
    expect(opened).toMatchObject({ status: 'opened', project: { title: '海边', shape: 'game' } });
    expect(await heard('project.changed')).toMatchObject({ project: { title: '海边' } });
    const script = await get('script.read', { path: './game//scene/start.txt' });
    expect(script).toMatchObject({ path: 'game/scene/start.txt', text: '雪:你好;\n:再见;\n' });
    const text = `雪:${'🌸雨夜\u2028'.repeat(20_000)};\n:再见;\n`;
    const { version } = await get('script.save', { path: script.path, text, version: script.version });
    expect(await get('script.read', { path: script.path })).toEqual({ path: script.path, text, version });
    expect(await heard('history.changed')).toEqual({});
    expect(await heard('project.filesChanged')).toEqual({ paths: [script.path] });
    const conflict = await ask('script.save', { path: script.path, text: 'x', version: script.version });
    expect(conflict).toMatchObject({ ok: false, error: { code: 'E_CONFLICT', details: { paths: [script.path] } } });
    const { groups } = await get('history.list', {});
    const restored = await get('history.restore', {
      snapshotIds: groups[0]?.files.map((file) => file.snapshotId) ?? [],
    });
    expect(restored.files.map((file) => file.path)).toEqual([script.path]);
    expect((await get('script.read', { path: script.path })).text).toBe('雪:你好;\n:再见;\n');
    await get('project.recents', {});
    await get('project.browse', {});
    expect(crossed).not.toContain(folder);
  });

  it('sends conversation and proposal when a game is opened or closed', async () => {
    await get('project.openSample', {});
    const { chat } = await get('chat.state', {});
    expect(await heard('chat.changed')).toEqual({ chat });
    expect(await heard('proposal.changed')).toEqual({ proposal: null });
    news.length = 0;
    await get('project.close', {});
    expect(await heard('chat.changed')).toEqual({ chat: null });
    expect(await heard('proposal.changed')).toEqual({ proposal: null });
  });

  it('accepts a key and never returns it', async () => {
    const key = 'sk-1234567890abcdef1234567890abcdef';
    expect(await get('settings.setKey', { provider: 'deepseek', key })).toEqual({
      stored: ['deepseek'],
      elsewhere: [],
      place: 'memory',
    });
    await heard('settings.changed');
    await get('settings.read', {});
    expect(await get('settings.forgetKeys', {})).toEqual({ stored: [], elsewhere: [], place: 'memory' });
    expect(crossed).not.toContain(key);
  });

  it('creates a game in an empty folder only, and keeps its unsaved text by edits', async () => {
    const [empty, full] = [join(folder, 'rain'), join(folder, 'photos')];
    await mkdir(empty);
    await mkdir(join(full, 'summer'), { recursive: true });
    const refused = await composed.openFolder(full);
    expect(refused).toMatchObject({ ok: false, error: { reason: 'project.noGame' } });
    expect(JSON.stringify(refused)).not.toContain('emptyFolder');
    const answer = await composed.openFolder(empty);
    const id = answer.ok ? '' : String(answer.error.details?.emptyFolder);
    expect(await get('project.create', { id })).toMatchObject({ status: 'opened', project: { title: 'rain' } });
    const path = 'game/scene/start.txt';
    const { text, version } = await get('script.read', { path });
    const edit = { path, base: version, version, edits: [{ at: 0, removed: 1, text: '#' }], length: text.length };
    expect(await get('script.editBuffer', { ...edit, revision: 'one' })).toEqual({ taken: true });
    expect(await get('script.editBuffer', { ...edit, revision: 'two' })).toEqual({ taken: false });
    expect(await get('script.unsaved', {})).toEqual({ files: [{ path, text: `#${text.slice(1)}`, version }] });
  });

  it('refuses a turn without a model, with the reason', async () => {
    await get('project.openSample', {});
    expect(await ask('chat.send', { text: '加一段雨夜', mode: 'act' })).toMatchObject({
      ok: false,
      error: { code: 'E_UNSUPPORTED', reason: 'model.noProvider' },
    });
  });

  it('streams a turn, and keeps drafts in a proposal while the disk is unchanged', async () => {
    const after = '雪:你好;\n雨:下雨了;\n:再见;\n';
    const model = await createFakeModelServer([
      {
        text: ['先看', '一看。'],
        calls: [
          { name: 'read_file', args: { path: 'game/scene/start.txt' } },
          { name: 'write_to_file', args: { path: 'game/scene/start.txt', content: after } },
        ],
      },
      { calls: [{ name: 'attempt_completion', args: { result: '加好了。' } }] },
    ]);
    try {
      await get('project.openSample', {});
      await get('settings.choose', { provider: 'custom', choice: { baseUrl: model.url, model: 'fake' } });
      await get('settings.update', { provider: 'custom' });
      await get('chat.send', { text: '加一段雨夜', mode: 'act' });
      for (let tries = 0; tries < 2000; tries += 1) {
        if ((await get('chat.state', {})).chat?.phase === 'review') break;
        await new Promise((done) => setTimeout(done, 10));
      }
      const { proposal } = await get('proposal.current', {});
      expect(proposal).toMatchObject({
        state: 'review',
        files: [{ path: 'game/scene/start.txt', added: 1, removed: 0 }],
      });
      expect((await get('script.read', { path: 'game/scene/start.txt' })).text).toBe('雪:你好;\n:再见;\n');
      const accepted = await get('proposal.accept', { id: proposal?.id ?? '' });
      expect(accepted).toMatchObject({ status: 'applied', files: [{ path: 'game/scene/start.txt' }] });
      expect((await get('script.read', { path: 'game/scene/start.txt' })).text).toBe(after);
      const told = new Set(news.map(({ event }) => event));
      expect([...told]).toEqual(expect.arrayContaining(['chat.updated', 'proposal.changed', 'history.changed']));
      expect(told).not.toContain('app.noticed');
    } finally {
      await model.close();
    }
  });

  it('sends the same events to two pages, and none after unsubscribing', async () => {
    const [first, second]: string[][] = [[], []];
    // The change is also logged, which is told whenever it is done.
    const isAsked = (event: string) => event !== 'audit.changed';
    const stopFirst = way.wire.on((event) => isAsked(event) && first?.push(event));
    way.wire.on((event) => isAsked(event) && second?.push(event));
    await get('settings.update', { theme: 'dark' });
    await heard('settings.changed');
    stopFirst();
    news = [];
    await get('settings.update', { theme: 'light' });
    await heard('settings.changed');
    expect([first, second]).toEqual([['settings.changed'], ['settings.changed', 'settings.changed']]);
  });
});
