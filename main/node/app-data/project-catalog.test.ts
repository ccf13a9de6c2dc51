import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { CLOSED_DRIVER } from '../../../tests/support/closed-driver.ts';
import type { StageLink } from '../../core/ports/stage-link.ts';
import { createPlaytestPorts } from '../playtest/playtest-ports.ts';
import { createMatcher } from '../search/matcher.ts';
import { createProjects } from './project-catalog.ts';

let home = '';
let sample = '';
const closed: string[] = [];

beforeEach(async () => {
  const top = await realpath(await mkdtemp(path.join(tmpdir(), 'catalog-')));
  home = path.join(top, 'yuki');
  sample = path.join(top, 'sample-game');
  await put(sample, 'game/config.txt', 'Game_name:雨停之前;\n');
  await put(sample, 'game/scene/start.txt', ':雨;\n');
  await mkdir(home);
  closed.length = 0;
});
afterEach(() => rm(path.dirname(home), { recursive: true, force: true }));

async function put(folder: string, file: string, content = ''): Promise<string> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), content);
  return folder;
}

const at = (...names: string[]) => path.join(home, ...names);

/** Creates a stub; the engine's link has tests of its own. Here it only has to be created and closed with the game. */
function createStageLink({ root }: { root: string }): StageLink & { close(): Promise<void> } {
  return {
    start: async () => ({ url: root }),
    setOverlay: () => undefined,
    serveEngine: () => undefined,
    jump: () => 0,
    hasAsked: () => false,
    reloadStyles: async () => false,
    reload: () => undefined,
    move: () => Promise.reject(new Error('Nothing moves here.')),
    on: () => () => undefined,
    driver: CLOSED_DRIVER,
    close: async () => {
      closed.push(root);
    },
  };
}

const open = () =>
  createProjects({
    folders: { data: at('.config'), home, documents: at('WebGAL Agent') },
    sample,
    createStageLink,
    createPlaytest: ({ root }) =>
      createPlaytestPorts({ root, engineDirectory: at('no-engine'), environment: {}, locale: () => 'en' }),
    matcher: createMatcher(),
  });

async function errorOf(promise: Promise<unknown>): Promise<{ code: string; reason: unknown; details: unknown }> {
  const error = await promise.catch((caught: unknown) => caught);
  if (!(error instanceof AppError)) throw new Error('no AppError', { cause: error });
  return { code: error.code, reason: error.reason, details: error.details };
}

async function projectOf(folder: string) {
  const located = await open().locate(folder);
  if (located.status !== 'game') throw new Error('several games');
  const workspace = await open().open(located.folder);
  await workspace.close();
  const { id: _id, ...project } = workspace.project;
  return { ...project, root: path.relative(home, closed.at(-1) ?? ''), top: await workspace.reader.list('.') };
}
const tops = (project: { top: { path: string }[] }) => project.top.map((entry) => entry.path);

it('opens a renamed game with its kept states, under another id', async () => {
  const folder = await put(at('My Game'), 'game/scene/start.txt', ':hi;');
  const before = await open().open(folder);
  const limits = { automatic: 5, bytes: 1e9 };
  await before.checkpoints.create({ name: 'Rain', cause: 'user', limits }, { signal: new AbortController().signal });
  await before.close();
  await rename(folder, at('Renamed'));
  const after = await open().open(at('Renamed'));
  expect((await after.checkpoints.list()).checkpoints).toMatchObject([{ name: 'Rain', files: 1 }]);
  expect(after.project.id).not.toBe(before.project.id);
  await after.close();
});

