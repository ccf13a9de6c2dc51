import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { DEFAULT_SETTINGS } from '../../shared/model/settings.ts';
import { createTestPorts } from '../../tests/support/test-ports.ts';
import { type App, createApp, type Fault } from './app.ts';
import type { Ports } from './ports/ports.ts';

function start(overrides: Partial<Ports> = {}): { app: App; faults: Fault[]; news: [string, unknown][] } {
  const faults: Fault[] = [];
  const news: [string, unknown][] = [];
  const app = createApp(createTestPorts(overrides), { tools: [], onFault: (fault) => faults.push(fault) });
  app.on((event, payload) => news.push([event, payload]));
  return { app, faults, news };
}

describe('a call', () => {
  it('returns the fields of the contract', async () => {
    expect(await start().app.call('app.info', {})).toEqual({
      ok: true,
      value: {
        version: '1.2.3',
        host: 'web',
        platform: 'linux',
        systemLocale: 'zh-CN',
        hasFolderDialog: false,
        isSafeMode: false,
      },
    });
  });

  it.each(['toString', 'constructor', '__proto__', 'hasOwnProperty', '', 'app', 'app.Info', 'project.delete'])(
    'is rejected for an unknown method: %j',
    async (name) => {
      expect(await start().app.call(name, {})).toMatchObject({ ok: false, error: { code: 'E_UNSUPPORTED' } });
    },
  );

  it.each([
    ['app.info', undefined],
    ['app.info', null],
    ['app.info', { more: 1 }],
    ['project.open', { id: '' }],
    ['project.open', { id: { toString: 'x' } }],
    ['app.openLink', { url: 'http://example.com' }],
    ['app.openLink', { url: 'javascript:alert(1)' }],
    ['app.openLink', { url: 'file:///etc/passwd' }],
    ['script.read', { path: '../outside.txt' }],
    ['script.read', { path: '/etc/passwd' }],
    ['script.read', { path: 'game\\..\\..\\x' }],
    ['script.save', { path: 'game/scene/a.txt', text: 1, version: null }],
    ['settings.update', { choices: {} }],
    ['settings.setKey', { provider: '__proto__', key: 'x' }],
  ])('is rejected before it runs if the input is invalid: %s %j', async (name, input) => {
    const { app, faults, news } = start();
    expect(await app.call(name, input)).toMatchObject({ ok: false, error: { code: 'E_BAD_ARGS', recoverable: true } });
    expect([faults, news]).toEqual([[], []]);
  });

  it('does not return fields that the contract does not define', async () => {
    const settings = { ...DEFAULT_SETTINGS, secretKey: 'sk-123' };
    const { app } = start({ settings: { read: async () => settings, write: async () => {} } });
    expect(JSON.stringify(await app.call('settings.read', {}))).not.toContain('sk-123');
  });

  it('reports an internal error in full to the log and without details to the page', async () => {
    const broken = new Error('ENOENT /home/user/secret');
    const settings: Ports['settings'] = {
      read: async () => {
        throw broken;
      },
      write: async () => {},
    };
    const { app, faults } = start({ settings });
    expect(await app.call('settings.read', {})).toEqual({
      ok: false,
      error: {
        code: 'E_INTERNAL',
        message: 'Something went wrong inside the app. Nothing was changed.',
        hint: 'Try again. If it happens again, restart the app.',
        recoverable: false,
      },
    });
    expect(faults).toEqual([{ where: 'settings.read', error: broken }]);
  });

  it('reports a result that violates the contract as a fault', async () => {
    const settings = { read: async () => ({ ...DEFAULT_SETTINGS, editorFontSize: 1000 }), write: async () => {} };
    const { app, faults } = start({ settings });
    expect(await app.call('settings.read', {})).toMatchObject({ ok: false, error: { code: 'E_INTERNAL' } });
    expect(faults.map(({ where }) => where)).toEqual(['settings.read']);
  });

  it('keeps code, reason and hint of a failure and drops details that cannot be serialised', async () => {
    const details: Record<string, unknown> = { amount: 1n };
    details.self = details;
    const host: Ports['host'] = {
      ...createTestPorts().host,
      async openLink() {
        throw new AppError('E_IO', 'No.', { reason: 'host.noBrowser', hint: 'Copy it.', details });
      },
    };
    expect(await start({ host }).app.call('app.openLink', { url: 'https://example.com' })).toEqual({
      ok: false,
      error: { code: 'E_IO', message: 'No.', reason: 'host.noBrowser', hint: 'Copy it.', recoverable: true },
    });
  });

  it('fails for a method of a game while no game is open', async () => {
    const { app } = start();
    const codes = await Promise.all(
      [
        app.call('script.read', { path: 'game/scene/start.txt' }),
        app.call('chat.send', { text: 'hi', mode: 'act' }),
        app.call('history.restore', { snapshotIds: ['snap'] }),
      ].map(async (reply) => {
        const answer = await reply;
        return answer.ok ? null : answer.error.reason;
      }),
    );
    expect(codes).toEqual(['project.noneOpen', 'project.noneOpen', 'project.noneOpen']);
  });

  it('returns empty results for queries while no game is open', async () => {
    const { app } = start();
    const replies = await Promise.all(
      ['project.current', 'chat.state', 'chat.sessions', 'proposal.current', 'history.list', 'stage.state'].map(
        (name) => app.call(name, {}),
      ),
    );
    expect(replies.map((reply) => reply.ok && reply.value)).toEqual([
      { project: null },
      { chat: null },
      { sessions: [], next: null, total: 0 },
      { proposal: null },
      { groups: [], total: 0 },
      { status: 'off', url: null, place: null, isAtPlace: false, shown: null, problems: [] },
    ]);
  });

  it('fails after the app is disposed', async () => {
    const { app } = start();
    await app.dispose();
    expect(await app.call('app.info', {})).toMatchObject({ ok: false, error: { reason: 'app.closing' } });
  });
});

