import type { AppAuditLog } from '../../main/core/ports/logs.ts';
import type { Ports } from '../../main/core/ports/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { DEFAULT_SETTINGS, type KeyState, type Settings } from '../../shared/model/settings.ts';

/** Creates a port that throws on use, for tests that do not override it. */
function unreachable<T extends object>(name: string): T {
  return new Proxy({} as T, {
    get(_target, member) {
      throw new Error(`${name}.${String(member)} was not expected to be used.`);
    },
  });
}

function createMemoryLog(): AppAuditLog {
  const entries: unknown[] = [];
  return {
    append: async (entry) => void entries.push(entry),
    appendAll: async (more) => void entries.push(...more),
    read: async () => ({ entries, damaged: 0 }),
    ready: async () => ({ setAside: null }),
    async *history() {
      yield { lines: entries.toReversed().map((entry) => ({ entry, isForeign: false })), damaged: 0 };
    },
    close: async () => undefined,
  };
}

/** Creates in-memory ports: settings and keys work, games come from the test. */
export function createTestPorts(overrides: Partial<Ports> = {}): Ports {
  let settings: Settings = DEFAULT_SETTINGS;
  let keys: KeyState = { stored: [], elsewhere: [], place: 'memory' };
  let ids = 0;
  return {
    version: '1.2.3',
    host: {
      kind: 'web',
      capture: null,
      platform: 'linux',
      systemLocale: 'zh-Hans-CN',
      isSafeMode: false,
      details: async () => ({ versions: { Node: '24' }, log: [] }),
      restart: null,
      pickFolder: null,
      async openLink() {
        throw new AppError('E_UNSUPPORTED', 'No browser could be opened.', { reason: 'host.noBrowser' });
      },
      async openSignInPage() {
        throw new AppError('E_UNSUPPORTED', 'No browser could be opened.', { reason: 'host.noBrowser' });
      },
    },
    projects: unreachable('projects'),
    models: unreachable('models'),
    matcher: unreachable('matcher'),
    settings: {
      read: async () => settings,
      async write(next) {
        settings = next;
      },
    },
    secrets: {
      state: async () => keys,
      async set(provider) {
        keys = { ...keys, stored: [...keys.stored, provider] };
        return keys;
      },
      async forgetAll() {
        keys = { ...keys, stored: [] };
        return keys;
      },
    },
    auditLog: createMemoryLog(),
    spending: { append: async () => undefined, read: async () => [] },
    risks: { read: async () => new Map(), raise: async () => undefined },
    apiServer: null,
    gateway: null,
    providers: [],
    mcpServers: null,
    terre: null,
    updates: null,
    clock: {
      now: () => 1_700_000_000_000,
      id() {
        ids += 1;
        return `id-${ids}`;
      },
    },
    ...overrides,
  };
}
