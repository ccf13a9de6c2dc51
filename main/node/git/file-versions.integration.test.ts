import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commitAll, hasGit, plantTraps, runGit } from '../../../tests/support/games/git-repository.ts';
import { toRuns } from '../../../tests/support/thorough.ts';
import type { Git } from '../../core/ports/stores/git.ts';
import { parseVersions } from './file-versions.ts';
import { createProjectGit } from './project-git.ts';

const SCENE = 'game/scene/start.txt';
const FIRST = { skip: 0, limit: 10 };
let folder: string;
let game: string;
let git: Git;

async function put(file: string, text: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.join(game, file)), { recursive: true });
  await writeFile(path.join(game, file), text);
}

async function commit(file: string, text: string | Uint8Array, message: string): Promise<string> {
  await put(file, text);
  runGit(game, 'add', '-A', '--', file);
  runGit(game, 'commit', '-q', '-m', message);
  return runGit(game, 'rev-parse', 'HEAD').trim();
}

async function list(file = SCENE, part = FIRST) {
  const { versions } = await git.versions(file, part);
  return versions.map(({ title, name, change }) => `${change} ${name.replace('game/scene/', '')} ${title}`);
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'webgal-agent-versions-test-'));
  game = path.join(folder, 'games', 'mine');
  await put(SCENE, `${Array.from({ length: 20 }, (_, line) => `A:line ${line};`).join('\n')}\n`);
  commitAll(folder);
  git = createProjectGit({ root: game, environment: { PATH: process.env.PATH, HOME: folder } });
});
afterEach(async () => {
  await git.close();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(!hasGit)('versions of a scene (left out where Git is not installed)', () => {
  test('are the commits that changed it, newest first, with author and first line, and their texts', async () => {
    await commit('game/scene/other.txt', 'x', 'Other');
    const id = await commit(SCENE, '\ufeff:two;\r\n', `Second ${'x'.repeat(500)}\n\nbody`);
    const { versions, isMore, isCut } = await git.versions(SCENE, FIRST);
    expect([isMore, isCut]).toEqual([false, false]);
    expect(versions).toMatchObject([
      { id, author: 'Yuki', name: SCENE, change: 'changed' },
      { title: 'First', name: SCENE, change: 'added' },
    ]);
    expect(versions[0]?.title).toMatch(/^Second x{150,198}\.\.$/);
    expect(Math.abs((versions[0]?.at ?? 0) - Date.now())).toBeLessThan(600_000);
    expect(await git.readVersion(id, SCENE)).toMatchObject({ text: '\ufeff:two;\r\n' });
    expect(await git.readVersion(versions[1]?.id ?? '', SCENE)).toMatchObject({
      text: expect.stringContaining('A:line 7;'),
      title: 'First',
    });
    expect(await git.readVersion(id, 'game/scene/none.txt')).toMatchObject({ text: null });
    await expect(git.readVersion('1'.repeat(40), SCENE)).rejects.toMatchObject({ reason: 'git.versionGone' });
    expect(await list('game/scene/none.txt')).toEqual([]);
  });

  test('are listed a page at a time', async () => {
    for (let at = 1; at <= 5; at += 1) await commit(SCENE, `:${at};\n`, `n${at}`);
    const pages = [await git.versions(SCENE, { skip: 0, limit: 2 }), await git.versions(SCENE, { skip: 2, limit: 10 })];
    expect(pages.map(({ versions, isMore }) => [versions.map(({ title }) => title), isMore])).toEqual([
      [['n5', 'n4'], true],
      [['n3', 'n2', 'n1', 'First'], false],
    ]);
  });

  test('follow a renamed and a removed scene, and a merge that changed it', async () => {
    runGit(game, 'mv', SCENE, 'game/scene/雪 1.txt');
    runGit(game, 'commit', '-q', '-m', 'Renamed');
    const NOW = 'game/scene/雪 1.txt';
    runGit(game, 'checkout', '-q', '-b', 'other');
    await commit(NOW, ':theirs;\n', 'Theirs');
    runGit(game, 'checkout', '-q', 'main');
    await commit(NOW, ':ours;\n', 'Ours');
    expect(() => runGit(game, 'merge', 'other')).toThrow();
    await commit(NOW, ':both;\n', 'Merged');
    runGit(game, 'rm', '-q', NOW);
    runGit(game, 'commit', '-q', '-m', 'Removed');
    const found = await list(NOW);
    expect(found.slice(0, 2)).toEqual(['removed 雪 1.txt Removed', 'changed 雪 1.txt Merged']);
    expect(found.slice(2, 4).sort()).toEqual(['changed 雪 1.txt Ours', 'changed 雪 1.txt Theirs']);
    expect(found.slice(4)).toEqual(['renamed 雪 1.txt Renamed', 'added start.txt First']);
    const { versions } = await git.versions(NOW, FIRST);
    expect(await git.readVersion(versions[0]?.id ?? '', NOW)).toMatchObject({ text: null, title: 'Removed' });
    expect(await git.readVersion(versions.at(-1)?.id ?? '', SCENE)).toMatchObject({
      text: expect.stringContaining('A:line 1;'),
    });
  });

  test('end where the file came from outside of the game or under a name that the app does not use', async () => {
    const line = (name: string, raw = ':100644 100644 a b M') =>
      ['', 'a'.repeat(40), '5', 'Yuki', 'x', '', `\n${raw}`, name].join('\0');
    const good = line('games/mine/a.txt');
    for (const name of [
      'above.txt',
      'games/mine/../x',
      'games/mine/\ufffd.txt',
      'games/mine/a\nb.txt',
      'games/mine/',
    ]) {
      expect(parseVersions(`${good}\0${line(name)}\0${good}`, 'games/mine/'), name).toHaveLength(1);
    }
    // A link, and a repository inside.
    for (const mode of ['120000', '160000']) {
      expect(parseVersions(line('games/mine/a.txt', `:100644 ${mode} a b T`), 'games/mine/')).toEqual([]);
    }
    const time = line('games/mine/a.txt').replace('\x005\0', '\x0099999999999999999\0');
    expect(parseVersions(time, 'games/mine/')).toMatchObject([{ at: 0 }]);
    // A file that is named like a commit, and output that ends anywhere.
    expect(parseVersions(`${line('b'.repeat(40))}\0${good}`, '')).toHaveLength(2);
    for (let end = 0; end < good.length; end += 1) parseVersions(good.slice(0, end), 'games/mine/');
  });

  test('names with special meanings are names', async () => {
    for (const name of ['-n1', '[s]tart.txt', '--output=x', '(top)', '!start.txt']) {
      const file = `game/scene/${name}`;
      await put(file, name);
      runGit(game, '--literal-pathspecs', 'add', '--', file);
      runGit(game, 'commit', '-q', '-m', `made ${name}`);
      expect(await list(file)).toEqual([`added ${name} made ${name}`]);
      expect(await git.readVersion(runGit(game, 'rev-parse', 'HEAD').trim(), file)).toMatchObject({ text: name });
    }
    const before = await readdir(game);
    for (const name of ['--output=x', ':(top,glob)**', ':/']) expect(await list(name)).toEqual([]);
    expect(await readdir(game)).toEqual(before);
  });

  test('texts that must not be restored are refused with their reason', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n';
    const cases = [
      ['versionEncoding', new Uint8Array([0x3a, 0xff, 0xfe])],
      ['versionEncoding', 'a\0b'],
      ['versionTooLarge', 'x'.repeat(2 * 1024 * 1024 + 1)],
      ['versionFiltered', pointer],
    ] as const;
    for (const [reason, content] of cases) {
      const id = await commit(SCENE, content, reason);
      await expect(git.readVersion(id, SCENE)).rejects.toMatchObject({ reason: `git.${reason}` });
    }
    await symlink('start.txt', path.join(game, 'game/scene/link.txt'));
    runGit(game, 'add', '-A');
    runGit(game, 'commit', '-q', '-m', 'link');
    const id = runGit(game, 'rev-parse', 'HEAD').trim();
    for (const name of ['game/scene/link.txt', 'game/scene']) {
      await expect(git.readVersion(id, name)).rejects.toMatchObject({ reason: 'git.versionGone' });
    }
  });

  test('without the objects that names are followed with, those with the present name are listed', async () => {
    await commit(SCENE, ':two;\n', 'Second');
    runGit(folder, 'config', 'uploadpack.allowFilter', 'true');
    runGit(folder, 'clone', '-q', '--filter=blob:none', '--no-checkout', `file://${folder}`, 'partial');
    const partial = path.join(folder, 'partial', 'games', 'mine');
    await mkdir(partial, { recursive: true });
    const other = createProjectGit({ root: partial, environment: { PATH: process.env.PATH, HOME: folder } });
    expect((await other.versions(SCENE, FIRST)).versions.map(({ title }) => title)).toEqual(['Second', 'First']);
    await expect(other.readVersion(runGit(game, 'rev-parse', 'HEAD').trim(), SCENE)).rejects.toMatchObject({
      reason: 'git.unreadable',
    });
    await other.close();
  });
});

describe.skipIf(!hasGit || process.platform === 'win32')(
  'versions in a hostile repository (left out without Git)',
  () => {
    test('run nothing, and a filtered file is refused', async () => {
      await commit('game/scene/filtered.txt', 'x\n', 'Filtered');
      const top = path.join(folder, 'games', 'mine');
      runGit(folder, 'config', 'user.name', 'Yuki');
      const traps = path.join(folder, 'traps');
      await plantTraps(folder, traps);
      await writeFile(path.join(top, '.gitattributes'), '* diff=any\nfiltered.txt filter=any\n');
      spawnSync('mkfifo', [path.join(folder, 'order')]);
      runGit(folder, 'config', 'diff.orderFile', path.join(folder, 'order'));
      runGit(folder, 'config', 'diff.renameLimit', '0');
      runGit(folder, 'config', 'log.diffMerges', 'separate');
      const id = runGit(folder, 'rev-parse', 'HEAD').trim();
      expect(await list()).toEqual(['added start.txt First']);
      expect(await git.readVersion(id, SCENE)).toMatchObject({ text: expect.stringContaining('A:line 1;') });
      await expect(git.readVersion(id, 'game/scene/filtered.txt')).rejects.toMatchObject({
        reason: 'git.versionFiltered',
      });
      // An object that is missing would be fetched.
      await expect(git.readVersion('1'.repeat(40), SCENE)).rejects.toMatchObject({ reason: 'git.versionGone' });
      expect(await readdir(traps)).toEqual([]);
    });

    test('of very many commits take no time of this program, and what was found until the limit is listed', async () => {
      await importCommits(toRuns(100_000));
      let longest = 0;
      let last = performance.now();
      const timer = setInterval(() => {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }, 5);
      const { versions, isMore } = await git.versions(SCENE, { skip: 0, limit: 50 });
      expect([versions.length, isMore]).toEqual([50, true]);
      const all = await git.versions('game/scene/rare.txt', FIRST);
      clearInterval(timer);
      // Either all was looked at, or what was found so far is told to be a part.
      expect(all.isCut ? [1] : [2]).toContain(all.versions.length);
      expect(longest).toBeLessThan(1000);
      const list = async (timeout: number) => {
        const environment = { PATH: process.env.PATH, HOME: folder };
        const limited = createProjectGit({ root: game, environment, limits: { timeout } });
        const cut = await limited
          .versions('game/scene/rare.txt', { skip: 0, limit: 50 })
          .catch((error: unknown) => error);
        await limited.close();
        return cut;
      };
      // A fast machine looks at all of them in a quarter of a second.
      let cut: unknown;
      for (const timeout of [250, 80, 25, 8]) {
        cut = await list(timeout);
        if (cut instanceof Error || (cut as { isCut: boolean }).isCut) break;
      }
      expect(cut).toMatchObject(
        cut instanceof Error ? { code: 'E_TIMEOUT' } : { isCut: true, versions: [{ title: 'rare again' }] },
      );
    }, 120_000);
  },
);

/** Adds commits of the scene, the first and the last but one of `rare.txt`. */
async function importCommits(count: number): Promise<void> {
  const child = spawn('git', ['fast-import', '--quiet', '--force', '--done'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  const lines: string[] = [];
  const add = (at: number, message: string, file: string, from: string) => {
    const body = `:${at};\n`;
    lines.push(
      `commit refs/heads/main\ncommitter Yuki <y@e.invalid> ${1_700_000_000 + at} +0000\ndata ${message.length}\n${message}\n${from}` +
        `M 100644 inline games/mine/${file}\ndata ${body.length}\n${body}\n`,
    );
  };
  add(0, 'rare', 'game/scene/rare.txt', 'from refs/heads/main^0\n');
  for (let at = 1; at < count; at += 1) add(at, `n${at}`, SCENE, '');
  add(count, 'rare again', 'game/scene/rare.txt', '');
  child.stdin.end(`${lines.join('')}done\n`);
  await ended;
}
