import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commitAll, hasGit, plantTraps, runGit } from '../../../tests/support/games/git-repository.ts';
import type { Git } from '../../core/ports/stores/git.ts';
import { createProjectGit, type ProjectGitOptions } from './project-git.ts';

const SCENE = 'game/scene/start.txt';
let folder: string;
let game: string;
let home: string;
let git: Git;

function open(options: Partial<ProjectGitOptions> = {}): Git {
  return createProjectGit({ root: game, environment: { PATH: process.env.PATH, HOME: home }, ...options });
}

async function put(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(game, file)), { recursive: true });
  await writeFile(path.join(game, file), text);
}

const filesOf = async () => {
  const status = await git.status();
  return status?.status === 'ready' ? status.files.map(({ path: file, change }) => `${change} ${file}`).sort() : status;
};
const reason = (code: string) => expect.objectContaining({ reason: `git.${code}` });

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'webgal-agent-git-test-'));
  [game, home] = [path.join(folder, 'games', 'mine'), path.join(folder, 'home')];
  await mkdir(home);
  await put(SCENE, ':one;\n');
  await put('package.json', '{}\n');
  git = open();
});
afterEach(async () => {
  await git.close();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(!hasGit)('a game in a repository (left out where Git is not installed)', () => {
  test('without a repository or without Git there is nothing', async () => {
    expect(await git.status()).toBeNull();
    commitAll(game);
    const without = open({ environment: { PATH: home, HOME: home } });
    expect(await without.status()).toBeNull();
    await without.close();
    expect(await git.status()).toMatchObject({ status: 'ready', branch: 'main', files: [], blocked: null });
  });

  test('names the files of the game that differ, and none of the folder above or of the app', async () => {
    await writeFile(path.join(folder, 'above.txt'), 'a');
    commitAll(folder);
    await writeFile(path.join(folder, 'above.txt'), 'b');
    await put(SCENE, ':two;\n');
    await put('game/scene/雪 と.txt', 'x');
    await put('.webgal_agent/audit.jsonl', 'x');
    await put('node_modules/x/index.js', 'x');
    await put('.env', 'KEY=1');
    await rm(path.join(game, 'package.json'));
    expect(await filesOf()).toEqual([`added game/scene/雪 と.txt`, `changed ${SCENE}`, 'removed package.json']);
  });

  test('a game that the repository ignores is not in it', async () => {
    await writeFile(path.join(folder, '.gitignore'), 'games/\n');
    commitAll(folder);
    expect(await git.status()).toBeNull();
  });

  test('commits what was ticked and leaves what else is staged or changed', async () => {
    await writeFile(path.join(folder, 'above.txt'), 'a');
    commitAll(folder);
    await writeFile(path.join(folder, 'above.txt'), 'staged');
    runGit(folder, 'add', 'above.txt');
    await put(SCENE, ':two;\n');
    await put('game/scene/[new] 雪.txt', 'x');
    await put('game/scene/later.txt', 'x');
    await rm(path.join(game, 'package.json'));
    const paths = [SCENE, 'game/scene/[new] 雪.txt', 'package.json'];
    const { id } = await git.commit({ paths, message: '# Rain\n\n- one' });
    expect(runGit(folder, 'show', '--format=%H%n%B', '--name-status', '--no-renames', '-z')).toBe(
      `${id}\n# Rain\n\n- one\n\0\nA\0games/mine/game/scene/[new] 雪.txt\0M\0games/mine/${SCENE}\0D\0games/mine/package.json\0`,
    );
    expect(runGit(folder, 'diff', '--cached', '--name-only')).toBe('above.txt\n');
    expect(await filesOf()).toEqual(['added game/scene/later.txt']);
  });

  test('commits in a repository without a commit', async () => {
    runGit(game, 'init', '-q', '-b', 'new');
    runGit(game, 'config', 'user.name', 'Yuki');
    runGit(game, 'config', 'user.email', 'yuki@example.invalid');
    expect(await git.status()).toMatchObject({ branch: 'new', committedAt: null });
    await git.commit({ paths: [SCENE], message: 'First' });
    expect(runGit(game, 'ls-files')).toBe(`${SCENE}\n`);
  });

  test('refuses a commit without a name, in a merge, with conflicts, with filters and of files that did not change', async () => {
    commitAll(game);
    await put(SCENE, ':two;\n');
    const commit = (paths = [SCENE]) => git.commit({ paths, message: 'x' });
    await expect(commit(['package.json'])).rejects.toEqual(reason('changedSince'));
    runGit(game, 'config', '--unset', 'user.email');
    await expect(commit()).rejects.toEqual(reason('noName'));
    runGit(game, 'config', 'user.email', 'yuki@example.invalid');
    await writeFile(path.join(game, '.gitattributes'), '*.txt filter=any\n');
    await expect(commit()).rejects.toEqual(reason('filtered'));
    await rm(path.join(game, '.gitattributes'));
    const before = runGit(game, 'rev-parse', 'HEAD');
    runGit(game, 'checkout', '-q', '-b', 'other');
    runGit(game, 'commit', '-q', '-a', '-m', 'other');
    runGit(game, 'checkout', '-q', 'main');
    await put(SCENE, ':three;\n');
    runGit(game, 'commit', '-q', '-a', '-m', 'three');
    expect(() => runGit(game, 'merge', 'other')).toThrow();
    await expect(commit()).rejects.toEqual(reason('conflicts'));
    await put(SCENE, ':four;\n');
    runGit(game, 'add', SCENE);
    await expect(commit()).rejects.toEqual(reason('merging'));
    expect(runGit(game, 'rev-parse', 'HEAD~1')).toBe(before);
  });

  test('a repository that leads elsewhere is refused', async () => {
    commitAll(game);
    const config = path.join(game, '.git', 'config');
    const plain = await readFile(config, 'utf8');
    const settings = [
      ['elsewhere', `[include]\n\tpath = ${home}/x\n`],
      ['elsewhere', `[INCLUDEIF "gitdir:/"]\n\tpath = ${home}/x\n`],
      ['elsewhere', `[core]\n\tworktree = ${home}\n`],
      ['elsewhere', `[core]\n\tattributesFile = ${home}/x\n`],
      ['config', `[hook "x"]\n\tcommand = false\n`],
      ['config', `[filter "a=b"]\n\tclean = false\n`],
    ] as const;
    for (const [why, text] of settings) {
      await writeFile(config, plain + text);
      expect(await git.status(), text).toEqual({ status: 'refused', reason: why });
      await expect(git.versions(SCENE, { skip: 0, limit: 5 })).rejects.toEqual(reason(why));
    }
    await writeFile(config, plain);
    await writeFile(path.join(game, '.git', 'commondir'), home);
    expect(await git.status()).toEqual({ status: 'refused', reason: 'elsewhere' });
    await rm(path.join(game, '.git', 'commondir'));
    runGit(game, 'clone', '-q', '--bare', '.', path.join(folder, 'elsewhere.git'));
    await rm(path.join(game, '.git'), { recursive: true });
    await symlink(path.join(folder, 'elsewhere.git'), path.join(game, '.git'));
    expect(await git.status()).toEqual({ status: 'refused', reason: 'file' });
    await rm(path.join(game, '.git'));
    await writeFile(path.join(game, '.git'), `gitdir: ${path.join(folder, 'elsewhere.git')}\n`);
    expect(await git.status()).toEqual({ status: 'refused', reason: 'file' });
  });

  test.skipIf(process.platform === 'win32')(
    'a pipe where Git opens a file is refused at once (no pipes on Windows)',
    async () => {
      commitAll(game);
      for (const name of ['.gitignore', '.git/info/exclude', '.git/packed-refs', '.git/HEAD']) {
        const file = path.join(game, name);
        await rm(file, { force: true });
        execFileSync('mkfifo', [file]);
        const began = performance.now();
        expect(await git.status(), name).toEqual({ status: 'refused', reason: 'unreadable' });
        // Git itself would wait for 30 seconds.
        expect(performance.now() - began, name).toBeLessThan(10_000);
        await rm(file);
      }
    },
  );

  test('a broken repository, too much output and too much time are refused; a closed one runs nothing', async () => {
    commitAll(game);
    await put(SCENE, ':two;\n');
    for (const limits of [{ maxOutput: 20 }, { timeout: 1 }]) {
      const limited = open({ limits });
      expect(await limited.status()).toEqual({ status: 'refused', reason: 'unreadable' });
      await limited.close();
    }
    await writeFile(path.join(game, '.git', 'HEAD'), 'nonsense');
    expect(await git.status()).toMatchObject({ status: 'refused', reason: 'unreadable' });
    await git.close();
    await expect(git.status()).rejects.toMatchObject({ code: 'E_TIMEOUT' });
  });
});

describe.skipIf(!hasGit || process.platform === 'win32')(
  'a hostile repository (left out without Git, or on Windows)',
  () => {
    let traps: string;

    beforeEach(async () => {
      traps = path.join(folder, 'traps');
      commitAll(game);
      await put('game/scene/filtered.txt', 'x\n');
      runGit(game, 'add', '.');
      runGit(game, 'commit', '-q', '-m', 'Second');
    });

    test('runs nothing when its status is read and when files are committed', async () => {
      await plantTraps(game, traps);
      // Changed without another size, so that Git must read the file to compare it.
      await put('game/scene/filtered.txt', 'y\n');
      await put(SCENE, ':two;\n');
      expect(await filesOf()).toContain(`changed ${SCENE}`);
      await expect(git.commit({ paths: ['game/scene/filtered.txt'], message: 'x' })).rejects.toEqual(
        reason('filtered'),
      );
      const { id } = await git.commit({ paths: [SCENE], message: 'x' });
      expect(runGit(game, 'rev-parse', 'HEAD').trim()).toBe(id);
      expect(await readdir(traps)).toEqual([]);
    });

    test('would run something without this protection', async () => {
      await plantTraps(game, traps);
      await put('game/scene/filtered.txt', 'y\n');
      // The program is no real filter, so this fails after it ran.
      expect(() => runGit(game, 'diff', '--ext-diff')).toThrow('filter');
      for (const setting of ['filter.any.process', 'filter.any.required', 'commit.gpgSign']) {
        runGit(game, 'config', '--unset', setting);
      }
      runGit(game, 'diff', '--ext-diff');
      runGit(game, 'commit', '-q', '-a', '-m', 'x');
      const sprung = await readdir(traps);
      const filters = ['filter.any.process', 'filter.any.clean'];
      expect(sprung).toEqual(
        expect.arrayContaining([
          'core.fsmonitor',
          'diff.any.command',
          'hook-pre-commit',
          'hook-post-commit',
          ...filters,
        ]),
      );
    });

    test('a folder of the game that looks like a bare repository is not taken for one', async () => {
      const mark = path.join(traps, 'bare');
      await rm(path.join(game, '.git'), { recursive: true });
      commitAll(folder);
      runGit(game, 'init', '-q', '--bare', '.');
      const settings = `[core]\n\tbare = false\n\tworktree = ${game}\n[filter "any"]\n\tclean = touch ${mark}; cat\n`;
      await writeFile(path.join(game, 'config'), settings);
      await put(SCENE, ':two;\n');
      expect(await git.status()).toEqual({ status: 'refused', reason: 'elsewhere' });
      expect(existsSync(mark)).toBe(false);
    });
  },
);
