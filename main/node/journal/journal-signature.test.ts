import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJournalSignature } from './journal-signature.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'signature-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const home = (name = 'home') => path.join(folder, name);

it('verifies its own mark after a restart, and no other mark', async () => {
  const mark = await createJournalSignature(home()).toMark('text');
  const signature = createJournalSignature(home());
  const other = await createJournalSignature(home('other')).toMark('text');
  const asked = [mark, other, mark.slice(2), `${mark}00`, '', 'no mark'].map((one) => signature.isOurs('text', one));
  expect(await Promise.all(asked)).toEqual([true, false, false, false, false, false]);
  expect(await signature.isOurs('text ', mark)).toBe(false);
});

it('keeps one key, readable only for the user, with any number of concurrent starts', async () => {
  const marks = await Promise.all(Array.from({ length: 8 }, () => createJournalSignature(home()).toMark('text')));
  expect(new Set(marks).size).toBe(1);
  expect(await readdir(home())).toEqual(['journal.key']);
  const file = path.join(home(), 'journal.key');
  expect((await readFile(file)).length).toBe(32);
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('creates a new key when the old one is damaged, and backs that one up', async () => {
  await createJournalSignature(home()).prepare();
  await writeFile(path.join(home(), 'journal.key'), 'short');
  const mark = await createJournalSignature(home()).toMark('text');
  expect(await createJournalSignature(home()).isOurs('text', mark)).toBe(true);
  expect((await readdir(home())).sort()).toEqual(['journal.key', 'journal.key.broken']);
});

it('uses the key that another program creates while this one is about to', async () => {
  mkdirSync(home());
  const late = createJournalSignature(home());
  const prepared = late.prepare();
  writeFileSync(path.join(home(), 'journal.key'), Buffer.alloc(32, 1));
  await prepared;
  expect(await late.toMark('text')).toBe(await createJournalSignature(home()).toMark('text'));
  expect(await readdir(home())).toEqual(['journal.key']);
});
