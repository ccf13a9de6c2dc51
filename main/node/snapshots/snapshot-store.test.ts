import { mkdtemp, readdir, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { WriteLabel } from '../../core/ports/writer.ts';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createSnapshotStore, type SnapshotStore } from './snapshot-store.ts';

const LABEL: WriteLabel = { origin: 'agent', group: 'g', title: 't' };
let root = '';
let folder = '';

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'snapshots-'));
  folder = path.join(root, '.webgal_agent/snapshots');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const open = (retention?: number, home = 'home') =>
  createSnapshotStore(createAgentFolder(root), {
    signature: createJournalSignature(path.join(root, home)),
    ...(retention !== undefined && { retention }),
  });

async function keep(store: SnapshotStore, file: string, text: string | null, label = LABEL): Promise<string> {
  const stamp = await store.stamp();
  await store.keep([{ stamp, path: file, text, after: null, bytes: 0, label }]);
  return stamp.id;
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

describe('the list', () => {
  it('is newest first, filtered by prefix, then limited', async () => {
    const store = open();
    expect(await store.list()).toEqual([]);
    const a = await keep(store, 'game/scene/a.txt', 'a');
    const b = await keep(store, 'game/scene/b.txt', null);
    const c = await keep(store, 'game/x.json', 'c');
    const ids = async (filter?: Parameters<SnapshotStore['list']>[0]) => (await store.list(filter)).map(({ id }) => id);
    expect(await ids()).toEqual([c, b, a]);
    expect(await ids({ pathPrefix: 'game/scene' })).toEqual([b, a]);
    expect(await ids({ pathPrefix: 'game/scene', limit: 1 })).toEqual([b]);
    expect(await ids({ limit: 0 })).toEqual([]);
    expect(await open().list()).toEqual(await store.list());
    expect((await store.list())[1]).toEqual({
      ...LABEL,
      id: b,
      path: 'game/scene/b.txt',
      existed: false,
      timestamp: expect.any(Number),
      contentHash: 'e3b0c442',
    });
  });

  it('skips damaged, incomplete and forbidden records, and sees changes of other programs', async () => {
    const store = open();
    const a = await keep(store, 'a.txt', '1');
    const b = await keep(store, 'b.txt', '2');
    expect(await store.list()).toHaveLength(2);
    await unlink(path.join(folder, `${a}.txt`));
    const plant = async (id: string, meta: string) => {
      await writeFile(path.join(folder, `${id}.txt`), '');
      await writeFile(path.join(folder, `${id}.meta.json`), meta);
    };
    const good = {
      ...LABEL,
      path: 'c.txt',
      timestamp: 1,
      contentHash: 'e3b0c442',
      existed: true,
      after: null,
      bytes: 0,
    };
    await plant('snap_20200101T000000_00000000', '{');
    await plant(
      'snap_20200101T000000_00000001',
      JSON.stringify({ ...good, id: 'snap_20200101T000000_00000001', path: '../../x' }),
    );
    await plant('snap_20200101T000000_00000002', JSON.stringify({ ...good, id: 'snap_20200101T000000_0000000f' }));
    await plant('snap_20200101T000000_00000003', JSON.stringify({ ...good, id: 'snap_20200101T000000_00000003' }));
    await writeFile(path.join(root, 'secret'), 'secret');
    await symlink(path.join(root, 'secret'), path.join(folder, 'snap_20200101T000000_00000004.meta.json'));
    await writeFile(path.join(folder, 'snap_20200101T000000_00000004.txt'), '');
    expect((await store.list()).map(({ id }) => id)).toEqual([b, 'snap_20200101T000000_00000003']);
    expect(await codeOf(store.read(a))).toBe('E_NOT_FOUND');
    expect(await codeOf(store.read('snap_20200101T000000_00000000'))).toBe('E_PARSE_FAIL');
    expect(await codeOf(store.read('snap_20200101T000000_00000001'))).toBe('E_PARSE_FAIL');
    expect(await codeOf(store.read('snap_20200101T000000_00000004'))).toBe('E_DENY_PATH');
    expect(await codeOf(store.read('snap_20200101T000000_000000ff'))).toBe('E_NOT_FOUND');
    expect(await codeOf(store.read('../../secret'))).toBe('E_BAD_ARGS');
    await writeFile(path.join(folder, `${b}.txt`), 'not what was kept');
    expect(await codeOf(store.read(b))).toBe('E_PARSE_FAIL');
    await rm(folder, { recursive: true });
    expect(await store.list()).toEqual([]);
  });
});

it('retention counts per file and origin', async () => {
  const store = open(2);
  for (const text of ['1', '2', '3']) await keep(store, 'a.txt', text);
  for (const text of ['4', '5', '6']) await keep(store, 'a.txt', text, { ...LABEL, origin: 'writer' });
  await keep(store, 'b.txt', '7');
  await store.prune();
  const texts = await Promise.all((await store.list()).map(async ({ id }) => (await store.read(id)).text));
  expect(texts).toEqual(['7', '6', '5', '3', '2']);
  expect(await readdir(folder)).toHaveLength(10);
});
