import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, PROVIDER_IDS } from '../../shared/model/settings.ts';
import { createSecrets, type Keychain } from './secrets.ts';
import { createSettingsStore } from './settings-store.ts';
import { findUserPlaces } from './user-data.ts';

let folder = '';
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'settings-')), 'data');
});
afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

describe('settings', () => {
  it('are the defaults until something is chosen, and last', async () => {
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
      '{"theme":"dark","editorFontSize":900,"choices":{"nobody":{}},"autosave":false}',
      { theme: 'dark', autosave: false },
    ],
  ])('%j is kept aside and what is good in it used', async (stored, good) => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'settings.json'), stored);
    expect(await createSettingsStore(folder).read()).toEqual({ ...DEFAULT_SETTINGS, ...good });
    expect(await readFile(path.join(folder, 'settings.json.broken'), 'utf8')).toBe(stored);
    expect(await createSettingsStore(folder).read()).toEqual({ ...DEFAULT_SETTINGS, ...good });
  });

  it('keep what was chosen for tools that nobody knows, and take a word nobody knows for “ask”', async () => {
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

  it('of an older version gain what is new without being called broken', async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'settings.json'), '{"theme":"light","gone":1}');
    expect(await createSettingsStore(folder).read()).toEqual({ ...DEFAULT_SETTINGS, theme: 'light' });
    expect(await readdir(folder)).toEqual(['settings.json']);
  });
});

describe('keys', () => {
  /** A keychain as the outermost port sees it; the real one would change this machine. */
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

  it('are kept in the keychain, and forgotten there', async () => {
    const chain = createMemoryKeychain();
    const secrets = createSecrets(chain);
    expect(await secrets.state()).toEqual({ stored: [], place: 'keychain' });
    expect(await secrets.set('qwen', 'key-1')).toEqual({ stored: ['qwen'], place: 'keychain' });
    expect(await createSecrets(chain).get('qwen')).toBe('key-1');
    expect(await secrets.get('openai')).toBeNull();
    expect(await secrets.forgetAll()).toEqual({ stored: [], place: 'keychain' });
    expect([...chain.entries]).toEqual([]);
  });

  it('are kept for this run where there is no keychain, or one that does not answer or refuses', async () => {
    const refusing = createMemoryKeychain();
    refusing.fail = true;
    const broken = { ...createMemoryKeychain(), get: () => Promise.reject(new Error('no bus')) };
    for (const chain of [null, broken, refusing]) {
      const secrets = createSecrets(chain);
      expect(await secrets.set('qwen', 'key-1')).toEqual({ stored: ['qwen'], place: 'memory' });
      expect(await secrets.get('qwen')).toBe('key-1');
      expect(await createSecrets(chain).get('qwen')).toBeNull();
    }
  });

  it('are not said to be forgotten when the keychain kept them', async () => {
    const chain = createMemoryKeychain();
    const secrets = createSecrets(chain);
    await secrets.set('qwen', 'key-1');
    chain.fail = true;
    await expect(secrets.forgetAll()).rejects.toMatchObject({ code: 'E_IO', reason: 'keys.notForgotten' });
    expect(await secrets.state()).toEqual({ stored: ['qwen'], place: 'keychain' });
  });

  it('of every provider have a place of their own', async () => {
    const chain = createMemoryKeychain();
    const secrets = createSecrets(chain);
    for (const provider of PROVIDER_IDS) await secrets.set(provider, `key of ${provider}`);
    for (const provider of PROVIDER_IDS) expect(await secrets.get(provider)).toBe(`key of ${provider}`);
  });
});

describe("the app's folder", () => {
  it.each([
    ['linux', {}, '/home/y/.config/webgal-agent'],
    ['linux', { XDG_CONFIG_HOME: '/x' }, '/x/webgal-agent'],
    ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/y/.config/webgal-agent'],
    ['darwin', {}, '/home/y/Library/Application Support/WebGAL Agent'],
    ['win32', { APPDATA: '/home/y/AppData/Roaming' }, '/home/y/AppData/Roaming/WebGAL Agent'],
    ['win32', { WEBGAL_AGENT_HOME: '/portable' }, '/portable'],
  ] as const)('on %s with %j is %s', (platform, environment, expected) => {
    expect(findUserPlaces(environment, '/home/y', platform)).toEqual({
      data: expected,
      home: '/home/y',
      documents: '/home/y/WebGAL Agent',
    });
  });

  it('leaves her documents where she says', () => {
    expect(findUserPlaces({ WEBGAL_AGENT_DOCUMENTS: '/docs' }, '/home/y', 'linux').documents).toBe('/docs');
  });
});
