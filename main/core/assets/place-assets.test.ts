import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLoggedGame, type LoggedGame } from '../../../tests/support/games/logged-game.ts';
import { createAssetStore, withGameFiles } from '../../node/assets/asset-store.ts';
import { createActionQueue } from '../action-queue.ts';
import { createHistory } from '../history/history.ts';
import { createTransactionService } from '../history/transaction-service.ts';
import { createBuffers } from '../project/unsaved/buffers.ts';
import { createProposalService } from '../proposal/proposal-service.ts';
import { createAssetService } from './asset-service.ts';

const AKI = 'game/figure/aki.gif';
const SCENE = 'game/scene/start.txt';
/** Pictures whose bytes are not UTF-8. */
const toGif = (name: string) =>
  Buffer.concat([Buffer.from('GIF89a\x01\0\x01\0\xff\xfe', 'latin1'), Buffer.from(name.padEnd(30))]);
const [OLD, NEW] = [toGif('old'), toGif('new')];

let game: LoggedGame;
let parts: ReturnType<typeof open>;
beforeEach(async () => {
  game = await createLoggedGame({ [SCENE]: 'changeFigure:aki.gif;\n' });
  parts = open();
});
afterEach(() => game.dispose());

function open() {
  let count = 0;
  const clock = { now: Date.now, id: () => `id-${++count}` };
  const { reader, writer, snapshots, transactions } = game;
  const common = { reader, writer, clock, emit: () => undefined };
  const proposals = createProposalService({ ...common, locale: () => 'en' });
  const small = { bytes: 10_000, files: 3 };
  const store = createAssetStore(game.folder, {
    received: { ...small, part: 'assets' },
    written: { ...small, part: 'written-assets' },
  });
  const assets = withGameFiles(store, async (path) => readFile(game.at(path)).catch(() => null));
  return {
    ...{ proposals, assets },
    service: createAssetService({
      ...{ assets, reader, proposals, actions: createActionQueue(), buffers: createBuffers() },
      engine: { engineVersion: '4.5.18', engine: null },
      painter: { draw: async () => [] },
    }),
    history: createHistory({ ...common, snapshots }),
    log: createTransactionService({ ...common, transactions }),
  };
}

const disk = () => readFile(game.at(AKI)).catch(() => null);

async function place(bytes: Buffer) {
  const { id } = await parts.assets.add(bytes);
  await parts.service.propose({ title: 'Aki', files: [{ id, path: AKI }] });
  const proposal = parts.proposals.current();
  const accepted = await parts.proposals.accept({ id: proposal?.id ?? '' }, { group: id, title: 'Aki' });
  return { id, proposal, accepted };
}

describe('a kept picture that is proposed', () => {
  it('is one piece that is written to the byte, undone, and redone', async () => {
    const { id, proposal, accepted } = await place(NEW);
    expect(proposal?.files).toMatchObject([{ path: AKI, before: null, hasConflict: false }]);
    expect([await disk(), accepted.status]).toEqual([NEW, 'applied']);
    const files = accepted.status === 'applied' ? accepted.files : [];
    expect(files).toMatchObject([{ path: AKI, version: id }]);
    const undone = await parts.history.undo(files);
    expect(await disk()).toBeNull();
    await parts.history.undo(undone.files);
    expect(await disk()).toEqual(NEW);
  });

  it('shows the picture that it replaces, and brings it back', async () => {
    await place(OLD);
    const { proposal, accepted } = await place(NEW);
    const [file] = proposal?.files ?? [];
    expect([file?.before, file?.after]).toEqual([
      expect.stringContaining('image/gif'),
      expect.stringContaining('image/gif'),
    ]);
    expect(file?.before).not.toBe(file?.after);
    await parts.history.undo(accepted.status === 'applied' ? accepted.files : []);
    expect(await disk()).toEqual(OLD);
  });

  it('is in the transaction log by the hash of its bytes, and can be undone from there', async () => {
    await place(OLD);
    const { id } = await place(NEW);
    await game.writer.settle();
    const { transactions } = await game.transactions.read();
    const last = transactions.at(-1);
    expect(last?.commands).toMatchObject([{ op: 'write', path: AKI, after: id, bytes: NEW.length }]);
    expect(await parts.log.rollBack(last?.patch_id ?? '')).toMatchObject({ status: 'applied' });
    expect(await disk()).toEqual(OLD);
  });

  it('conflicts with a picture that another program put there meanwhile', async () => {
    const { id } = await parts.assets.add(NEW);
    await parts.service.propose({ title: 'Aki', files: [{ id, path: AKI }] });
    await game.put(AKI, 'GIF89a another program was here, with other bytes');
    const open = parts.proposals.current();
    const result = await parts.proposals.accept({ id: open?.id ?? '' }, { group: 'g', title: 'Aki' });
    expect(result).toEqual({ status: 'conflict', conflicts: [AKI] });
    expect((await disk())?.toString()).toContain('another program');
  });

  it('stays kept while others arrive, and goes when the proposal is discarded', async () => {
    const { id } = await parts.assets.add(NEW);
    await parts.service.propose({ title: 'Aki', files: [{ id, path: AKI }] });
    for (const name of ['a', 'b', 'c', 'd']) await parts.assets.add(toGif(name));
    expect((await parts.assets.read(id)).asset.id).toBe(id);
    await parts.proposals.discard();
    for (const name of ['e', 'f', 'g']) await parts.assets.add(toGif(name));
    await expect(parts.assets.read(id)).rejects.toMatchObject({ reason: 'asset.gone' });
  });

  it('makes the game whole for the checker before it is accepted', async () => {
    const { id } = await parts.assets.add(NEW);
    await parts.service.propose({ title: 'Aki', files: [{ id, path: AKI }] });
    expect(await parts.proposals.reader.stat(AKI)).toMatchObject({ path: AKI, bytes: NEW.length });
    expect(parts.proposals.current()?.newProblems).toEqual([]);
  });

  it.each([
    ['game/scene/aki.gif', 'asset.folder'],
    ['aki.gif', 'asset.folder'],
    ['game/bgm/aki.gif', 'asset.folder'],
    ['game/figure/aki.png', 'asset.extension'],
    ['game/figure/aki.html', 'asset.extension'],
  ])('cannot be put at %s', async (path, reason) => {
    const { id } = await parts.assets.add(NEW);
    await expect(parts.service.propose({ title: 'Aki', files: [{ id, path }] })).rejects.toMatchObject({ reason });
    expect(parts.proposals.current()).toBeNull();
  });
});

