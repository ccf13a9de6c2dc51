import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createSessionPictures } from './session-pictures.ts';

const GIF = Buffer.from('GIF89a and so on', 'latin1').toString('base64');

let root = '';
const pictures = () => createSessionPictures(createAgentFolder(root), async () => null);
const folder = () => join(root, '.webgal_agent', 'pictures');

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pictures-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('stores a picture under its hash, once, and reads it back', async () => {
  const { id, type, bytes } = await pictures().add(GIF);
  expect([type, bytes]).toEqual(['image/gif', 16]);
  expect(await pictures().add(GIF)).toEqual({ id, type, bytes });
  expect(await readdir(folder())).toEqual([id]);
  expect(await pictures().read(id)).toEqual({ type: 'image/gif', data: GIF, bytes: 16 });
});

it('creates no folder before something is stored', async () => {
  await expect(pictures().read('0'.repeat(64))).rejects.toMatchObject({ reason: 'picture.gone' });
  expect(await readdir(root)).toEqual([]);
});

it('never takes other bytes for a picture, and stores over them', async () => {
  const { id } = await pictures().add(GIF);
  await writeFile(join(folder(), id), 'GIF89a of the game');
  await expect(pictures().read(id)).rejects.toMatchObject({ reason: 'picture.gone' });
  await pictures().add(GIF);
  expect(await readFile(join(folder(), id), 'latin1')).toBe('GIF89a and so on');
});

it('neither reads nor writes through a link', async () => {
  const { id } = await pictures().add(GIF);
  await rm(folder(), { recursive: true });
  await mkdir(join(root, 'elsewhere'));
  await writeFile(join(root, 'elsewhere', id), Buffer.from(GIF, 'base64'));
  await symlink(join(root, 'elsewhere'), folder());
  await expect(pictures().read(id)).rejects.toMatchObject({ code: 'E_DENY_PATH' });
  await expect(pictures().add(GIF)).rejects.toMatchObject({ code: 'E_DENY_PATH' });
});
