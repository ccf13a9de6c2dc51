import { rm } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../../../tests/support/games/project-folder.ts';
import { createReader } from '../../../node/project-fs/project-files.ts';
import { createProjectTree } from '../../../node/project-fs/project-tree.ts';
import { createOverlay } from '../../proposal/overlay.ts';
import { refuseCaseTwins } from './refuse-case-twins.ts';

let game: ProjectFolder | undefined;
let close: (() => void) | undefined;
afterEach(async () => {
  close?.();
  await game?.dispose();
});

async function start() {
  game = await createProjectFolder({ 'game/scene/start.txt': 'end;', 'game/config.txt': '' });
  const tree = createProjectTree(game.root);
  close = tree.close;
  return { game, reader: createReader(game.root, { tree }) };
}

const file = fc
  .tuple(
    fc.constantFrom('game/scene', 'game/Scene', 'game/scene/sub', 'game/scene/SUB'),
    fc.constantFrom('a', 'A', 'b'),
  )
  .map(([folder, name]) => `${folder}/${name}.txt`);
const step = fc.tuple(fc.constantFrom('put', 'remove', 'draft', 'hide', 'lift'), file);

it('finds the same twins as a new listing, with drafts and external changes', async () => {
  const { game, reader } = await start();
  const overlay = createOverlay(reader);
  const isRefused = (one: Parameters<typeof refuseCaseTwins>[0], at: string) =>
    refuseCaseTwins(one, at).then(
      () => false,
      () => true,
    );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.array(step, { maxLength: 3 }), file), { maxLength: 5 }), async (rounds) => {
      for (const [steps, asked] of rounds) {
        for (const [kind, at] of steps) {
          if (kind === 'put') await game.put(at, 'x');
          else if (kind === 'remove') await rm(path.join(game.root, at), { force: true });
          else if (kind === 'lift') overlay.remove(at);
          else await overlay.set(at, kind === 'draft' ? 'x' : null);
        }
        const { changes: _, ...anew } = overlay.reader;
        const twin = await isRefused(overlay.reader, asked);
        // Empty folders are ignored, because nothing in them can be overwritten.
        if (twin) expect(await isRefused(anew, asked)).toBe(true);
        else {
          const listed = (await anew.list('game', { recursive: true })).filter((one) => !one.isDirectory);
          const paths = listed.flatMap((one) =>
            one.path.split('/').map((_, at, all) => all.slice(0, at + 1).join('/')),
          );
          const own = asked.split('/').map((_, at, all) => all.slice(0, at + 1).join('/'));
          expect(
            own.filter((one) => paths.some((other) => other !== one && other.toLowerCase() === one.toLowerCase())),
          ).toEqual([]);
        }
      }
      overlay.clear();
      await rm(path.join(game.root, 'game/Scene'), { recursive: true, force: true });
    }),
    { numRuns: 60, interruptAfterTimeLimit: 30_000 },
  );
}, 60_000);

it('lists no folder of the game after the first new file', async () => {
  const { reader } = await start();
  const listed: string[] = [];
  const overlay = createOverlay({
    ...reader,
    list: (folder, options) => {
      listed.push(folder);
      return reader.list(folder, options);
    },
  });
  await refuseCaseTwins(overlay.reader, 'game/scene/one.txt');
  await overlay.set('game/scene/one.txt', 'x');
  listed.length = 0;
  for (let count = 0; count < 20; count += 1) {
    await refuseCaseTwins(overlay.reader, `game/scene/new${count}.txt`);
    await overlay.set(`game/scene/new${count}.txt`, 'x');
  }
  expect(listed.filter((folder) => folder !== '.')).toEqual([]);
  await expect(refuseCaseTwins(overlay.reader, 'game/scene/NEW3.txt')).rejects.toMatchObject({ reason: 'path.twin' });
});
