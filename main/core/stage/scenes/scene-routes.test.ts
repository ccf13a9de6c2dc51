import { expect, it } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { scanScene } from '../../../../shared/script/syntax/scan.ts';
import { createSceneRoutes } from './scene-routes.ts';
import type { SceneTexts } from './scene-texts.ts';

/** Routes over texts of scenes, by their name in the scene folder; `drafts` are not on the disk. */
function routes(files: Record<string, string[]>, drafts: Record<string, string[]> = {}) {
  const toPath = (name: string) => `game/scene/${name}.txt`;
  const reads: string[] = [];
  const texts: SceneTexts = {
    overlay: () => new Map(Object.entries(drafts).map(([name, lines]) => [toPath(name), lines.join('\n')])),
    async read(path) {
      reads.push(path);
      const name = path.slice('game/scene/'.length, -'.txt'.length);
      const lines = drafts[name] ?? files[name];
      if (!lines) throw new AppError('E_NOT_FOUND', 'There is no such scene.');
      return lines.join('\n');
    },
    statements: async () => scanScene(''),
    list: async () => Object.keys(files).map(toPath),
  };
  const found = createSceneRoutes(texts);
  const find = async (name: string, entry?: string) => {
    const { scenes, ...route } = await found.find(toPath(name), 'saved', entry && toPath(entry));
    return { ...route, scenes: scenes.map(({ path, ...way }) => ({ name: path.slice(11, -4), ...way })) };
  };
  return { find, forget: (name: string) => found.forget([toPath(name)]), reads };
}

const GAME = {
  start: ['A:hi;', 'choose:Left:left.txt|Right:right.txt;'],
  left: ['A:left;', 'changeScene:end.txt;'],
  right: ['A:right;', 'end;', 'changeScene:lost.txt;', 'label:x;', 'callScene:end.txt;'],
  end: ['A:end;', 'changeScene:start.txt;'],
};

it('finds the scenes before one, with the statement and the option by which each is left', async () => {
  const { find } = routes(GAME);
  expect(await find('end')).toEqual({
    scenes: [
      { name: 'start', at: 1, option: 0 },
      { name: 'left', at: 1 },
    ],
    // The line of the other scene that calls it is never reached.
    entries: ['game/scene/left.txt'],
    failure: null,
  });
  expect(await find('start')).toEqual({ scenes: [], entries: [], failure: null });
});

it('comes from the scene that was chosen', async () => {
  const { find } = routes({ ...GAME, right: ['callScene:end.txt;'] });
  expect((await find('end')).scenes.map(({ name }) => name)).toEqual(['start', 'left']);
  const chosen = await find('end', 'right');
  expect(chosen.scenes).toEqual([
    { name: 'start', at: 1, option: 1 },
    { name: 'right', at: 0 },
  ]);
  expect(chosen.entries).toHaveLength(2);
  expect((await find('end', 'gone')).scenes.map(({ name }) => name)).toEqual(['start', 'left']);
});

it('says that nothing leads to a scene, also where only a dead line does', async () => {
  const { find } = routes(GAME);
  expect(await find('lost')).toEqual({ scenes: [], entries: [], failure: 'scene' });
  expect((await routes({ start: ['changeScene:gone.txt;'] }).find('other')).failure).toBe('scene');
});

it('reads a scene once until it changes on the disk, and drafts as they are', async () => {
  const files: Record<string, string[]> = { ...GAME };
  const drafts: Record<string, string[]> = {};
  const { find, forget, reads } = routes(files, drafts);
  await find('lost');
  const count = reads.length;
  await find('lost');
  expect(reads).toHaveLength(count);
  files.right = ['changeScene:lost.txt;'];
  forget('right');
  expect((await find('lost')).scenes.map(({ name }) => name)).toEqual(['start', 'right']);
  drafts.right = ['end;'];
  expect((await find('lost')).failure).toBe('scene');
  delete drafts.right;
  expect((await find('lost')).failure).toBeNull();
});

it('gives the search up where too many scenes lie before', async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [at === 0 ? 'start' : `s${at}`, [`changeScene:s${at + 1}.txt;`]]),
  );
  expect((await routes(chain).find('s300')).failure).toBeNull();
  expect((await routes(chain).find('s599')).failure).toBe('far');
});
