import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PieceRequest, ProposedFile } from '../../../shared/model/proposal.ts';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import type { Change, WriteLabel } from '../ports/writer.ts';
import type { Draft, ProposalService, WrittenPart } from '../services.ts';
import { createProposalService } from './proposal-service.ts';

const START = 'game/scene/start.txt';
const RAIN = 'game/scene/rain.txt';
const LABEL = { group: 'turn-1', title: '雨夜' };
const BEFORE = Array.from({ length: 14 }, (_, at) => `a:${at};\n`).join('');
/** Seven hunks: every second line is replaced. */
const AFTER = Array.from({ length: 14 }, (_, at) => (at % 2 === 0 ? `new:${at};\n` : `a:${at};\n`)).join('');
/** What the text is with some hunks, of which some have other lines. */
const textWith = (taken: readonly number[], edited: Record<number, string> = {}) =>
  Array.from({ length: 14 }, (_, at) => {
    const isTaken = at % 2 === 0 && taken.includes(at / 2);
    return `${isTaken ? (edited[at / 2] ?? `new:${at};`) : `a:${at};`}\n`;
  }).join('');

let game: ProjectFolder;
let proposals: ProposalService;
let events: string[];
let kept: Draft[];
let parts: WrittenPart[];
let rests: Draft[];
let writes: { changes: readonly Change[]; label: WriteLabel }[];

const journal = {
  keepMerged: async () => undefined,
  keepPart: async (part: WrittenPart) => void parts.push(part),
  keepRest: async (draft: Draft) => void rests.push(draft),
};

beforeEach(async () => {
  game = await createProjectFolder({ [START]: BEFORE });
  [events, kept, parts, rests, writes] = [[], [], [], [], []];
  let count = 0;
  proposals = createProposalService({
    reader: game.reader,
    writer: {
      apply(changes, label) {
        writes.push({ changes, label });
        return game.writer.apply(changes, label);
      },
    },
    emit: (event) => events.push(event),
    clock: { now: () => 1, id: () => `id-${++count}` },
    locale: () => 'en',
  });
});
afterEach(() => game.dispose());

async function propose(files: Record<string, string | null>): Promise<string> {
  proposals.begin('turn-1', async (entry) => void kept.push(entry));
  for (const [path, text] of Object.entries(files)) {
    const there = await proposals.reader.stat(path);
    const base = there === null ? null : (await proposals.reader.read(path)).version;
    await proposals.writer.write({ path, text, base });
  }
  return (await proposals.finish('Rain'))?.id ?? '';
}

function file(path = START): ProposedFile {
  const found = proposals.current()?.files.find((each) => each.path === path);
  if (!found) throw new Error(`${path} is not proposed`);
  return found;
}

const take = (pieces: number[], edited: Record<number, string[]> = {}, path = START): PieceRequest => ({
  ...{ path, version: file(path).version, take: pieces },
  edited: Object.entries(edited).map(([hunk, lines]) => ({ hunk: Number(hunk), lines })),
});