describe('a text', () => {
  it('never becomes a picture', async () => {
    await expect(game.write({ [AKI]: 'hello' })).rejects.toMatchObject({ reason: 'asset.text' });
    const gone = `asset sha256:${'0'.repeat(64)} image/gif 40 bytes 1x1\n`;
    await expect(game.write({ [AKI]: gone })).rejects.toMatchObject({ reason: 'asset.gone' });
    expect(await disk()).toBeNull();
  });

  it('of a scene may read like the line of a picture, and stays a text', async () => {
    const line = `asset sha256:${'0'.repeat(64)} image/gif 40 bytes 1x1\n`;
    await game.write({ [SCENE]: line });
    expect(await game.text(SCENE)).toBe(line);
  });
});

describe('files of the user', () => {
  it('are kept and proposed together, one beside the file that is there', async () => {
    await place(OLD);
    const [replaced, added] = [
      await parts.service.add({ data: NEW.toString('base64') }),
      await parts.service.add({ data: toGif('bg').toString('base64') }),
    ];
    await parts.service.propose({
      title: 'Two',
      files: [
        { id: replaced.id, path: AKI },
        { id: added.id, path: 'game/background/sea.gif' },
      ],
    });
    const proposal = parts.proposals.current();
    expect(proposal?.files.map(({ path, before }) => [path, before === null])).toEqual([
      ['game/background/sea.gif', true],
      [AKI, false],
    ]);
    expect(await disk()).toEqual(OLD);
    await parts.proposals.accept({ id: proposal?.id ?? '' }, { group: 'two', title: 'Two' });
    expect(await disk()).toEqual(NEW);
    expect(await readFile(game.at('game/background/sea.gif'))).toEqual(toGif('bg'));
  });

  it.each([
    ['<svg/>', 'asset.type'],
    ['', 'asset.type'],
  ])('are refused when they are neither a picture nor a sound: %s', async (text, reason) => {
    await expect(parts.service.add({ data: Buffer.from(text).toString('base64') })).rejects.toMatchObject({ reason });
  });

  it('are refused when the game has them already', async () => {
    const { id } = await place(NEW);
    const propose = parts.service.propose({ title: 'Again', files: [{ id, path: AKI }] });
    await expect(propose).rejects.toMatchObject({ reason: 'asset.same' });
    expect(parts.proposals.current()).toBeNull();
  });

  it('stay until all files of a change are proposed, and hold no room once that failed', async () => {
    const toData = (name: string) => ({ data: Buffer.concat([toGif(name), Buffer.alloc(3000)]).toString('base64') });
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.push((await parts.service.add(toData(name))).id);
    await expect(parts.service.add(toData('d'))).rejects.toMatchObject({ reason: 'asset.full' });
    for (const id of ids) expect((await parts.assets.read(id)).asset.id).toBe(id);
    await parts.service.add(toData('d'));
    await expect(parts.assets.read(ids[0] ?? '')).rejects.toMatchObject({ reason: 'asset.gone' });
  });
});
