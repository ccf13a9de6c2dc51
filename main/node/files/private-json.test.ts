import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createPrivateJson } from './private-json.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'private-json-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = () => createPrivateJson(folder, 'list.json', (stored) => z.array(z.string()).parse(stored ?? []));

test('keeps a value for its user only, and parses it once', async () => {
  const file = open();
  expect(await file.read()).toEqual([]);
  await file.change((list) => [...list, 'a']);
  expect(await file.read()).toBe(await file.read());
  expect(await open().read()).toEqual(['a']);
  if (process.platform !== 'win32') expect((await stat(path.join(folder, 'list.json'))).mode & 0o777).toBe(0o600);
});

test('sees what another window stored before it changes the value', async () => {
  const windows = [open(), open()];
  for (let n = 0; n < 10; n += 1) await windows[n % 2]?.change((list) => [...list, String(n)]);
  expect(await open().read()).toHaveLength(10);
  const [one] = windows;
  await Promise.all(['x', 'y', 'z'].map((name) => one?.change((list) => [...list, name])));
  expect((await open().read()).slice(-3)).toEqual(['x', 'y', 'z']);
});

test.each(['', '{', '{"a":1}', '[1]'])('begins anew where %j is stored', async (text) => {
  await writeFile(path.join(folder, 'list.json'), text);
  const file = open();
  expect(await file.read()).toEqual([]);
  await file.change(() => ['a']);
  expect(await file.read()).toEqual(['a']);
});

test('stores nothing if a change throws, and goes on', async () => {
  const file = open();
  await file.change(() => ['a']);
  await expect(
    file.change(() => {
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  await file.change((list) => [...list, 'b']);
  expect(JSON.parse(await readFile(path.join(folder, 'list.json'), 'utf8'))).toEqual(['a', 'b']);
});

test.skipIf(process.platform === 'win32')('does not follow a link (links need rights on Windows)', async () => {
  await writeFile(path.join(folder, 'other'), '["a"]');
  await symlink('other', path.join(folder, 'list.json'));
  await expect(open().read()).rejects.toMatchObject({ code: expect.stringMatching(/^E_/) });
});