describe('accepting pieces', () => {
  test('writes three of seven hunks, one edited, and leaves the others waiting', async () => {
    const id = await propose({ [START]: AFTER, [RAIN]: 'rain;\n' });
    expect(file().hunks).toHaveLength(7);
    const pieces = [take([1, 3, 6], { 3: ['mine:6;'] })];
    const result = await proposals.accept({ id, paths: [START], pieces }, LABEL, journal);
    const written = textWith([1, 3, 6], { 3: 'mine:6;' });
    expect([result.status, await game.text(START)]).toEqual(['applied', written]);
    const rest = file();
    expect([rest.before, rest.hunks.map(({ linesNew }) => linesNew)]).toEqual([
      written,
      [['new:0;'], ['new:4;'], ['new:8;'], ['new:10;']],
    ]);
    expect(proposals.current()).toMatchObject({ id, state: 'review', files: [{ path: RAIN }, { path: START }] });
    expect((await proposals.reader.read(START)).text).toBe(rest.after);
    const [snapshot] = await game.snapshots.list();
    expect((await game.snapshots.read(snapshot?.id ?? '')).text).toBe(BEFORE);

    await proposals.accept({ id }, LABEL, journal);
    expect(await game.text(START)).toBe(textWith([0, 1, 2, 3, 4, 5, 6], { 3: 'mine:6;' }));
    expect(proposals.current()).toBeNull();
  });

  test('records the part before the write, and what waits after it', async () => {
    const id = await propose({ [START]: AFTER });
    const seen: (string | null)[] = [];
    const keepPart = async (part: WrittenPart) => {
      parts.push(part);
      seen.push(await game.text(START));
    };
    await proposals.accept({ id, pieces: [take([0])] }, LABEL, { ...journal, keepPart });
    const { version } = await game.reader.read(START);
    const rest = { path: START, base: version, before: textWith([0]), text: AFTER };
    expect([seen, parts, rests]).toEqual([[BEFORE], [{ path: START, text: textWith([0]), rest }], [rest]]);
  });

  test('keeps the steps of a plan on what is written and on what waits', async () => {
    const steps = ['step-1'];
    proposals.begin('turn-1', async (entry) => void kept.push(entry));
    proposals.setStep({ id: 'step-1', summary: 'Rain' });
    await proposals.writer.write({ path: START, text: AFTER, base: (await game.reader.read(START)).version });
    const id = (await proposals.finish('Rain'))?.id ?? '';
    await proposals.accept({ id, pieces: [take([0])], confirmed: [START] }, LABEL, journal);
    await proposals.accept({ id }, LABEL, journal);
    expect(kept).toMatchObject([{ steps }]);
    expect(rests).toMatchObject([{ path: START, steps }]);
    expect(writes).toMatchObject([
      { changes: [{ path: START, steps }], label: { confirmed: [START] } },
      { changes: [{ path: START, steps }], label: { confirmed: [] } },
    ]);
  });

  test('knows which step of a plan made each piece, also of what waits and after a restart', async () => {
    const steps = [
      { id: 's1', summary: 'Rain' },
      { id: 's2', summary: 'Umbrella' },
    ];
    proposals.begin('turn-1', async (entry) => void kept.push(entry));
    const write = async (step: (typeof steps)[number] | undefined, text: string) => {
      proposals.setStep(step ?? null);
      await proposals.writer.write({ path: START, text, base: (await proposals.reader.read(START)).version });
    };
    await write(steps[0], textWith([0, 2]));
    await write(steps[1], textWith([0, 1, 2]));
    await write(undefined, textWith([0, 1, 2, 3]));
    const shown = await proposals.finish('Rain');
    expect([shown?.steps, shown?.files[0]?.pieceSteps]).toEqual([steps, [['s1'], ['s2'], ['s1'], []]]);
    await proposals.accept({ id: shown?.id ?? '', pieces: [take([0])] }, LABEL, journal);
    expect(proposals.current()?.files[0]?.pieceSteps).toEqual([['s2'], ['s1'], []]);
    const { id = '' } = shown ?? {};
    await proposals.restore({ id, turn: 't', summary: '', drafts: rests, steps });
    expect([proposals.current()?.steps, proposals.current()?.files[0]?.pieceSteps]).toEqual([
      steps,
      [['s2'], ['s1'], []],
    ]);
  });

  test('leaves nothing of a file waiting whose pieces are all taken, with the lines of the user', async () => {
    const id = await propose({ [START]: AFTER });
    const pieces = [take([0, 1, 2, 3, 4, 5, 6], { 0: ['x:1;', 'y:2;'] })];
    await proposals.accept({ id, pieces }, LABEL, journal);
    expect(await game.text(START)).toBe(AFTER.replace('new:0;', 'x:1;\ny:2;'));
    expect([proposals.current(), rests]).toEqual([null, []]);
  });

  test('keeps byte order mark, carriage returns and the missing end', async () => {
    await game.put(START, '\uFEFFa:1;\r\nb:2;\r\nc:3;\r\nd:4;');
    const id = await propose({ [START]: '\uFEFFa:9;\r\nb:2;\r\nc:9;\r\nd:4;\r\ne:5;' });
    await proposals.accept({ id, pieces: [take([1])] }, LABEL, journal);
    expect(await game.text(START)).toBe('\uFEFFa:1;\r\nb:2;\r\nc:9;\r\nd:4;\r\ne:5;');
    await proposals.accept({ id }, LABEL, journal);
    expect(await game.text(START)).toBe('\uFEFFa:9;\r\nb:2;\r\nc:9;\r\nd:4;\r\ne:5;');
  });

  test('takes a new file with the lines of the user, and a deletion as one piece', async () => {
    const id = await propose({ [RAIN]: 'rain;\n', [START]: null });
    await expect(proposals.accept({ id, pieces: [take([0], { 0: ['x;'] }, START)] }, LABEL)).rejects.toMatchObject({
      code: 'E_BAD_ARGS',
    });
    await proposals.accept({ id, pieces: [take([0], { 0: ['x:1;', 'y;'] }, RAIN)] }, LABEL, journal);
    expect([await game.text(RAIN), await game.text(START)]).toEqual(['x:1;\ny;\n', null]);
  });
});

