import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../../shared/errors.ts';
import { createProgramFile } from './program-file.ts';

const CHANGE = { title: '改名', drafts: [{ path: 'game/scene/start.txt', base: null, before: null, text: 'end;\n' }] };

let data: string;

beforeEach(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'review-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

test('stores one change per game and removes it', async () => {
  const [one, other] = [
    createProgramFile(path.join(data, 'reviews'), 'one'),
    createProgramFile(path.join(data, 'reviews'), 'other'),
  ];
  expect(await one.read()).toBeNull();
  await one.write(null);
  await one.write({ title: 'earlier' });
  await one.write(CHANGE);
  expect(await one.read()).toEqual(CHANGE);
  expect(await other.read()).toBeNull();
  await one.write(null);
  expect(await one.read()).toBeNull();
  expect(await readdir(path.join(data, 'reviews'))).toEqual([]);
});

test('gives each program with the game open its own file, and a file whose program has ended to the next', async () => {
  const [one, two] = [
    createProgramFile(path.join(data, 'reviews'), 'game'),
    createProgramFile(path.join(data, 'reviews'), 'game'),
  ];
  await one.write(CHANGE);
  expect(await two.read()).toBeNull();
  await two.write({ title: 'second' });
  await two.write({ title: 'third' });
  expect(await one.read()).toEqual(CHANGE);
  await one.close();
  await two.close();

  const [three, four, five] = [1, 2, 3].map(() => createProgramFile(path.join(data, 'reviews'), 'game'));
  expect(await three?.read()).toEqual(CHANGE);
  expect(await four?.read()).toEqual({ title: 'third' });
  expect(await five?.read()).toBeNull();
  await three?.write(null);
  await four?.close();
  expect(await five?.read()).toEqual({ title: 'third' });
  await five?.write(null);
  expect(await readdir(path.join(data, 'reviews'))).toEqual([]);
});

test('passes on what other programs left that have ended, and nothing of those that run', async () => {
  const programs = Array.from({ length: 4 }, () => createProgramFile(path.join(data, 'reviews'), 'game'));
  for (const [at, program] of programs.entries()) await program.write({ title: at });
  const [, , running] = programs;
  for (const program of programs) if (program !== running) await program.close();

  const next = createProgramFile(path.join(data, 'reviews'), 'game');
  expect(await next.read()).toEqual({ title: 0 });
  const passed: unknown[] = [];
  await next.takeOthers(async (value) => {
    passed.push(value);
    return passed.length === 1 ? null : { title: 'waits' };
  });
  expect(passed).toEqual([{ title: 1 }, { title: 3 }]);
  await running?.close();
  await next.takeOthers(async (value) => {
    passed.push(value);
    return value;
  });
  expect(passed.slice(2)).toEqual([{ title: 2 }, { title: 'waits' }]);
  expect(await next.read()).toEqual({ title: 0 });
});

test('passes on what others left although one file cannot be read, and writes beside a file that it leaves', async () => {
  const programs = Array.from({ length: 3 }, () => createProgramFile(path.join(data, 'reviews'), 'game'));
  for (const [at, program] of programs.entries()) await program.write({ title: at });
  for (const program of programs) await program.close();
  const second = path.join(data, 'reviews', 'game.2.json');
  await rm(second);
  await mkdir(second);

  const next = createProgramFile(path.join(data, 'reviews'), 'game');
  expect(await next.read()).toEqual({ title: 0 });
  await next.leave();
  const passed: unknown[] = [];
  const taken = next.takeOthers(async (value) => {
    passed.push(value);
    return value;
  });
  await expect(taken).rejects.toBeInstanceOf(AppError);
  expect(passed).toEqual([{ title: 0 }, { title: 2 }]);
  await next.write({ title: 'own' });
  expect(await readFile(path.join(data, 'reviews', 'game.json'), 'utf8')).toBe('{"title":0}');
  expect(await readFile(path.join(data, 'reviews', 'game.4.json'), 'utf8')).toBe('{"title":"own"}');
});

test('removes at its end what a program left that was killed while it wrote', async () => {
  const file = createProgramFile(path.join(data, 'reviews'), 'game');
  await file.write(CHANGE);
  const left = path.join(data, 'reviews', '.0123456789abcdef01234567.tmp');
  await writeFile(left, '{"tit');
  await utimes(left, 1, 1);
  await file.close();
  expect(await readdir(path.join(data, 'reviews'))).toEqual(['game.json']);
});

test('stores a change beside one that was not read', async () => {
  const left = createProgramFile(path.join(data, 'reviews'), 'game');
  await left.write(CHANGE);
  await left.close();
  const next = createProgramFile(path.join(data, 'reviews'), 'game');
  await next.write({ title: 'new' });
  await next.close();
  const [one, two] = [
    createProgramFile(path.join(data, 'reviews'), 'game'),
    createProgramFile(path.join(data, 'reviews'), 'game'),
  ];
  expect([await one.read(), await two.read()]).toEqual([CHANGE, { title: 'new' }]);
});

test('gives up when all files are held', async () => {
  const programs = Array.from({ length: 17 }, () => createProgramFile(path.join(data, 'reviews'), 'game'));
  for (const program of programs.slice(0, 16)) await program.write(CHANGE);
  await expect(programs[16]?.write(CHANGE)).rejects.toMatchObject({ code: 'E_CONFLICT' });
});

test('keeps the order of writes that are not awaited', async () => {
  const file = createProgramFile(path.join(data, 'reviews'), 'game');
  await Promise.all([file.write({ title: 'first' }), file.write(null), file.write(CHANGE)]);
  expect(await file.read()).toEqual(CHANGE);
});

test('returns the text of a damaged file, and rejects one that is a link', async () => {
  const file = createProgramFile(path.join(data, 'reviews'), 'game');
  const place = path.join(data, 'reviews', 'game.json');
  await mkdir(path.dirname(place));
  await writeFile(place, '{"title": "cut');
  expect(await file.read()).toBe('{"title": "cut');
  await rm(place);
  await symlink('/etc/passwd', place);
  await expect(file.read()).rejects.toMatchObject({ code: 'E_DENY_PATH' });
  await file.write(CHANGE);
  expect(await readlink(place)).toBe('/etc/passwd');
});

test('rejects with E_IO if the folder cannot be written', async () => {
  await writeFile(path.join(data, 'reviews'), '');
  await expect(createProgramFile(path.join(data, 'reviews'), 'game').write(CHANGE)).rejects.toMatchObject({
    code: 'E_IO',
  });
});
