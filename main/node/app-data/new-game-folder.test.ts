import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isEmptyFolder, writeNewGame } from './new-game-folder.ts';

let folder: string;
const files = [{ path: 'game/scene/start.txt', text: 'end;\n' }];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'new-game-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('writes a game and leaves no other file', async () => {
  await writeFile(join(folder, '.DS_Store'), '');
  await writeNewGame(folder, files);
  expect(await readFile(join(folder, 'game/scene/start.txt'), 'utf8')).toBe('end;\n');
  expect((await readdir(folder)).sort()).toEqual(['.DS_Store', 'game']);
});

it('refuses a folder that is not empty, and does not change it', async () => {
  await mkdir(join(folder, 'photos'));
  expect([await isEmptyFolder(folder), await isEmptyFolder(join(folder, 'photos'))]).toEqual([false, true]);
  await expect(writeNewGame(folder, files)).rejects.toMatchObject({ reason: 'project.notEmpty' });
  expect(await readdir(folder)).toEqual(['photos']);
});
