import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toProviderOrigins } from '../../../shared/model/provider-address.ts';
import { DEFAULT_SETTINGS, PROVIDER_IDS } from '../../../shared/model/settings.ts';
import { createSecrets, type Keychain } from './secrets.ts';
import { createSettingsStore } from './settings-store.ts';
import { findUserFolders } from './user-data.ts';

/** The address of each provider: the catalogue's first address, and one for `custom`. */
const ORIGINS = toProviderOrigins({ custom: { baseUrl: 'https://custom.example/v1', model: 'm' } });
const QWEN = ORIGINS.get('qwen') ?? '';

let folder = '';
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'settings-')), 'data');
});
afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

describe('settings', () => {
  it('are the defaults until one is changed, and persist', async () => {
    expect(await createSettingsStore(folder).read()).toEqual(DEFAULT_SETTINGS);
    const chosen = {
      ...DEFAULT_SETTINGS,
      theme: 'dark' as const,
      choices: { qwen: { baseUrl: 'https://x', model: 'm' } },
    };
    const store = createSettingsStore(folder);
    await Promise.all([store.write(DEFAULT_SETTINGS), store.write(chosen)]);
    expect(await createSettingsStore(folder).read()).toEqual(chosen);
    expect(await readdir(folder)).toEqual(['settings.json']);
  });

  it.each([
    ['{"theme": "dark"', {}],
    ['[]', {}],
    ['\ufffd', {}],
    [
      '{"theme":"dark","editorFontSize":900,"choices":{"unknown":{}},"autosave":false}',
      { theme: 'dark', autosave: false },
    ],
  ])('backs up %j and keeps the valid fields', async (stored, good) => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'settings.json'), stored);
    expect(await createSettingsStore(folder).read()).toEqual({ ...DEFAULT_SETTINGS, ...good });
    expect(await readFile(path.join(folder, 'settings.json.broken'), 'utf8')).toBe(stored);
    expect(await createSettingsStore(folder).read()).toEqual({ ...DEFAULT_SETTINGS, ...good });
  });

  it('keep choices for unknown tools, and read an unknown choice as “ask”', async () => {
    await mkdir(folder, { recursive: true });
    const stored = '{"tools":{"read_file":"never","of_tomorrow":"allow","grep":"sometimes"},"developerMode":true}';
    await writeFile(path.join(folder, 'settings.json'), stored);
    const store = createSettingsStore(folder);
    const settings = await store.read();
    const tools = { read_file: 'never', of_tomorrow: 'allow', grep: 'ask' };
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, tools, developerMode: true });
    await store.write(settings);
    expect(await store.read()).toEqual(settings);
    expect(await readdir(folder)).toEqual(['settings.json']);
  });

  it('of an older version gain new fields and count as valid', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'settings.json'), '{"theme":"light","gone":1}');
    expect(await createSettingsStore(folder).read()).toEqual({ ...DEFAULT_SETTINGS, theme: 'light' });
    expect(await readdir(folder)).toEqual(['settings.json']);
  });
});