describe('a game is found', () => {
  it('in the folder that contains game', async () => {
    await put(at('My Game'), 'game/config.txt', '\uFEFFGame_key:x;\r\nGame_name: 海边的约会 -x=1;备注\r\n');
    await put(at('My Game'), 'webgal-engine.json', '{"webgalVersion":"4.6.1"}');
    expect(await projectOf(at('My Game'))).toMatchObject({
      folder: 'My Game',
      title: '海边的约会',
      shape: 'game',
      engineVersion: '4.6.1',
      root: 'My Game',
    });
  });

  it('in game itself; files around it are left out unless they belong to the game', async () => {
    await put(at('a'), 'game/scene/start.txt');
    expect(await projectOf(at('a/game'))).toMatchObject({
      folder: 'a',
      title: 'a',
      engineVersion: '4.5.18',
      root: 'a',
    });
    await put(at('b'), 'game/config.txt');
    await put(at('b'), 'diary.txt', 'dear diary');
    expect(tops(await projectOf(at('b/game')))).toEqual(['game']);
    await put(at('b'), 'index.html');
    expect(tops(await projectOf(at('b/game')))).toEqual(['diary.txt', 'game', 'index.html']);
    await put(home, 'game/config.txt');
    expect(tops(await projectOf(at('game')))).toEqual(['game']);
  });

  it('in an export, a Terre game, the public folder of the engine and its repository', async () => {
    await put(at('out'), 'index.html');
    await put(at('out'), 'game/config.txt');
    expect(await projectOf(at('out'))).toMatchObject({ shape: 'export' });
    const engine = at('engine/packages/webgal');
    await put(engine, 'package.json', '{}');
    await put(engine, 'public/game/config.txt');
    const found = { folder: 'public', shape: 'engine', root: 'engine/packages/webgal/public' };
    expect(await projectOf(path.join(engine, 'public'))).toMatchObject(found);
    expect(await projectOf(engine)).toMatchObject(found);
    expect(await projectOf(at('engine'))).toMatchObject(found);
    await put(at('terre/games/一'), 'game/config.txt');
    expect(await projectOf(at('terre'))).toMatchObject({ folder: '一', shape: 'terre' });
    await put(at('terre/games/二'), 'game/scene/start.txt');
    await put(at('terre/games/not a game'), 'readme.txt');
    const games = [
      { folder: at('terre/games/一'), name: '一' },
      { folder: at('terre/games/二'), name: '二' },
    ];
    expect(await open().locate(at('terre'))).toEqual({ status: 'choose', games });
    expect(await open().locate(at('terre/games'))).toEqual({ status: 'choose', games });
  });
});

describe('no game is found', () => {
  it('and the error lists the searched places without a path of the machine', async () => {
    await put(at('novel'), 'chapter.docx');
    const error = await errorOf(open().locate(at('novel')));
    expect(error).toEqual({
      code: 'E_NOT_FOUND',
      reason: 'project.noGame',
      details: {
        folder: 'novel',
        looked: [
          'game/config.txt',
          'game/scene',
          'config.txt',
          'scene',
          'games/*/game',
          'public/game',
          'packages/webgal/public/game',
        ],
      },
    });
    expect((await errorOf(open().locate(at('nowhere')))).reason).toBe('project.gone');
    await symlink('loop', at('loop'));
    expect((await errorOf(open().locate(at('loop')))).reason).toBe('path.link');
    expect((await errorOf(open().locate(at('x'.repeat(5000))))).reason).toBe('file.nameTooLong');
    expect((await errorOf(open().open(at('novel')))).reason).toBe('project.noGame');
  });

  it('in the content of one under another name, and the error says to rename it', async () => {
    await put(at('Fomalhaut'), 'config.txt');
    await mkdir(path.join(at('Fomalhaut'), 'scene'));
    const error = await errorOf(open().locate(at('Fomalhaut')));
    expect([error.reason, error.details]).toEqual(['project.gameRenamed', { folder: 'Fomalhaut' }]);
  });

  it('in a folder that holds all files of the user', async () => {
    await put(at('Desktop'), 'game/config.txt');
    await put(home, 'game/config.txt');
    for (const folder of [home, at('Desktop'), '/', path.dirname(home)]) {
      expect((await errorOf(open().locate(folder))).reason).toBe('project.tooBroad');
    }
  });
});

describe('recent games', () => {
  it('have stable ids, and leave out missing games', async () => {
    for (const name of ['one', 'two']) {
      await put(at('games of mine', name), 'game/config.txt', `Game_name:${name};`);
      await (await open().open(at('games of mine', name))).close();
    }
    const projects = open();
    const recents = await projects.recents();
    expect(recents).toEqual([
      {
        id: projects.identify(at('games of mine/two')),
        title: 'two',
        place: 'games of mine',
        openedAt: expect.any(Number),
      },
      {
        id: projects.identify(at('games of mine/one')),
        title: 'one',
        place: 'games of mine',
        openedAt: expect.any(Number),
      },
    ]);
    expect(JSON.stringify(recents)).not.toContain(home);
    const id = recents[1]?.id ?? '';
    expect(await open().resolve(id)).toBe(at('games of mine/one'));
    await rm(at('games of mine/two'), { recursive: true });
    expect((await projects.recents()).map((recent) => recent.title)).toEqual(['one']);
    await projects.forgetRecent(id);
    expect(await open().recents()).toEqual([]);
    expect((await errorOf(open().resolve(id))).reason).toBe('project.gone');
  });

  it('survive a broken list', async () => {
    await put(at('.config'), 'recent.json', '[{"folder":1},');
    expect(await open().recents()).toEqual([]);
    await (await open().open(sample)).close();
    expect((await open().recents()).map((recent) => recent.title)).toEqual(['雨停之前']);
  });
});

