import { type FSWatcher, watch } from 'node:fs';
import { lstat, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { GitBlock } from '../../../shared/model/git/git.ts';
import type { Git, GitStatus } from '../../core/ports/stores/git.ts';
import { AGENT_FOLDER } from '../project-fs/agent-folder.ts';
import { findFiltered, readVersion, readVersions } from './file-versions.ts';
import { findRepository } from './find-repository.ts';
import { type GitRunnerOptions, toPrefix } from './git-runner.ts';
import { createOpener, type Opened, type Refused } from './open-repository.ts';
import { parseStatus } from './parse-status.ts';

/** Present while Git is in the middle of something that a commit would end. */
const UNFINISHED = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply'];
/** Change with a commit, another branch or a merge. */
const TELLING = new Set(['HEAD', 'index', ...UNFINISHED]);
const STATUS = [
  ...['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--ignore-submodules=all'],
  ...['--no-renames', '--no-ahead-behind', '--', '.', `:(exclude)${AGENT_FOLDER}`, ':(exclude)node_modules'],
];
const FROM_INPUT = ['--pathspec-from-file=-', '--pathspec-file-nul'];

export interface ProjectGitOptions {
  /** The game's real folder. */
  root: string;
  environment: Readonly<Record<string, string | undefined>>;
  limits?: Pick<GitRunnerOptions, 'timeout' | 'maxOutput'>;
}

/** Creates the port to the repository of one game. Starts nothing before the first call. */
export function createProjectGit({ root, environment, limits }: ProjectGitOptions): Git {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();

  const { open, require, findWork } = createOpener({
    root,
    environment,
    ...(limits && { limits }),
    signal: closing.signal,
  });

  async function readStatus(): Promise<GitStatus | null> {
    const opened = await open();
    if (!opened || 'status' in opened) return opened;
    const { repository, git, hasName } = opened;
    const parsed = parseStatus(await git(STATUS), toPrefix(repository.top, root));
    // A game that the repository ignores is not in it.
    if (parsed.files.length === 0 && (await git(['check-ignore', '--', root])) !== '') return null;
    const isMerging = await isUnfinished(repository.folder);
    const blocked: GitBlock | null = parsed.hasConflict
      ? 'conflicts'
      : isMerging
        ? 'merging'
        : hasName
          ? null
          : 'noName';
    const time = parsed.hasCommit ? Number(await git(['log', '-1', '--no-show-signature', '--format=%ct'])) : 0;
    const { branch, files } = parsed;
    return { status: 'ready', branch, files, blocked, committedAt: time > 0 ? time * 1000 : null };
  }

  /** Runs one call after its checks; `close` waits for it. */
  async function tracked<T>(work: () => Promise<T>): Promise<T> {
    if (closing.signal.aborted) throw new AppError('E_TIMEOUT', 'The game is closed.', { reason: 'git.unreadable' });
    const task = work();
    running.add(task);
    try {
      return await task;
    } finally {
      running.delete(task);
    }
  }

  return {
    status: () => tracked(() => readStatus().catch(toRefused)),
    commit: (request) =>
      tracked(async () => {
        const status = await readStatus();
        const { git } = await require();
        requireCommittable(status, request.paths);
        return commitFiles(git, request, path.join((await findWork()) ?? '', 'message'));
      }),
    versions: (file, part) =>
      tracked(async () => {
        const { git, repository } = await require();
        return readVersions(git, { file, prefix: toPrefix(repository.top, root), ...part });
      }),
    readVersion: (id, file) => tracked(async () => readVersion((await require()).git, { id, file })),
    watch: (listener) => watchRepository(root, listener),
    async close() {
      closing.abort();
      await Promise.allSettled(running);
      const work = await findWork();
      if (work !== null) await rm(work, { recursive: true, force: true });
    },
  };
}

function watchRepository(root: string, listener: () => void): () => void {
  let watcher: FSWatcher | undefined;
  let isOver = false;
  const start = async () => {
    const repository = await findRepository(root);
    if (!repository || repository.refusal || isOver) return;
    watcher = watch(repository.folder, (_event, name) => (name === null || TELLING.has(name)) && listener());
    // The next change in the game's folder refreshes, too.
    watcher.on('error', () => watcher?.close());
  };
  start().catch(() => undefined);
  return () => {
    isOver = true;
    watcher?.close();
  };
}

function requireCommittable(status: GitStatus | null, paths: readonly string[]): void {
  if (status?.status !== 'ready') throw new AppError('E_UNSUPPORTED', 'No repository.', { reason: 'git.none' });
  if (status.blocked) {
    throw new AppError('E_CONFLICT', 'Nothing can be committed now.', { reason: `git.${status.blocked}` });
  }
  const changed = new Set(status.files.map((file) => file.path));
  if (paths.length === 0 || !paths.every((one) => changed.has(one))) {
    throw new AppError('E_CONFLICT', 'A file is as in the last commit.', { reason: 'git.changedSince' });
  }
}

/** Commits files. The message is passed in `file`, which the app owns. */
async function commitFiles(
  git: Opened['git'],
  { paths, message }: { paths: readonly string[]; message: string },
  file: string,
): Promise<{ id: string }> {
  const input = paths.map((one) => `${one}\0`).join('');
  const filtered = await findFiltered(git, paths);
  if (filtered !== null) {
    const details = { path: filtered };
    throw new AppError('E_UNSUPPORTED', 'A file needs a filter of Git.', { details, reason: 'git.filtered' });
  }
  await writeFile(file, `${message.trim()}\n`);
  await git(['--literal-pathspecs', 'add', '--all', ...FROM_INPUT], { input });
  const how = ['--only', '--quiet', '--no-verify', '--no-gpg-sign', '--no-status', '--cleanup=whitespace'];
  await git(['--literal-pathspecs', 'commit', ...how, `--file=${file}`, ...FROM_INPUT], { input });
  return { id: (await git(['rev-parse', 'HEAD'])).trim() };
}

async function isUnfinished(folder: string): Promise<boolean> {
  const found = await Promise.all(UNFINISHED.map((name) => lstat(path.join(folder, name)).catch(() => null)));
  return found.some((one) => one !== null);
}

function toRefused(error: unknown): Refused {
  if (!(error instanceof AppError)) throw error;
  return { status: 'refused', reason: error.reason === 'git.owner' ? 'owner' : 'unreadable' };
}
