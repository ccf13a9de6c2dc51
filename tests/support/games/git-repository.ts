import { spawnSync } from 'node:child_process';

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
