import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKeptRunFile } from './kept-run-file.ts';

const PARTS = ['1.0.0', 'game/scene/start.txt', 'end;'];
const RUN = { steps: 3 };

let data = '';

beforeEach(async () => {
  data = await mkdtemp(path.join(tmpdir(), 'kept-run-'));
});

afterEach(() => rm(data, { recursive: true, force: true }));

it('stores a run for its texts, and removes it', async () => {
  const file = createKeptRunFile(data, 'game');
  expect(await file.keep(PARTS, RUN)).toBe(true);
  expect(await file.read(PARTS)).toEqual({ run: RUN, isSame: true });
  expect(await file.read([...PARTS, 'more'])).toMatchObject({ isSame: false });
  expect(await file.keep(PARTS, null)).toBe(false);
  expect(await readdir(path.join(data, 'playtests'))).toEqual([]);
});

it.each([
  ['than is read', 130],
  ['than any text', 600],
])('keeps what is stored where another run is larger %s', { timeout: 60_000 }, async (_than, count) => {
  const file = createKeptRunFile(data, 'game');
  await file.keep(PARTS, RUN);
  const large = Array<string>(count).fill('x'.repeat(1024 * 1024));
  expect(await file.keep(PARTS, large)).toBe(false);
  expect(await file.read(PARTS)).toEqual({ run: RUN, isSame: true });
});

it('does not put together a text that would be too large', async () => {
  let isAsked = false;
  const last = {
    toJSON: () => {
      isAsked = true;
      return '';
    },
  };
  const large = [...Array<string>(130).fill('x'.repeat(1024 * 1024)), last];
  expect([await createKeptRunFile(data, 'game').keep(PARTS, large), isAsked]).toEqual([false, false]);
});
