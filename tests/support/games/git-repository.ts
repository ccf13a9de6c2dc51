import { spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** False where Git is not installed: tests of repositories are then left out. */
export const hasGit = spawnSync('git', ['--version']).status === 0;

/** Runs Git in a folder of any account, without the settings of the user, as another program would. Throws if it fails. */
export function runGit(folder: string, ...args: string[]): string {
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync('git', ['-c', 'safe.directory=*', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout;
}

/** Makes a folder a repository with one commit of everything but the app's own folder. */
export function commitAll(folder: string): void {
  runGit(folder, 'init', '-q', '-b', 'main');
  runGit(folder, 'config', 'user.name', 'Yuki');
  runGit(folder, 'config', 'user.email', 'yuki@example.invalid');
  runGit(folder, 'add', '-A', '--', '.', ':(exclude,glob)**/.webgal_agent/**');
  runGit(folder, 'commit', '-q', '-m', 'First');
}

/**
 * Makes a repository one that would run a program on every occasion that Git has; each leaves a file of its own in `traps`. The
 * scene `filtered.txt` is given a filter, every file a text converter.
 */
export async function plantTraps(game: string, traps: string): Promise<void> {
  await mkdir(traps, { recursive: true });
  let count = 0;
  const trap = async (name: string): Promise<string> => {
    const file = `${traps}-${name}-${count++}`;
    await writeFile(file, `#!/bin/sh\ntouch ${traps}/${name}\ncat\n`);
    await chmod(file, 0o755);
    return file;
  };
  const set = async (key: string) => runGit(game, 'config', key, await trap(key));
  for (const key of [
    ...['core.fsmonitor', 'core.pager', 'core.editor', 'sequence.editor', 'core.sshCommand', 'core.askPass'],
    ...['diff.external', 'diff.any.textconv', 'diff.any.command', 'credential.helper', 'gpg.program', 'core.gitProxy'],
    ...['gpg.ssh.program', 'merge.any.driver', 'pager.log', 'pager.status', 'remote.origin.uploadpack'],
  ]) {
    await set(key);
  }
  const commands = ['status', 'log', 'commit', 'add', 'config', 'cat-file', 'check-attr', 'rev-parse', 'ls-tree'];
  for (const command of commands) {
    runGit(game, 'config', `alias.${command}`, `!${await trap(`alias-${command}`)}`);
  }
  for (const key of ['clean', 'smudge', 'process']) await set(`filter.any.${key}`);
  for (const [key, value] of Object.entries({
    ...{ 'filter.any.required': 'true', 'commit.gpgSign': 'true', 'log.showSignature': 'true' },
    ...{ 'gc.auto': '1', 'protocol.ext.allow': 'always', 'remote.origin.promisor': 'true' },
    ...{ 'remote.origin.url': `ext::${await trap('ext')}`, 'status.submoduleSummary': 'true' },
  })) {
    runGit(game, 'config', key, value);
  }
  const hooks = path.join(game, '.git', 'hooks');
  await mkdir(hooks, { recursive: true });
  const names = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'reference-transaction'];
  for (const name of [...names, 'post-index-change', 'pre-auto-gc', 'fsmonitor-watchman', 'post-checkout']) {
    await writeFile(path.join(hooks, name), `#!/bin/sh\ntouch ${traps}/hook-${name}\ncat\n`, { mode: 0o755 });
  }
  runGit(game, 'config', 'core.hooksPath', hooks);
  await writeFile(path.join(game, '.git', 'info', 'attributes'), 'game/scene/filtered.txt filter=any\n* diff=any\n');
}
