import { readdir, readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { MAX_DRAWN_AT_ONCE, type PlaceholderPicture } from '../../../shared/model/asset/placeholder.ts';
import { createLoggedGame, type LoggedGame } from '../../../tests/support/games/logged-game.ts';
import { toPng } from '../../../tests/support/games/png-file.ts';
import { createAssetStore, withGameFiles } from '../../node/assets/asset-store.ts';
import { createActionQueue } from '../action-queue.ts';
import { createHistory } from '../history/history.ts';
import { createBuffers } from '../project/unsaved/buffers.ts';
import { createProposalService } from '../proposal/proposal-service.ts';
import { makePlaceholders } from './make-placeholders.ts';
import { createPlaceholderService } from './placeholder-service.ts';

const START = 'game/scene/start.txt';
const TEXT =
  'changeBg:sea.png -next;\nchangeFigure:aki.png -next;\nbgm:rain.mp3;\nAki:Hi. -vocal=hi.ogg;\nplayEffect:door.wav;\nend;\n';
const ALL = [
  'game/background/sea.png',
  'game/figure/aki.png',
  'game/bgm/rain.mp3',
  'game/vocal/hi.ogg',
  'game/vocal/door.wav',
];

let game: LoggedGame;
let parts: ReturnType<typeof open>;
/** Stands in for the page: the real one draws on a canvas, in the end-to-end story. */
let draw: (picture: PlaceholderPicture) => string | null;
let asked: PlaceholderPicture[][];

const png = () => toPng(4, 4, { color: [9, 9, 9] }).toString('base64');

beforeEach(async () => {
  asked = [];
  draw = png;
  game = await createLoggedGame({ 'game/config.txt': 'Game_name:Rain;\n', [START]: TEXT });
  parts = open();
});
afterEach(() => game.dispose());

function open() {
  let count = 0;
  const clock = { now: Date.now, id: () => `id-${++count}` };
  const { reader, writer, snapshots } = game;
  const common = { reader, writer, clock, emit: () => undefined };
  const proposals = createProposalService({ ...common, locale: () => 'en' });
  const assets = withGameFiles(createAssetStore(game.folder), async (path) =>
    readFile(game.at(path)).catch(() => null),
  );
  const buffers = createBuffers();
  const placeholders = createPlaceholderService({
    ...{ reader, assets, buffers, proposals },
    engine: { engineVersion: '4.5.18', engine: null },
    actions: createActionQueue(),
    painter: {
      async draw(pictures) {
        asked.push([...pictures]);
        const unasked = { path: START, data: png() };
        const drawn = pictures.flatMap((picture) => {
          const data = draw(picture);
          return data === null ? [] : [{ path: picture.path, data }];
        });
        return [unasked, ...drawn];
      },
    },
  });
  return { assets, proposals, buffers, placeholders, history: createHistory({ ...common, snapshots }) };
}

const propose = () => parts.placeholders.proposePlaceholders({ title: 'Placeholders' });
const filesIn = (folder: string) => readdir(game.at(folder)).catch(() => []);

async function accept() {
  const accepted = await parts.proposals.accept(
    { id: parts.proposals.current()?.id ?? '' },
    { group: 'g', title: 'Placeholders' },
  );
  return accepted.status === 'applied' ? accepted.files : [];
}

describe('placeholders for what the game names', () => {
  it('are one proposal that makes the game whole, is accepted, and undone', async () => {
    expect((await parts.placeholders.missing()).files.map(({ path }) => path)).toEqual(ALL);
    await propose();
    const proposal = parts.proposals.current();
    expect(proposal?.files.map(({ path, before }) => [path, before]).sort()).toEqual(
      ALL.map((path) => [path, null]).sort(),
    );
    expect(await filesIn('game/figure')).toEqual([]);
    const written = await accept();
    expect((await readFile(game.at('game/bgm/rain.mp3'))).readUInt32BE(0)).toBe(0xff_fb_10_c4);
    expect((await readFile(game.at('game/figure/aki.png'))).toString('base64')).toBe(png());
    expect(await parts.placeholders.missing()).toEqual({ files: [], leftOut: [], more: 0 });
    await parts.history.undo(written);
    expect(await Promise.all(['figure', 'background', 'bgm', 'vocal'].map((one) => filesIn(`game/${one}`)))).toEqual([
      ...[[], [], [], []],
    ]);
  });

  it('include what unsaved text names', async () => {
    parts.buffers.set(START, 'changeBg:new.webp;\nend;\n');
    expect((await parts.placeholders.missing()).files.map(({ path }) => path)).toEqual(['game/background/new.webp']);
  });

  it('ask the page for few pictures at a time', async () => {
    await game.put(START, Array.from({ length: 15 }, (_, at) => `changeBg:${at}.png;`).join('\n'));
    await propose();
    expect(asked.map(({ length }) => length)).toEqual([MAX_DRAWN_AT_ONCE, MAX_DRAWN_AT_ONCE, 3]);
    expect(parts.proposals.current()?.files).toHaveLength(15);
  });

  it('leave out what the page does not draw, and ignore what it was not asked for', async () => {
    draw = ({ kind }) => (kind === 'figure' ? null : png());
    const { files, leftOut } = await propose();
    expect(files.map(({ path }) => path)).toEqual(ALL.filter((path) => !path.includes('figure')));
    expect(leftOut).toMatchObject([{ path: 'game/figure/aki.png', fault: 'type' }]);
  });

  it.each([
    ['another type', () => toPng(1, 1).toString('base64').replace('iVBOR', 'AAAAA'), 'asset.type'],
    ['no base64', () => '<svg>', 'asset.type'],
    ['a sound', () => Buffer.from('ID3 sound').toString('base64'), 'asset.folder'],
    ['a GIF', () => Buffer.from(`GIF89a\x01\0\x01\0${'.'.repeat(40)}`, 'latin1').toString('base64'), 'asset.extension'],
    ['a bomb', () => toPng(1, 1, { claimed: { width: 60_000, height: 9 } }).toString('base64'), 'asset.pixels'],
  ])('are refused when the page returns %s', async (_, bytes, reason) => {
    draw = bytes;
    await expect(propose()).rejects.toMatchObject({ reason });
    expect(parts.proposals.current()).toBeNull();
  });

  it('never replace a file that appears while the user reads', async () => {
    await propose();
    await game.put('game/figure/aki.png', 'another program was here');
    const result = await parts.proposals.accept(
      { id: parts.proposals.current()?.id ?? '' },
      { group: 'g', title: 'Placeholders' },
    );
    expect(result).toEqual({ status: 'conflict', conflicts: ['game/figure/aki.png'] });
    expect((await readFile(game.at('game/figure/aki.png'))).toString()).toBe('another program was here');
  });

  it('leave out a file that is there meanwhile, and a folder that is closed to the caller', async () => {
    const plan = await parts.placeholders.missing();
    await game.put('game/vocal/hi.ogg', 'there');
    const reader = {
      async stat(path: string) {
        if (path.startsWith('game/figure/')) throw new AppError('E_DENY_PATH', 'The folder is closed.');
        return game.reader.stat(path);
      },
    };
    const { assets } = parts;
    const { made, leftOut } = await makePlaceholders(
      { ...plan, files: plan.files.filter(({ kind }) => kind !== 'background') },
      { reader, assets, painter: { draw: async () => [] } },
      new AbortController().signal,
    );
    expect(made.map(({ path }) => path)).toEqual(['game/bgm/rain.mp3', 'game/vocal/door.wav']);
    expect(leftOut.map(({ path, fault }) => [path, fault])).toEqual([
      ['game/figure/aki.png', 'there'],
      ['game/vocal/hi.ogg', 'there'],
    ]);
  });

  it('are refused with a sentence when nothing is missing, or nothing can be made', async () => {
    await game.put(START, 'Aki:Hi.;\nend;\n');
    await expect(propose()).rejects.toMatchObject({ code: 'E_NOT_FOUND', reason: 'placeholders.none' });
    await game.put(START, 'changeFigure:aki.gif;\nbgm:con.mp3;\nend;\n');
    await expect(propose()).rejects.toMatchObject({
      ...{ code: 'E_UNSUPPORTED', reason: 'placeholders.cannot' },
      details: { count: 2 },
    });
  });

  it('wait until another proposal is decided', async () => {
    await propose();
    await expect(propose()).rejects.toMatchObject({ code: 'E_CONFLICT' });
  });
});
