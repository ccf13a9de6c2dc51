import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '../../../shared/model/settings.ts';
import type { UpdateProblem, UpdateState } from '../../../shared/model/updates.ts';
import type { UpdateResult, Updates } from '../ports/updates.ts';
import { CHECK_INTERVAL_MS, FIRST_CHECK_DELAY_MS } from './check-updates.ts';
import { createUpdatesService, type UpdatesService } from './updates-service.ts';

const START = Date.UTC(2026, 0, 1);
const NEWER: UpdateResult = { kind: 'newer', version: '2.0.0', notes: 'New' };

/** A fake host; the end-to-end tests use the real one. */
function createHost(options: { support?: Updates['support']; result?: UpdateResult; problem?: UpdateProblem } = {}) {
  const host = {
    result: options.result ?? NEWER,
    problem: options.problem ?? (null as UpdateProblem | null),
    kept: { checkedAt: null as number | null, notInstalled: null as string | null },
    feeds: [] as (string | null)[],
    downloads: 0,
    installed: [] as string[],
  };
  const port: Updates = {
    support: options.support ?? 'self',
    page: 'https://example.org/releases',
    readKept: async () => host.kept,
    keepCheck: async (at) => {
      host.kept = { checkedAt: at, notInstalled: null };
    },
    check: async (feed) => {
      host.feeds.push(feed);
      return host.result;
    },
    download: async () => {
      host.downloads += 1;
      return host.problem;
    },
    install: async (version) => {
      host.installed.push(version);
    },
  };
  return { host, port };
}

let settings: Settings;
beforeEach(() => {
  settings = DEFAULT_SETTINGS;
  vi.useFakeTimers({ now: START });
});
afterEach(() => vi.useRealTimers());

function start(updates: Updates | null): { service: UpdatesService; published: UpdateState[] } {
  const published: UpdateState[] = [];
  const service = createUpdatesService({
    updates,
    readSettings: async () => settings,
    clock: { now: () => Date.now() },
    version: '1.0.0',
    emit: (event, payload) => {
      if (event === 'updates.changed') published.push(payload as UpdateState);
    },
    onFault: ({ error }) => {
      throw error;
    },
  });
  return { service, published };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('automatic checks', () => {
  it('start with a delay after the window and repeat daily', async () => {
    const { host, port } = createHost({ result: { kind: 'same' } });
    const { service } = start(port);
    service.begin();
    await vi.advanceTimersByTimeAsync(FIRST_CHECK_DELAY_MS - 1);
    expect(host.feeds).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(host.feeds).toEqual([null]);
    await vi.advanceTimersByTimeAsync(CHECK_INTERVAL_MS - 60_000);
    expect(host.feeds).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(host.feeds).toHaveLength(2);
    service.stop();
    await vi.advanceTimersByTimeAsync(3 * CHECK_INTERVAL_MS);
    expect(host.feeds).toHaveLength(2);
  });

  it('are skipped within a day of a check that found nothing, and while disabled', async () => {
    const { host, port } = createHost();
    host.kept.checkedAt = START - CHECK_INTERVAL_MS / 2;
    const first = start(port).service;
    first.begin();
    await vi.advanceTimersByTimeAsync(FIRST_CHECK_DELAY_MS);
    first.stop();
    host.kept.checkedAt = null;
    settings = { ...settings, checksForUpdates: false };
    start(port).service.begin();
    await vi.advanceTimersByTimeAsync(2 * CHECK_INTERVAL_MS);
    expect(host.feeds).toEqual([]);
  });

  it('run if the clock was set back', async () => {
    const { host, port } = createHost({ result: { kind: 'same' } });
    host.kept.checkedAt = START + 100 * CHECK_INTERVAL_MS;
    start(port).service.begin();
    await vi.advanceTimersByTimeAsync(FIRST_CHECK_DELAY_MS);
    expect(host.feeds).toHaveLength(1);
  });
});

describe('a check', () => {
  it('downloads automatically and is not stored, so that the next start finds the version again', async () => {
    const { host, port } = createHost();
    const { service, published } = start(port);
    await service.check();
    await settle();
    expect(published.map(({ phase }) => phase.status)).toEqual(['checking', 'available', 'downloading', 'ready']);
    expect(host.kept.checkedAt).toBeNull();
  });

  it.each(['self', 'byHand'] as const)(
    'only reports the version if updates are disabled or cannot be installed: %s',
    async (support) => {
      settings = { ...settings, checksForUpdates: support === 'byHand' };
      const { host, port } = createHost({ support });
      const { service } = start(port);
      await service.check();
      await settle();
      expect([service.state().phase.status, host.downloads]).toEqual(['available', 0]);
      if (support === 'byHand') await expect(service.download()).rejects.toMatchObject({ reason: 'updates.none' });
      else await service.download();
      await settle();
      expect(host.downloads).toBe(support === 'self' ? 1 : 0);
    },
  );

  it.each([null, 'none'] as const)('is rejected on hosts without updates: %s', async (support) => {
    const { service } = start(support && createHost({ support: 'none' }).port);
    await expect(service.check()).rejects.toMatchObject({ code: 'E_UNSUPPORTED', reason: 'updates.none' });
    expect(service.state().support).toBe('none');
  });

  it('is discarded if the feed changes meanwhile', async () => {
    const { host, port } = createHost();
    const { service } = start(port);
    const answers: ((result: UpdateResult) => void)[] = [];
    port.check = () => new Promise((resolve) => answers.push(resolve));
    await service.check();
    service.follow({ ...settings, updateFeed: 'https://example.org/feed' });
    answers[0]?.(NEWER);
    await settle();
    expect([service.state().phase, service.state().page, host.downloads]).toEqual([{ status: 'idle' }, null, 0]);
  });
});

describe('an installation', () => {
  it('runs only if an update is ready', async () => {
    const { host, port } = createHost();
    const { service } = start(port);
    await service.install();
    expect(host.installed).toEqual([]);
    await service.check();
    await settle();
    service.stop();
    await service.install();
    expect(host.installed).toEqual(['2.0.0']);
  });

  it('does not run after a failed download or if updates are disabled', async () => {
    const { host, port } = createHost({ problem: 'checksum' });
    const { service } = start(port);
    await service.check();
    await settle();
    expect(service.state().phase).toMatchObject({ status: 'failed', problem: 'checksum' });
    await service.install();
    host.problem = null;
    await service.check();
    await settle();
    expect(service.state().phase.status).toBe('ready');
    service.follow({ ...settings, checksForUpdates: false });
    await service.install();
    expect(host.installed).toEqual([]);
  });

  it('is reported at the next start if it failed', async () => {
    const { host, port } = createHost();
    host.kept.notInstalled = '2.0.0';
    const { service } = start(port);
    service.begin();
    await settle();
    expect(service.state().phase).toMatchObject({ status: 'failed', problem: 'install' });
    service.stop();
  });
});
