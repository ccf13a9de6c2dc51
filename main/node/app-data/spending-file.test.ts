import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SpendingEntry } from '../../core/ports/stores/spending-store.ts';
import { createSpendingStore } from './spending-file.ts';

const DAY = '2026-11-23';
const entry = (at: number): SpendingEntry => ({
  ...{ t: 'request', at, provider: 'custom', model: 'story' },
  usage: { input: 1, cached: null, output: 1 },
});

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'spending-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the file of what requests cost', () => {
  it('loses no line of two windows that write at once', async () => {
    const windows = [createSpendingStore(folder), createSpendingStore(folder)];
    await Promise.all(Array.from({ length: 100 }, (_, at) => windows[at % 2]?.append(DAY, entry(at))));
    const kept = await createSpendingStore(folder).read(DAY);
    expect(kept.map(({ at }) => at).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 100 }, (_, at) => at),
    );
  });

  it('skips a half-written line and keeps what follows it', async () => {
    const store = createSpendingStore(folder);
    await store.append(DAY, entry(1));
    await appendFile(path.join(folder, 'spending', `${DAY}.jsonl`), '\n{"t":"request","at":2,"prov');
    await store.append(DAY, entry(3));
    expect((await store.read(DAY)).map(({ at }) => at)).toEqual([1, 3]);
  });

  it('removes the oldest days, and no other file', async () => {
    await mkdir(path.join(folder, 'spending'));
    const days = Array.from({ length: 40 }, (_, index) => `2026-09-${String(index + 1).padStart(2, '0')}.jsonl`);
    for (const name of [...days, 'notes.txt']) await writeFile(path.join(folder, 'spending', name), '');
    await createSpendingStore(folder).append(DAY, entry(1));
    const names = await readdir(path.join(folder, 'spending'));
    expect(names).toHaveLength(32);
    expect(names).toEqual(expect.arrayContaining(['notes.txt', `${DAY}.jsonl`, '2026-09-40.jsonl']));
  });

  it('keeps the day itself when the clock was set back', async () => {
    await mkdir(path.join(folder, 'spending'));
    const days = Array.from({ length: 40 }, (_, index) => `2027-01-${String(index + 1).padStart(2, '0')}.jsonl`);
    for (const name of days) await writeFile(path.join(folder, 'spending', name), '');
    await createSpendingStore(folder).append(DAY, entry(1));
    await createSpendingStore(folder).append(DAY, entry(2));
    expect((await createSpendingStore(folder).read(DAY)).map(({ at }) => at)).toEqual([1, 2]);
  });

  it('is empty for a day without requests, and names no key and no text', async () => {
    const store = createSpendingStore(folder);
    expect(await store.read(DAY)).toEqual([]);
    await store.append(DAY, entry(1));
    const text = await readFile(path.join(folder, 'spending', `${DAY}.jsonl`), 'utf8');
    expect(Object.keys(JSON.parse(text))).toEqual(['t', 'at', 'provider', 'model', 'usage']);
  });
});
