import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createSkillFiles } from './skill-files.ts';

let folder = '';
let game = '';
let data = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'skills-'));
  game = path.join(folder, 'story', '.webgal_agent', 'skills');
  data = path.join(folder, 'data');
  await mkdir(game, { recursive: true });
  await mkdir(path.join(data, 'skills'), { recursive: true });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (id = 'one') => createSkillFiles(createAgentFolder(path.join(folder, 'story')), data, id);
const namesOf = async () => (await open().ofGame()).map(({ name }) => name);

test('reads Markdown files of both folders, sorted', async () => {
  await writeFile(path.join(game, 'b.md'), '雨');
  await writeFile(path.join(game, 'A.MD'), 'a');
  await writeFile(path.join(game, 'notes.txt'), 'no');
  await writeFile(path.join(data, 'skills', 'mine.md'), 'mine');
  expect(await open().ofGame()).toEqual([
    { name: 'A.MD', text: 'a' },
    { name: 'b.md', text: '雨' },
  ]);
  expect(await open().ofUser()).toEqual([{ name: 'mine.md', text: 'mine' }]);
});

test('returns nothing where there is no folder', async () => {
  await rm(game, { recursive: true });
  await rm(path.join(data, 'skills'), { recursive: true });
  expect([await open().ofGame(), await open().ofUser()]).toEqual([[], []]);
});

test('leaves out links, folders, files that are too large and files that are not UTF-8', async () => {
  await writeFile(path.join(folder, 'secret.md'), 'secret');
  await symlink(path.join(folder, 'secret.md'), path.join(game, 'link.md'));
  await mkdir(path.join(game, 'folder.md'));
  await writeFile(path.join(game, 'big.md'), 'x'.repeat(16 * 1024 + 1));
  await writeFile(path.join(game, 'bytes.md'), Buffer.from([0xff, 0xfe, 0x00]));
  await writeFile(path.join(game, 'good.md'), 'good');
  expect(await namesOf()).toEqual(['good.md']);
});

test('does not follow a link in place of the folder', async () => {
  await rm(game, { recursive: true });
  await symlink(path.join(data, 'skills'), game, 'junction');
  await writeFile(path.join(data, 'skills', 'mine.md'), 'mine');
  expect(await namesOf()).toEqual([]);
});

test('reads a bounded number of files and bytes of a folder with thousands', async () => {
  await Promise.all(
    Array.from({ length: 3000 }, (_, index) => writeFile(path.join(game, `${index}.md`), 'x'.repeat(9000))),
  );
  const files = await open().ofGame();
  expect(files.length).toBeGreaterThan(0);
  expect(files.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(128 * 1024);
});

test('keeps what was allowed for each game apart, and outside the game', async () => {
  const [one, two] = ['1'.repeat(64), '2'.repeat(64)];
  await open('one').allow([one]);
  await open('one').allow([two]);
  expect(await open('one').allowed()).toEqual(new Set([one, two]));
  expect(await open('two').allowed()).toEqual(new Set());
});

test('asks again when the stored answers are damaged', async () => {
  await open().allow(['1'.repeat(64)]);
  await writeFile(path.join(data, 'allowed-skills', 'one.json'), '[1,"x"');
  expect(await open().allowed()).toEqual(new Set());
  await open().allow(['2'.repeat(64)]);
  expect(await open().allowed()).toEqual(new Set(['2'.repeat(64)]));
});