describe('events', () => {
  it('reach every listener although one of them throws', async () => {
    const { app, faults, news } = start();
    app.on(() => {
      throw new Error('gone');
    });
    const later: string[] = [];
    const off = app.on((event) => later.push(event));
    await app.call('settings.update', { theme: 'dark' });
    off();
    await app.call('settings.update', { theme: 'light' });
    expect([news.map(([event]) => event), later, faults.length]).toEqual([
      ['audit.changed', 'settings.changed', 'audit.changed', 'settings.changed'],
      ['audit.changed', 'settings.changed'],
      4,
    ]);
  });

  it('are not sent if they violate the contract; a notice about missed events is', async () => {
    const keys = { stored: [], place: 'nowhere' } as never;
    const { app, faults, news } = start({
      secrets: { state: async () => keys, set: async () => keys, forgetAll: async () => keys },
    });
    await app.call('settings.update', { theme: 'dark' });
    expect(news.filter(([event]) => event !== 'audit.changed')).toEqual([
      ['app.noticed', { level: 'error', reason: 'E_INTERNAL', details: { event: 'settings.changed' } }],
    ]);
    expect(faults.map(({ where }) => where)).toEqual(['event settings.changed']);
  });
});

describe('settings', () => {
  it('lose no change when two are concurrent, and never contain a key', async () => {
    const { app, news } = start();
    await Promise.all([
      app.call('settings.update', { theme: 'dark' }),
      app.call('settings.update', { editorFontSize: 20 }),
      app.call('settings.choose', { provider: 'kimi', choice: { baseUrl: 'https://api.example/v1', model: 'k2' } }),
      app.call('settings.setKey', { provider: 'kimi', key: 'sk-very-secret' }),
    ]);
    const reply = await app.call('settings.read', {});
    expect(reply).toMatchObject({
      ok: true,
      value: {
        settings: {
          ...DEFAULT_SETTINGS,
          theme: 'dark',
          editorFontSize: 20,
          choices: { kimi: { baseUrl: 'https://api.example/v1', model: 'k2' } },
        },
        keys: { stored: ['kimi'], place: 'memory' },
      },
    });
    expect(JSON.stringify([reply, news])).not.toContain('sk-very-secret');
  });
});
