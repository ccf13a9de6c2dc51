import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toPng } from '../../../tests/support/games/png-file.ts';
import { createAssetStore, describeAssetBytes } from '../assets/asset-store.ts';
import { toVersion } from '../files/strict-text.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createPathResolver } from '../project-fs/path-resolver.ts';
import { takeBackEntry } from './journal-entry.ts';

const [BEFORE, AFTER] = [toPng(2, 1), toPng(1, 2)];
const NAME = 'game/figure/aki.png';
const ENTRY = {
  ...{ path: NAME, text: describeAssetBytes(BEFORE), before: toVersion(BEFORE), after: toVersion(AFTER) },
  ...{ bytes: AFTER.length, mode: null, temp: null, stamp: null },
};

let root = '';
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'take-back-'));
  await mkdir(path.join(root, 'game/figure'), { recursive: true });
  await writeFile(path.join(root, NAME), AFTER);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const takeBack = async () => {
  const folder = createAgentFolder(root);
  await takeBackEntry({ resolver: createPathResolver(root), folder }, ENTRY);
  return readFile(path.join(root, NAME));
};

it('restores a picture that a transaction replaced', async () => {
  await createAssetStore(createAgentFolder(root)).keep([BEFORE]);
  expect(await takeBack()).toEqual(BEFORE);
});

it('leaves the new picture, and blocks no later write, where somebody deleted the kept one', async () => {
  expect(await takeBack()).toEqual(AFTER);
});
