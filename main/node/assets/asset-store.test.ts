import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAssetText, toAssetText } from '../../../shared/model/asset/asset.ts';
import { toPng } from '../../../tests/support/games/png-file.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createAssetStore, describeAssetBytes } from './asset-store.ts';

let root = '';
const at = (...parts: string[]) => path.join(root, '.webgal_agent', ...parts);
const store = () => createAssetStore(createAgentFolder(root));

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'assets-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const WAV = Buffer.concat([Buffer.from('RIFF....WAVEfmt ', 'latin1'), Buffer.alloc(40)]);

describe('keeping what another program sent', () => {
  it('knows pictures and sounds by their bytes, and stores each once', async () => {
    const png = await store().add(toPng(3, 2));
    expect(png).toMatchObject({ type: 'image/png', width: 3, height: 2 });
    expect(await store().add(toPng(3, 2))).toEqual(png);
    expect(await store().add(WAV)).toMatchObject({ type: 'audio/wav', bytes: WAV.length });
    expect((await readdir(at('assets'))).length).toBe(2);
    expect(await readdir(at('tmp'))).toEqual([]);
    expect(Buffer.from((await store().read(png.id)).data, 'base64')).toEqual(toPng(3, 2));
  });

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'asset.type'],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'asset.type'],
    ['a program', Buffer.from('MZ\x90\0 and so on', 'latin1'), 'asset.type'],
    ['nothing', Buffer.alloc(0), 'asset.type'],
    ['the head of a picture only', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 'asset.type'],
    [
      'a picture that unpacks to gigabytes',
      toPng(1, 1, { claimed: { width: 60_000, height: 60_000 } }),
      'asset.pixels',
    ],
    ['many pixels within the sides', toPng(1, 1, { claimed: { width: 16_000, height: 16_000 } }), 'asset.pixels'],
    ['no sides', toPng(1, 1, { claimed: { width: 0, height: 1 } }), 'asset.type'],
    ['too many bytes', Buffer.concat([toPng(1, 1), Buffer.alloc(25 * 1024 * 1024)]), 'asset.bytes'],
  ])('refuses %s, and stores nothing', async (_, bytes, reason) => {
    await expect(store().add(bytes)).rejects.toMatchObject({ reason });
    expect(await readdir(root)).toEqual([]);
  });

  it('is a picture for everyone where a page is hidden in one', async () => {
    const both = Buffer.concat([toPng(1, 1), Buffer.from('<script>alert(1)</script>')]);
    const asset = await store().add(both);
    expect([asset.type, (await readdir(at('assets')))[0]]).toEqual(['image/png', asset.id]);
  });

  it('removes the oldest at the limits', async () => {
    const bound = { part: 'assets', bytes: 1000, files: 3 };
    const small = createAssetStore(createAgentFolder(root), { received: bound, written: { ...bound, part: 'w' } });
    const ids: string[] = [];
    for (const side of [1, 2, 3, 4]) {
      const { id } = await small.add(toPng(side, 1));
      ids.push(id);
      await utimes(at('assets', id), side, side);
    }
    expect((await readdir(at('assets'))).sort()).toEqual(ids.slice(1).sort());
    await expect(small.read(ids[0] ?? '')).rejects.toMatchObject({ code: 'E_NOT_FOUND', reason: 'asset.gone' });
    await small.add(Buffer.concat([toPng(9, 9), Buffer.alloc(900)]));
    expect(await readdir(at('assets'))).toHaveLength(1);
  });

  it('removes nothing that an open proposal names, and says so when that leaves no room', async () => {
    const bound = { part: 'assets', bytes: 1000, files: 3 };
    const small = createAssetStore(createAgentFolder(root), { received: bound, written: { ...bound, part: 'w' } });
    const named: string[] = [];
    small.protect(() => named);
    for (const side of [1, 2, 3]) named.push((await small.add(toPng(side, 1))).id);
    await expect(small.add(toPng(4, 1))).rejects.toMatchObject({ code: 'E_TOO_LARGE', reason: 'asset.full' });
    expect((await readdir(at('assets'))).sort()).toEqual([...named].sort());
    const [first, second = '', third] = named;
    named.splice(1, 1);
    const { id } = await small.add(toPng(4, 1));
    expect((await readdir(at('assets'))).sort()).toEqual([first, third, id].sort());
    await expect(small.read(second)).rejects.toMatchObject({ reason: 'asset.gone' });
  });

  it('keeps all that one transaction replaces and writes, beyond the limits', async () => {
    const bound = { part: 'written', bytes: 1000, files: 3 };
    const small = createAssetStore(createAgentFolder(root), { received: { ...bound, part: 'r' }, written: bound });
    await small.keep([toPng(9, 1), toPng(9, 2)]);
    await small.keep([1, 2, 3, 4, 5].map((side) => toPng(side, 1)));
    expect(await readdir(at('written'))).toHaveLength(5);
    await small.keep([toPng(6, 1)]);
    expect(await readdir(at('written'))).toHaveLength(3);
  });

  it('never takes other bytes for a kept file, and follows no link', async () => {
    const { id } = await store().add(toPng(1, 1));
    await writeFile(at('assets', id), toPng(2, 2));
    await expect(store().read(id)).rejects.toMatchObject({ reason: 'asset.gone' });
    await expect(store().read('../policy.json')).rejects.toMatchObject({ reason: 'asset.gone' });
    await rm(at('assets'), { recursive: true });
    await mkdir(path.join(root, 'elsewhere'));
    await symlink(path.join(root, 'elsewhere'), at('assets'));
    await expect(store().add(toPng(1, 1))).rejects.toMatchObject({ code: 'E_DENY_PATH' });
  });
});

describe('the line that stands for a file', () => {
  it('is read back, and no other text is', () => {
    const line = describeAssetBytes(toPng(3, 2));
    const found = parseAssetText(line);
    expect(found).toMatchObject({ type: 'image/png', width: 3, height: 2 });
    expect(found && toAssetText(found)).toBe(line);
    expect(parseAssetText(describeAssetBytes(Buffer.from('text')))).toMatchObject({ type: null, bytes: 4 });
    for (const other of ['', ' ', line.trim(), `${line} `, line.replace('sha256', 'md5'), ':hello;']) {
      expect(parseAssetText(other)).toBeNull();
    }
  });
});