describe('the folder chooser', () => {
  it('starts at home, shows folders, marks games, and accepts only ids that it issued', async () => {
    await put(at('Novels/My Game'), 'game/config.txt');
    await put(at('.hidden'), 'x');
    await put(home, 'file.txt');
    await symlink(at('Novels'), at('link'));
    await symlink(at('nowhere'), at('broken'));
    const projects = open();
    const start = await projects.browse();
    expect(start.entries.map(({ name, isGame }) => ({ name, isGame }))).toEqual([
      { name: 'link', isGame: false },
      { name: 'Novels', isGame: false },
    ]);
    expect(start.trail.at(-1)).toEqual({ id: start.id, name: 'yuki' });
    const novels = await projects.browse({ id: start.entries[1]?.id });
    expect(novels).toMatchObject({ isGame: false, entries: [{ name: 'My Game', isGame: true }] });
    expect(novels.trail.map((step) => step.name).slice(1)).toEqual(['yuki', 'Novels']);
    expect(await projects.resolve(novels.entries[0]?.id ?? '')).toBe(at('Novels/My Game'));
    expect(await projects.browse({ id: start.trail[0]?.id })).toMatchObject({
      entries: expect.arrayContaining([{ id: start.id, name: 'yuki', isGame: false }]),
    });
    expect((await errorOf(projects.browse({ id: home }))).code).toBe('E_NOT_FOUND');
    expect((await errorOf(open().browse({ id: novels.id }))).code).toBe('E_NOT_FOUND');
    expect(JSON.stringify([start, novels])).not.toContain(home);
  });

  it('says how many of very many folders it left out, and finds each by a part of its name', async () => {
    await Promise.all(Array.from({ length: 2010 }, (_, index) => mkdir(at(`Novel ${index + 1}`), { recursive: true })));
    await put(at('Novel 2010'), 'game/config.txt');
    const projects = open();
    const all = await projects.browse();
    expect(all.entries).toHaveLength(2000);
    expect(all.entries.at(-1)?.name).toBe('Novel 2000');
    expect(all.omitted).toBe(10);
    const found = await projects.browse({ contains: 'nOVEL 201' });
    expect(found.omitted).toBe(0);
    expect(found.entries.map(({ name }) => name)).toEqual(['Novel 201', 'Novel 2010']);
    expect(found.entries.at(-1)?.isGame).toBe(true);
    expect((await projects.browse({ contains: 'nothing' })).entries).toEqual([]);
  });
});

describe('the sample', () => {
  it('is copied once, completely, and never over a changed copy', async () => {
    await chmod(path.join(sample, 'game/config.txt'), 0o444);
    const projects = open();
    const copy = await projects.sample({ fresh: false });
    expect(path.dirname(copy)).toBe(at('WebGAL Agent'));
    expect((await readdir(copy, { recursive: true })).sort()).toEqual([
      'game',
      'game/config.txt',
      'game/scene',
      'game/scene/start.txt',
    ]);
    expect((await stat(path.join(copy, 'game/config.txt'))).mode & 0o200).toBe(0o200);
    await put(copy, 'game/scene/start.txt', 'user text');
    expect(await projects.sample({ fresh: false })).toBe(copy);
    expect(await readFile(path.join(copy, 'game/scene/start.txt'), 'utf8')).toBe('user text');
    const second = await projects.sample({ fresh: true });
    expect(second).toBe(`${copy} 2`);
    await rm(copy, { recursive: true });
    expect(await projects.sample({ fresh: false })).toBe(copy);
    expect((await readdir(at('WebGAL Agent'))).sort()).toEqual(['Before the Rain Stops', 'Before the Rain Stops 2']);
  });
});

describe('an open game', () => {
  it('reads, writes, logs and watches, and creates no file before something is stored', async () => {
    const folder = await open().sample({ fresh: false });
    const workspace = await open().open(folder);
    expect(await readdir(folder)).toEqual(['game']);
    const heard: string[] = [];
    const stop = workspace.watch((paths) => heard.push(...paths));
    const { version } = await workspace.reader.read('game/scene/start.txt');
    await workspace.writer.apply([{ path: 'game/scene/start.txt', text: ':停;\n', base: version }], {
      origin: 'agent',
      group: 'turn',
      title: '停',
    });
    await expect.poll(() => heard).toEqual(['game/scene/start.txt']);
    expect((await workspace.snapshots.list()).map((snapshot) => snapshot.path)).toEqual(['game/scene/start.txt']);
    await workspace.sessions.open('s1').append({ v: 1 }, true);
    await workspace.audit.append({ v: 1 }, true);
    expect((await workspace.sessions.list()).map((session) => session.session)).toEqual(['s1']);
    // The transaction log follows the write in the background.
    await expect
      .poll(async () => (await readdir(path.join(folder, '.webgal_agent'))).sort())
      .toEqual([
        ...['.gitignore', 'audit.jsonl', 'journal', 'sessions', 'snapshots', 'tmp'],
        ...['transactions', 'transactions.log'],
      ]);
    stop();
    await workspace.close();
    expect(closed).toEqual([folder]);
  });
});
