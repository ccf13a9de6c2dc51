import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogFile } from './log-file.ts';

let root = '';
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'log-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(root, { recursive: true, force: true });
});

/** Replaces the sync of every file by one that ends when the test says so. */
async function holdSyncs() {
  const handle = await open(root);
  const prototype = Object.getPrototypeOf(handle) as { datasync(): Promise<void> };
  await handle.close();
  const release: (() => void)[] = [];
  const datasync = vi
    .spyOn(prototype, 'datasync')
    .mockImplementation(() => new Promise<void>((resolve) => release.push(resolve)));
  return { datasync, release: () => release.splice(0).forEach((resolve) => void resolve()) };
}

const isPending = (work: Promise<void>) =>
  Promise.race([work.then(() => false), new Promise((resolve) => setTimeout(() => resolve(true), 30))]);

it('waits for the disk where lines are durable, and not where they are soon', async () => {
  const log = createLogFile({ folder: async () => root, name: 'audit.jsonl' });
  // Opens the file, which syncs its folder.
  await log.append({ line: 1 }, false);
  const syncs = await holdSyncs();
  expect(await isPending(log.append({ line: 2 }, 'soon'))).toBe(false);
  expect(syncs.datasync).not.toHaveBeenCalled();
  await expect.poll(() => syncs.datasync).toHaveBeenCalledTimes(1);
  const durable = log.append({ line: 3 }, true);
  expect(await isPending(durable)).toBe(true);
  syncs.release();
  await durable;
  expect((await log.read()).entries).toEqual([{ line: 1 }, { line: 2 }, { line: 3 }]);
  syncs.datasync.mockRestore();
  await log.close();
});

it('waits for the disk when one line of a batch is durable', async () => {
  const log = createLogFile({ folder: async () => root, name: 'audit.jsonl' });
  await log.append({ line: 1 }, false);
  const syncs = await holdSyncs();
  const both = [log.append({ line: 2 }, false), log.append({ line: 3 }, 'soon'), log.append({ line: 4 }, true)];
  expect(await isPending(Promise.all(both).then(() => undefined))).toBe(true);
  syncs.release();
  await Promise.all(both);
  syncs.datasync.mockRestore();
  await log.close();
});