describe('keys', () => {
  /** Creates a keychain in memory; the real one would change this machine. */
  function createMemoryKeychain(): Keychain & { entries: Map<string, string>; fail: boolean } {
    const entries = new Map<string, string>();
    const chain = {
      entries,
      fail: false,
      async get(account: string) {
        return entries.get(account) ?? null;
      },
      async set(account: string, key: string) {
        if (chain.fail) throw new Error('locked');
        entries.set(account, key);
      },
      async delete(account: string) {
        if (chain.fail) throw new Error('locked');
        entries.delete(account);
      },
    };
    return chain;
  }

  it('are stored in the keychain, and removed there', async () => {
    const chain = createMemoryKeychain();
    const secrets = createSecrets(chain);
    expect(await secrets.state(ORIGINS)).toEqual({ stored: [], elsewhere: [], place: 'keychain' });
    expect(await secrets.set('qwen', 'key-1', ORIGINS)).toEqual({ stored: ['qwen'], elsewhere: [], place: 'keychain' });
    expect(await createSecrets(chain).get('qwen', QWEN)).toEqual({ kind: 'key', key: 'key-1' });
    expect(await secrets.get('openai', QWEN)).toEqual({ kind: 'none' });
    expect(await secrets.forgetAll(ORIGINS)).toEqual({ stored: [], elsewhere: [], place: 'keychain' });
    expect([...chain.entries]).toEqual([]);
  });

  it('are kept in memory without a keychain, or when it does not answer or refuses', async () => {
    const refusing = createMemoryKeychain();
    refusing.fail = true;
    const broken = { ...createMemoryKeychain(), get: () => Promise.reject(new Error('no bus')) };
    for (const chain of [null, broken, refusing]) {
      const secrets = createSecrets(chain);
      expect(await secrets.set('qwen', 'key-1', ORIGINS)).toEqual({ stored: ['qwen'], elsewhere: [], place: 'memory' });
      expect(await secrets.get('qwen', QWEN)).toEqual({ kind: 'key', key: 'key-1' });
      expect(await createSecrets(chain).get('qwen', QWEN)).toEqual({ kind: 'none' });
    }
  });

  it('are not reported as removed when the keychain kept them', async () => {
    const chain = createMemoryKeychain();
    const secrets = createSecrets(chain);
    await secrets.set('qwen', 'key-1', ORIGINS);
    chain.fail = true;
    await expect(secrets.forgetAll(ORIGINS)).rejects.toMatchObject({ code: 'E_IO', reason: 'keys.notForgotten' });
    expect(await secrets.state(ORIGINS)).toEqual({ stored: ['qwen'], elsewhere: [], place: 'keychain' });
  });

  it('are returned only for the origin they were entered for', async () => {
    const at = (baseUrl: string) => toProviderOrigins({ custom: { baseUrl, model: 'm' } });
    for (const chain of [createMemoryKeychain(), null]) {
      const secrets = createSecrets(chain);
      await secrets.set('custom', 'key-1', at('https://api.example.com/v1'));
      expect(await secrets.get('custom', 'https://api.example.com')).toEqual({ kind: 'key', key: 'key-1' });
      for (const origin of [
        ...['http://api.example.com', 'https://api.example.com:8443', 'https://api.example.com.evil.org'],
        ...['http://127.0.0.1:4000', 'https://example.com', 'null', ''],
      ]) {
        expect(await secrets.get('custom', origin), origin).toEqual({ kind: 'elsewhere' });
      }
      expect(await secrets.state(at('https://api.example.com/v2'))).toMatchObject({
        stored: ['custom'],
        elsewhere: [],
      });
      expect(await secrets.state(at('http://127.0.0.1:4000'))).toMatchObject({ stored: [], elsewhere: ['custom'] });
      expect(await secrets.state(at('no address'))).toMatchObject({ stored: [], elsewhere: ['custom'] });
      await expect(secrets.set('custom', 'key-2', at(''))).rejects.toMatchObject({ reason: 'keys.noAddress' });
    }
  });

  it('that an earlier version stored are for the addresses of the catalogue only', async () => {
    const chain = createMemoryKeychain();
    for (const provider of ['qwen', 'custom'] as const) chain.entries.set(provider, 'sk-legacy');
    const secrets = createSecrets(chain);
    expect(await secrets.get('qwen', QWEN)).toEqual({ kind: 'key', key: 'sk-legacy' });
    expect(await secrets.get('qwen', 'https://dashscope-intl.aliyuncs.com')).toMatchObject({ kind: 'key' });
    expect(await secrets.get('qwen', 'http://127.0.0.1:4000')).toEqual({ kind: 'elsewhere' });
    expect(await secrets.get('custom', 'https://api.example.com')).toEqual({ kind: 'elsewhere' });
  });

  it('of every provider are stored separately', async () => {
    const chain = createMemoryKeychain();
    const secrets = createSecrets(chain);
    for (const provider of PROVIDER_IDS) await secrets.set(provider, `key of ${provider}`, ORIGINS);
    for (const provider of PROVIDER_IDS) {
      expect(await secrets.get(provider, ORIGINS.get(provider) ?? '')).toEqual({
        kind: 'key',
        key: `key of ${provider}`,
      });
    }
  });
});

describe('the folder of the app', () => {
  it.each([
    ['linux', {}, '/home/y/.config/webgal-agent'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/webgal-agent'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/y/.config/webgal-agent'],
    ['darwin', {}, '/home/y/Library/Application Support/WebGAL Agent'],
    ['win32', { APPDATA: '/home/y/AppData/Roaming' }, '/home/y/AppData/Roaming/WebGAL Agent'],
    ['win32', { WEBGAL_AGENT_HOME: '/portable' }, '/portable'],
  ] as const)('on %s with %j is %s', (platform, environment, expected) => {
    expect(findUserFolders(environment, '/home/y', platform)).toEqual({
      data: expected,
      home: '/home/y',
      documents: '/home/y/WebGAL Agent',
    });
  });

  it('uses the folder for games that the variable names', () => {
    expect(findUserFolders({ WEBGAL_AGENT_DOCUMENTS: '/docs' }, '/home/y', 'linux').documents).toBe('/docs');
  });
});
