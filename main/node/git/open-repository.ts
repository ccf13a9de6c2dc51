import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AppError } from '../../../shared/errors.ts';
import type { GitStatus } from '../../core/ports/stores/git.ts';
import { toChildEnvironment } from '../process/child-environment.ts';
import { findGit } from './find-git.ts';
import { findConfigRefusal, findRepository, type Repository } from './find-repository.ts';
import { createGitRunner, type GitRun, type GitRunnerOptions, type RunGit } from './git-runner.ts';

/** A repository that may be used, with the settings that turn its filters off. */
export interface Opened {
  repository: Repository;
  git: (args: readonly string[], run?: Omit<GitRun, 'folder' | 'settings'>) => Promise<string>;
  hasName: boolean;
}

export type Refused = Extract<GitStatus, { status: 'refused' }>;

interface OpenerOptions {
  root: string;
  environment: Readonly<Record<string, string | undefined>>;
  limits?: Pick<GitRunnerOptions, 'timeout' | 'maxOutput'>;
  signal: AbortSignal;
}

/** Returns functions that check the repository of a game and make it usable. */
export function createOpener({ root, environment, limits, signal }: OpenerOptions) {
  let tools: Promise<{ run: RunGit; work: string } | null> | undefined;

  /** Found once: neither is installed while a game is open. */
  async function prepare(): Promise<{ run: RunGit; work: string } | null> {
    const child = toChildEnvironment({ ...environment, LC_ALL: 'C' });
    if (environment.XDG_CONFIG_HOME) child.XDG_CONFIG_HOME = environment.XDG_CONFIG_HOME;
    const program = await findGit(child);
    if (program === null) return null;
    const work = await mkdtemp(path.join(tmpdir(), 'webgal-agent-git-'));
    const hooks = path.join(work, 'hooks');
    await mkdir(hooks);
    return { run: createGitRunner({ program, environment: child, hooks, signal, ...limits }), work };
  }

  /** Checks the repository anew for each call: its settings can change. */
  async function open(): Promise<Opened | Refused | null> {
    const repository = await findRepository(root);
    if (!repository) return null;
    tools ??= prepare();
    const found = await tools;
    if (!found) return null;
    if (repository.refusal) return { status: 'refused', reason: repository.refusal };
    const { run, work } = found;
    // Outside of the repository, so that Git reads this file and nothing that it includes.
    const own = await run(
      ['config', '--file', path.join(repository.folder, 'config'), '--no-includes', '--list', '--name-only', '-z'],
      { folder: work },
    );
    const reason = findConfigRefusal(own.split('\0'));
    if (reason) return { status: 'refused', reason };
    const all = await run(['config', '-z', '--name-only', '--get-regexp', '^(user|filter|hook)\\.'], { folder: root });
    const names = all.split('\0');
    const settings = toOff(names);
    const git: Opened['git'] = (args, more) => run(args, { folder: root, settings, ...more });
    return { repository, git, hasName: names.includes('user.name') && names.includes('user.email') };
  }

  async function require(): Promise<Opened> {
    const opened = await open();
    if (opened && !('status' in opened)) return opened;
    const reason = opened ? `git.${opened.reason}` : 'git.none';
    throw new AppError('E_UNSUPPORTED', 'The repository cannot be used.', { reason });
  }

  /** Returns the app's own folder for Git, if it was needed. */
  const findWork = async (): Promise<string | null> => (await tools?.catch(() => null))?.work ?? null;

  return { open, require, findWork };
}

/** Settings that turn off each filter and configured hook, also those of the user: a repository chooses what they are applied to. */
function toOff(names: readonly string[]): string[] {
  const off = new Set<string>();
  for (const name of names) {
    const driver = name.slice(name.indexOf('.') + 1, name.lastIndexOf('.'));
    if (name.startsWith('filter.')) {
      for (const key of ['clean=', 'smudge=', 'process=', 'required=false']) off.add(`filter.${driver}.${key}`);
    } else if (name.startsWith('hook.')) off.add(`hook.${driver}.enabled=false`);
  }
  return [...off];
}
