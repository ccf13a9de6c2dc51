import { expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { Asset } from '../../../shared/model/asset/asset.ts';
import { collectAssets } from './collect-assets.ts';

const fileOf = (name: string) => new File([name], name);
const files = ['a.png', 'b.png', 'c.png', 'd.png'].map(fileOf);
const names = (list: readonly File[]) => list.map(({ name }) => name);

/** `fault`: the reason with which the app refuses the file of a name. */
const collect = (options: {
  list?: File[];
  taken?: string[];
  faults?: Record<string, string>;
  goesOn?: () => boolean;
}) =>
  collectAssets(options.list ?? files, {
    keep: async ({ name }) => {
      const reason = options.faults?.[name];
      if (reason !== undefined) throw new AppError('E_TOO_LARGE', 'No.', { reason });
      return { id: `id of ${name}`, type: 'image/png', bytes: 1, width: 2, height: 1 } as Asset;
    },
    goesOn: options.goesOn ?? (() => true),
    shown: 'background',
    taken: options.taken ?? [],
  });

it('goes on after a file that cannot be added', async () => {
  const { added, failed, left } = await collect({ faults: { 'b.png': 'asset.pixels' } });
  expect(added.map(({ path }) => path)).toEqual(['a', 'c', 'd'].map((name) => `game/background/${name}.png`));
  expect(names(failed.map(({ file }) => file))).toEqual(['b.png']);
  expect(left).toEqual([]);
});

it('stops where there is no more room, and keeps what was added before', async () => {
  const { added, failed, left } = await collect({ faults: { 'c.png': 'asset.full' } });
  expect(added.map(({ id }) => id)).toEqual(['id of a.png', 'id of b.png']);
  expect(failed).toEqual([]);
  expect(names(left)).toEqual(['c.png', 'd.png']);
});

it('tells the fault of a first file that finds no room', async () => {
  const { added, failed } = await collect({ faults: { 'a.png': 'asset.full' } });
  expect(added).toHaveLength(3);
  expect(names(failed.map(({ file }) => file))).toEqual(['a.png']);
});

it('gives each file a path of its own, also in another case', async () => {
  const list = ['A.png', 'a.png', 'sea.png'].map(fileOf);
  const { added } = await collect({ list, taken: ['game/background/SEA.png'] });
  expect(added.map(({ path }) => path.slice('game/background/'.length))).toEqual(['A.png', 'a_2.png', 'sea_2.png']);
});

it('ends when its game is closed', async () => {
  let asked = 0;
  const { added } = await collect({ goesOn: () => ++asked < 3 });
  expect(added).toHaveLength(2);
});
