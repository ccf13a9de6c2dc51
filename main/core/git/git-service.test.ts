import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { GitState } from '../../../shared/model/git/git.ts';
import type { GitStatus } from '../ports/stores/git.ts';
import { createGitService, type GitService, type GitServiceOptions } from './git-service.ts';

const READY: GitStatus = {
  status: 'ready',
  branch: 'main',
  files: [
    { path: 'a.txt', change: 'changed' },
    { path: 'b.txt', change: 'added' },
  ],
  blocked: null,
  committedAt: Date.parse('2026-01-02T00:00:00Z'),
};

let service: GitService;
afterEach(() => service.dispose());

function setUp(status: GitStatus | null, log: unknown[] = []) {
  const events: (GitState | null)[] = [];
  const git = {
    status: vi.fn(async () => status),
    watch: () => () => undefined,
    commit: vi.fn(),
    readVersion: vi.fn(async () => ({ text: ':then;', title: 'First' })),
  };
  const history = { restoreText: vi.fn(async () => ({ group: 'g', files: [] })) };
  const reader = { stat: async () => ({}), read: async () => ({ text: ':now;' }) };
  service = createGitService({
    ...{ git, history, reader, transactions: { recent: async () => log }, startDelay: 0, refreshDelay: 5 },
    emit: (_event: string, { git: state }: { git: GitState | null }) => events.push(state),
    onFault: ({ error }: { error: unknown }) => {
      throw error;
    },
  } as unknown as GitServiceOptions);
  return { git, events, history };
}

const change = (title: string, path: string, of: object = {}) => ({
  ...{ status: 'applied', created_at: '2026-01-03T00:00:00.000Z', commands: [{ path }] },
  ...{ metadata: { title, origin: 'agent' }, ...of },
});

test('reports the state once, and one look follows many changes of files', async () => {
  const { git, events } = setUp(READY);
  await expect.poll(() => service.state()).toEqual({ status: 'ready', branch: 'main', changes: 2 });
  for (let at = 0; at < 50; at += 1) service.filesChanged();
  await expect.poll(() => git.status.mock.calls.length).toBe(2);
  await wait(30);
  expect(git.status).toHaveBeenCalledTimes(2);
  expect(events).toHaveLength(1);
});

test('emits nothing without a repository, and nothing after the game was closed', async () => {
  const { git, events } = setUp(null);
  await expect.poll(() => git.status.mock.calls.length).toBe(1);
  expect([service.state(), events]).toEqual([null, []]);
  service.dispose();
  service.filesChanged();
  await wait(30);
  expect(git.status).toHaveBeenCalledTimes(1);
});

test('proposes the titles of changes that were accepted since the last commit and are still different', async () => {
  setUp(READY, [
    change('before', 'a.txt', { created_at: '2026-01-01T00:00:00.000Z' }),
    change('Rain\nfalls', 'a.txt'),
    change('Rain falls', 'a.txt'),
    change('typed', 'b.txt', { metadata: { title: 'typed', origin: 'writer' } }),
    change('undone', 'b.txt', { status: 'rolled_back' }),
    change('committed already', 'c.txt'),
  ]);
  expect(await service.changes()).toEqual({
    files: [
      { path: 'a.txt', change: 'changed', isAccepted: true },
      { path: 'b.txt', change: 'added', isAccepted: false },
    ],
    ...{ total: 2, titles: ['Rain falls'], blocked: null },
  });
});

test('says why a repository is not used', async () => {
  setUp({ status: 'refused', reason: 'elsewhere' });
  await expect(service.changes()).rejects.toMatchObject({ reason: 'git.elsewhere' });
});

test('compares a file with a commit by the name that it had then, and restores it as a change', async () => {
  const { git, history } = setUp(READY);
  const version = { path: 'game/scene/b.txt', id: 'c', name: 'game/scene/a.txt' };
  expect(await service.version(version)).toEqual({ kept: ':then;', now: ':now;' });
  await service.restore(version);
  expect(git.readVersion).toHaveBeenCalledWith('c', 'game/scene/a.txt');
  expect(history.restoreText).toHaveBeenCalledWith('game/scene/b.txt', ':then;', 'First');
});
