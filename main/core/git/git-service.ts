import { createRepeater } from '../../../shared/async.ts';
import type { Emit, Output, Parsed } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import { type GitChanges, type GitState, type GitVersions, MAX_GIT_FILES } from '../../../shared/model/git/git.ts';
import type { Reader } from '../ports/reader.ts';
import type { Git } from '../ports/stores/git.ts';
import type { Transactions } from '../ports/transactions.ts';
import type { History } from '../services.ts';
import { createTimers } from '../timers.ts';

const START_DELAY_MS = 1500;
const REFRESH_DELAY_MS = 1000;
const MAX_TITLES = 20;

/** What the page shows of the repository that the game is in. */
export interface GitService {
  /** The last known state. */
  state(): GitState | null;
  changes(): Promise<GitChanges>;
  commit(request: Parsed<'git.commit'>): Promise<{ id: string }>;
  versions(part: Parsed<'git.versions'>): Promise<GitVersions>;
  version(version: Parsed<'git.version'>): Promise<Output<'git.version'>>;
  restore(version: Parsed<'git.restore'>): Promise<Output<'git.restore'>>;
  /** Reports a change of the game's files: the state is read again a moment later. */
  filesChanged(): void;
  dispose(): void;
}

export interface GitServiceOptions {
  git: Git;
  transactions: Transactions;
  /** The disk, without the proposal. */
  reader: Reader;
  history: Pick<History, 'restoreText'>;
  emit: Emit;
  onFault: (fault: { where: string; error: unknown }) => void;
  startDelay?: number;
  refreshDelay?: number;
}

/** Creates the service. The first state is read after the game is open, and nothing waits for it. */
export function createGitService(options: GitServiceOptions): GitService {
  const { git, reader, history, emit, onFault } = options;
  const { startDelay = START_DELAY_MS, refreshDelay = REFRESH_DELAY_MS } = options;
  const timers = createTimers();
  let state: GitState | null = null;
  let isClosed = false;

  /** One at a time; a call during another leads to one more. */
  const refresh = createRepeater(async () => {
    const found = await git.status();
    const next: GitState | null =
      found?.status === 'ready' ? { status: 'ready', branch: found.branch, changes: found.files.length } : found;
    if (isClosed || JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    emit('git.changed', { git: state });
  });
  const refreshIn = (milliseconds: number): void => {
    if (isClosed) return;
    timers.set('refresh', milliseconds, () => {
      refresh().catch((error: unknown) => isClosed || onFault({ where: 'git', error }));
    });
  };
  const unwatch = git.watch(() => refreshIn(refreshDelay));
  refreshIn(startDelay);

  return {
    state: () => state,
    changes: () => readChanges(options),

    async commit(request) {
      try {
        return await git.commit(request);
      } finally {
        refreshIn(0);
      }
    },

    versions: ({ path, ...part }) => git.versions(path, part),
    async version({ path, id, name }) {
      const { text: kept } = await git.readVersion(id, name);
      return { kept, now: (await reader.stat(path)) === null ? null : (await reader.read(path)).text };
    },
    async restore({ path, id, name }) {
      const { text, title } = await git.readVersion(id, name);
      return history.restoreText(path, text, title);
    },

    filesChanged: () => refreshIn(refreshDelay),

    dispose() {
      isClosed = true;
      unwatch();
      timers.clearAll();
    },
  };
}

/** Reads what can be committed, and which of it came from changes that were accepted since the last commit. */
async function readChanges({ git, transactions }: GitServiceOptions): Promise<GitChanges> {
  const status = await git.status();
  if (status?.status !== 'ready') {
    const reason = `git.${status?.reason ?? 'none'}`;
    throw new AppError('E_UNSUPPORTED', 'The repository cannot be used.', { reason });
  }
  const changed = new Set(status.files.map(({ path }) => path));
  const since = status.committedAt ?? 0;
  const accepted = new Set<string>();
  const titles = new Set<string>();
  for (const { metadata, commands, status: outcome, created_at: at } of await transactions.recent()) {
    // Git knows whole seconds. What the user types is saved without a title of its own.
    if (outcome !== 'applied' || metadata.origin !== 'agent' || Date.parse(at) < since) continue;
    const own = commands.filter(({ path }) => changed.has(path));
    for (const { path } of own) accepted.add(path);
    const title = metadata.title.replace(/\s+/g, ' ').trim();
    if (own.length > 0 && title !== '') titles.add(title);
  }
  const files = status.files.slice(0, MAX_GIT_FILES).map((file) => ({ ...file, isAccepted: accepted.has(file.path) }));
  const { blocked } = status;
  return { files, total: status.files.length, titles: [...titles].slice(-MAX_TITLES), blocked };
}
