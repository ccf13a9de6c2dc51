import { mkdir, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import { createBulkReader } from './bulk-reader.ts';
import { createPathResolver } from './path-resolver.ts';

let game: ProjectFolder | undefined;
let outside: string | undefined;
afterEach(async () => {
  await game?.dispose();
  if (outside) await rm(outside, { recursive: true, force: true });
});

/** Reads with a clock that stands still, so that a busy machine does not count as a slow disk. */
const readTexts = (paths: readonly string[], now = () => 0) =>
  createBulkReader(createPathResolver(game?.root ?? ''), now)(paths);
const readEach = (paths: readonly string[]) =>
  Promise.all(
    paths.map((one) =>
      game?.reader.read(one).then(
        ({ text, bytes }) => ({ text, bytes }),
        () => null,
      ),
    ),
  );

it('returns the texts that single reads return, byte order mark and line endings included', async () => {
  const names = fc.constantFrom('a.txt', 'b.txt', 'sub/c.txt', 'sub/deep/d.txt', '雨夜/e.txt');
  const contents = fc.constantFrom('', 'end;', '\uFEFF雪乃:早安;\r\n', '🌸\u2028', 'x'.repeat(2_000));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(names, contents, { minKeys: 1, noNullPrototype: true }), async (files) => {
      await game?.dispose();
      game = await createProjectFolder(
        Object.fromEntries(Object.entries(files).map(([name, text]) => [`game/scene/${name}`, text])),
      );
      const paths = Object.keys(files).map((name) => `game/scene/${name}`);
      expect(await readTexts(paths)).toEqual(await readEach(paths));
    }),
    { numRuns: 20 },
  );
});

it('leaves to single reads what they reject or decide', async () => {
  outside = await mkdtemp(path.join(tmpdir(), 'outside-'));
  game = await createProjectFolder({
    'game/scene/one.txt': 'end;',
    'game/scene/bytes.txt': new Uint8Array([0xff, 0xfe, 0x41]),
    'game/scene/large.txt': 'x'.repeat(300 * 1024),
    'game/scene/closed/two.txt': 'end;',
    '.git/config': '[core]',
  });
  const scenes = path.join(game.root, 'game', 'scene');
  await symlink(path.join(scenes, 'one.txt'), path.join(scenes, 'link.txt'));
  await symlink(outside, path.join(scenes, 'out'));
  const paths = [
    ...['bytes.txt', 'large.txt', 'link.txt', 'out/secret.txt', 'gone.txt', '', '../one.txt'].map(
      (name) => `game/scene/${name}`,
    ),
    ...['.git/config', '/etc/passwd', './game/scene/one.txt', 'game/scene'],
  ];
  expect(await readTexts(paths)).toEqual(paths.map(() => null));
  expect(await readTexts(['game/scene/bytes.txt', 'game/scene/one.txt'])).toEqual([null, { text: 'end;', bytes: 4 }]);
});

it('does not follow a folder that became a link', async () => {
  outside = await mkdtemp(path.join(tmpdir(), 'outside-'));
  game = await createProjectFolder({ 'game/scene/sub/one.txt': 'inside' });
  const folder = path.join(game.root, 'game', 'scene', 'sub');
  await rename(folder, path.join(outside, 'sub'));
  await symlink(path.join(outside, 'sub'), folder);
  expect(await readTexts(['game/scene/sub/one.txt'])).toEqual([null]);
  await rm(folder);
  await mkdir(folder);
  expect(await readTexts(['game/scene/sub/one.txt'])).toEqual([null]);
});

it('stops blocking once the disk is slow', async () => {
  game = await createProjectFolder({ 'game/scene/a.txt': 'a', 'game/scene/b.txt': 'b', 'game/scene/c.txt': 'c' });
  let time = 0;
  const slow = () => {
    time += time < 3 ? 1 : 10;
    return time;
  };
  const found = await readTexts(
    ['a', 'b', 'c'].map((name) => `game/scene/${name}.txt`),
    slow,
  );
  expect(found.map((file) => file?.text ?? null)).toEqual(['a', 'b', null]);
});