describe('a choice that does not fit', () => {
  test('is refused with E_CONFLICT when the proposal has another version, and nothing is written', async () => {
    const id = await propose({ [START]: AFTER });
    const stale = take([0]);
    await game.put(START, `top;\n${BEFORE}`);
    await proposals.recheck([START]);
    await expect(proposals.accept({ id, pieces: [stale] }, LABEL)).rejects.toMatchObject({
      code: 'E_CONFLICT',
      reason: 'proposal.changed',
    });
    expect(await game.text(START)).toBe(`top;\n${BEFORE}`);
    await proposals.accept({ id, pieces: [take([0])] }, LABEL, journal);
    expect(await game.text(START)).toBe(`top;\n${textWith([0])}`);
  });

  test('is refused after a part was accepted, and after a restart', async () => {
    const id = await propose({ [START]: AFTER });
    const stale = take([6]);
    await proposals.accept({ id, pieces: [take([0])] }, LABEL, journal);
    await expect(proposals.accept({ id, pieces: [stale] }, LABEL)).rejects.toMatchObject({ code: 'E_CONFLICT' });
    expect(await game.text(START)).toBe(textWith([0]));
  });

  test.each<[string, (good: PieceRequest) => PieceRequest[]]>([
    ['a piece that is not there', (good) => [{ ...good, take: [7] }]],
    ['an edit of a piece that is not taken', (good) => [{ ...good, edited: [{ hunk: 1, lines: [] }] }]],
    ['lines with a line feed', (good) => [{ ...good, edited: [{ hunk: 0, lines: ['a\nb'] }] }]],
    ['a file twice', (good) => [good, good]],
    ['a file that is not proposed', (good) => [{ ...good, path: 'game/scene/none.txt' }]],
  ])('is refused for %s', async (_, toPieces) => {
    const id = await propose({ [START]: AFTER });
    const pieces = toPieces(take([0]));
    await expect(proposals.accept({ id, pieces }, LABEL)).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
    await expect(proposals.choose({ id, pieces })).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
    expect(await game.text(START)).toBe(BEFORE);
  });

  test('is refused for a text that could not be read back', async () => {
    const id = await propose({ [START]: AFTER });
    const pieces = [take([0], { 0: ['\ud800'] })];
    await expect(proposals.accept({ id, pieces }, LABEL)).rejects.toMatchObject({ code: 'E_ENCODING' });
  });
});

describe('a change by the user', () => {
  test('is accepted by piece and refuses what could not be read back', async () => {
    const { version } = await game.reader.read(START);
    await proposals.propose('All new', [{ path: START, base: version, before: BEFORE, text: AFTER }]);
    const id = proposals.current()?.id ?? '';
    const broken = [take([0], { 0: ['\ud800'] })];
    await expect(proposals.accept({ id, pieces: broken }, LABEL)).rejects.toMatchObject({ code: 'E_ENCODING' });
    await proposals.accept({ id, pieces: [take([0, 1])] }, LABEL);
    expect([await game.text(START), file().hunks.length]).toEqual([textWith([0, 1]), 5]);
  });
});

describe('a file that changes on disk', () => {
  test('is merged with the part at the write, and the rest with the result', async () => {
    const id = await propose({ [START]: AFTER });
    const pieces = [take([0])];
    await game.put(START, `${BEFORE}end;\n`);
    expect(await proposals.accept({ id, pieces }, LABEL, journal)).toMatchObject({
      status: 'applied',
      merged: [START],
    });
    expect(await game.text(START)).toBe(`${textWith([0])}end;\n`);
    expect(file()).toMatchObject({ hasConflict: false, after: `${AFTER}end;\n` });
    expect(file().hunks).toHaveLength(6);
  });

  test('conflicts only with the pieces that changed there', async () => {
    const id = await propose({ [START]: AFTER });
    const theirs = BEFORE.replace('a:6;', 'theirs;');
    await game.put(START, theirs);
    expect(await proposals.accept({ id, pieces: [take([3])] }, LABEL)).toEqual({
      status: 'conflict',
      conflicts: [START],
    });
    expect(await game.text(START)).toBe(theirs);
    expect(await proposals.accept({ id, pieces: [take([0])] }, LABEL, journal)).toMatchObject({ status: 'applied' });
    expect(await game.text(START)).toBe(textWith([0]).replace('a:6;', 'theirs;'));
    expect(file()).toMatchObject({ hasConflict: true });
  });

  test('can conflict with what waits after a part was accepted', async () => {
    const id = await propose({ [START]: AFTER });
    await proposals.accept({ id, pieces: [take([0])] }, LABEL, journal);
    await game.put(START, textWith([0]).replace('a:6;', 'theirs;'));
    await proposals.recheck([START]);
    expect(file()).toMatchObject({ hasConflict: true });
    expect(await proposals.accept({ id }, LABEL)).toEqual({ status: 'conflict', conflicts: [START] });
  });
});

describe('the part that is played', () => {
  test('has only the ticked pieces, until the proposal changes', async () => {
    const id = await propose({ [START]: AFTER, [RAIN]: 'rain;\n' });
    await proposals.choose({ id, paths: [START], pieces: [take([2])] });
    expect([...proposals.played()]).toEqual([[START, textWith([2])]]);
    expect(proposals.texts().get(START)).toBe(AFTER);
    await proposals.choose({ id, paths: [] });
    expect(proposals.played().size).toBe(0);
    await proposals.choose({ id });
    expect(proposals.played()).toEqual(new Map([...proposals.texts()]));
    await proposals.choose({ id, paths: [RAIN] });
    await proposals.accept({ id, pieces: [take([0])], paths: [START] }, LABEL, journal);
    expect([...proposals.played().keys()].sort()).toEqual([RAIN, START]);
  });

  test('is all of it while the assistant drafts', async () => {
    const id = await propose({ [START]: AFTER });
    await proposals.choose({ id, paths: [] });
    proposals.begin('turn-2', async () => undefined);
    expect([...proposals.played().keys()]).toEqual([START]);
    await expect(proposals.choose({ id })).rejects.toMatchObject({ code: 'E_CONFLICT' });
  });
});
