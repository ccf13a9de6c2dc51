import type { Stats } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFileMemory, createFileReader } from './walk-folder.ts';

const OLD = Date.UTC(2026, 0, 1);
const statsOf = (more: Partial<Stats> = {}) => ({ ino: 1, size: 3, mtimeMs: OLD, ctimeMs: OLD, ...more }) as Stats;
const bytes = Buffer.from('abc');

describe('the cache of file contents', () => {
  it('has a file until its inode number, size or one of its times changes', () => {
    for (const more of [{ ino: 2 }, { size: 4 }, { mtimeMs: OLD + 1 }, { ctimeMs: OLD + 1 }]) {
      const memory = createFileMemory(100);
      memory.keep('a', statsOf(), bytes);
      expect(memory.find('a', statsOf())).toEqual(bytes);
      expect(memory.find('a', statsOf(more))).toBeNull();
      expect(memory.find('a', statsOf())).toBeNull();
    }
  });

  it('does not keep recently changed files, or files that grew during the read', () => {
    const memory = createFileMemory(100);
    memory.keep('young', statsOf({ ctimeMs: Date.now() }), bytes);
    memory.keep('grown', statsOf({ size: 2 }), bytes);
    expect(memory.find('young', statsOf({ ctimeMs: Date.now() }))).toBeNull();
    expect(memory.find('grown', statsOf({ size: 2 }))).toBeNull();
  });

  it('has a size limit and evicts the oldest entry', () => {
    const memory = createFileMemory(7);
    for (const file of ['a', 'b', 'c']) memory.keep(file, statsOf(), bytes);
    expect(['a', 'b', 'c'].map((file) => memory.find(file, statsOf()) !== null)).toEqual([false, true, true]);
  });
});

it('reads a file again after it was written', async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'read-')));
  const reader = createFileReader(100, createFileMemory(100));
  const read = () => reader.read({ path: 'a.txt', folder, name: 'a.txt' })?.toString();
  for (const text of ['one', 'two']) {
    await writeFile(path.join(folder, 'a.txt'), text);
    expect([read(), read()]).toEqual([text, text]);
  }
  reader.close();
  await rm(folder, { recursive: true });
});
