import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import { createGameFolder, type GameFolder } from '../../../tests/support/game-folder.ts';
import type { Draft, ProposalDesk } from '../areas.ts';
import type { Reader } from '../ports.ts';
import { createProposalDesk } from './proposal-desk.ts';
import { toTextVersion } from './text-version.ts';

const START = 'game/scene/start.txt';
const RAIN = 'game/scene/rain.txt';
const LABEL = { group: 'turn-1', title: '雨夜' };

let game: GameFolder;
let desk: ProposalDesk;
let events: { event: string; payload: unknown }[];
let kept: Draft[];

/** The diagnostic of a missing background. */
const PROBLEM = expect.objectContaining<Partial<Diagnostic>>({
  path: RAIN,
  line: 1,
  kind: 'resource',
  message: expect.stringContaining('broken.jpg'),
});

function createDesk(reader: Reader = game.reader, closed: readonly string[] = []): ProposalDesk {
  let count = 0;
  return createProposalDesk({
    reader,
    writer: game.writer,
    emit: (event, payload) => events.push({ event, payload }),
    clock: { now: () => 1, id: () => `id-${++count}` },
    locale: () => 'en',
    closedFolders: () => closed,
  });
}

async function draft(path: string, text: string): Promise<void> {
  const there = await desk.reader.stat(path);
  const base = there === null ? null : (await desk.reader.read(path)).version;
  await desk.writer.write({ path, text, base });
}

const begin = (turn = 'turn-1') => desk.begin(turn, async (entry) => void kept.push(entry));

beforeEach(async () => {
  game = await createGameFolder({ [START]: 'a:1;\nb:2;\n', 'game/scene/end.txt': 'end;\n' });
  events = [];
  kept = [];
  desk = createDesk();
});

afterEach(() => game.dispose());

describe('drafting', () => {
  test('returns drafts from reads and does not write them to disk', async () => {
    begin();
    await draft(START, 'a:1;\nx:9;\n');
    await draft('game/scene/new/deep.txt', 'hi;\n');
    expect(await game.text(START)).toBe('a:1;\nb:2;\n');
    expect(await game.text('game/scene/new/deep.txt')).toBeNull();
    expect(await desk.reader.read(START)).toEqual({
      path: START,
      text: 'a:1;\nx:9;\n',
      ...(await toTextVersion('a:1;\nx:9;\n')),
    });
    expect(await desk.reader.stat('game/scene/new')).toEqual({ path: 'game/scene/new', bytes: 0, isDirectory: true });
    expect((await desk.reader.list('game/scene')).map((entry) => entry.path)).toEqual([
      'game/scene/end.txt',
      'game/scene/new',
      START,
    ]);
    expect((await desk.reader.list('game/scene/new')).map((entry) => entry.path)).toEqual(['game/scene/new/deep.txt']);
    expect((await desk.reader.list('.', { recursive: true })).map((entry) => entry.path)).toEqual([
      'game',
      'game/scene',
      'game/scene/end.txt',
      'game/scene/new',
      'game/scene/new/deep.txt',
      START,
    ]);
    expect([...desk.texts()]).toEqual([
      ['game/scene/new/deep.txt', 'hi;\n'],
      [START, 'a:1;\nx:9;\n'],
    ]);
  });

  test('returns the version that the file has after the draft is written', async () => {
    begin();
    await draft(RAIN, '雨🌧;\n');
    const drafted = await desk.reader.read(RAIN);
    await desk.finish('');
    await desk.accept({ id: desk.current()?.id ?? '' }, LABEL);
    expect(await game.reader.read(RAIN)).toEqual(drafted);
  });

  test('publishes each draft with hunks and line counts', async () => {
    begin();
    await draft(START, 'a:1;\nc:3;\nd:4;\n');
    expect(events).toEqual([
      {
        event: 'proposal.changed',
        payload: {
          proposal: {
            id: 'id-1',
            turn: 'turn-1',
            state: 'drafting',
            summary: '',
            newProblems: [],
            files: [
              {
                path: START,
                before: 'a:1;\nb:2;\n',
                after: 'a:1;\nc:3;\nd:4;\n',
                hunks: [
                  { startOld: 2, lenOld: 1, startNew: 2, lenNew: 2, linesOld: ['b:2;'], linesNew: ['c:3;', 'd:4;'] },
                ],
                added: 2,
                removed: 1,
                clash: false,
              },
            ],
          },
        },
      },
    ]);
  });

  test('stores a draft only after it was recorded', async () => {
    desk.begin('turn-1', async () => {
      throw new Error('disk full');
    });
    await expect(draft(START, 'x')).rejects.toThrow('disk full');
    expect([desk.current(), desk.texts().size]).toEqual([null, 0]);
  });

  test('keeps the first text as `before` however often a file is rewritten', async () => {
    begin();
    await draft(START, 'one');
    await draft(START, 'two');
    const base = (await game.reader.read(START)).version;
    expect(kept).toEqual([
      { path: START, base, before: 'a:1;\nb:2;\n', text: 'one' },
      { path: START, base, before: 'a:1;\nb:2;\n', text: 'two' },
    ]);
  });

  test('rejects a draft whose base is not the current version', async () => {
    begin();
    await draft(START, 'one');
    const stale = (await game.reader.read(START)).version;
    await expect(desk.writer.write({ path: START, text: 'two', base: stale })).rejects.toMatchObject({
      code: 'E_CONFLICT',
      details: { paths: [START] },
    });
    await expect(desk.writer.write({ path: START, text: 'two', base: null })).rejects.toMatchObject({
      code: 'E_CONFLICT',
    });
    expect(desk.texts().get(START)).toBe('one');
  });

  test('rejects a draft while no turn runs', async () => {
    await expect(draft(START, 'x')).rejects.toMatchObject({ code: 'E_POLICY_VIOLATION' });
    begin();
    await draft(START, 'x');
    await desk.finish('done');
    await expect(draft(START, 'y')).rejects.toMatchObject({ code: 'E_POLICY_VIOLATION' });
  });

  test('drafts once per idempotency key and rejects the key for another request', async () => {
    begin();
    const { version } = await game.reader.read(START);
    const change = { path: START, text: 'a:1;\nb:2;\nc;', base: version, asked: 'append c', idempotencyKey: 'k' };
    expect(await desk.writer.write(change)).toEqual({ applied: false, drafted: true });
    expect(await desk.writer.write({ ...change, text: 'a:1;\nb:2;\nc;c;' })).toEqual({
      applied: false,
      drafted: true,
      repeated: true,
    });
    expect(desk.texts().get(START)).toBe('a:1;\nb:2;\nc;');
    await expect(desk.writer.write({ ...change, asked: 'append d' })).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
  });
});

describe('finishing', () => {
  test('creates no proposal without drafts or if all drafts were reverted', async () => {
    begin();
    expect(await desk.finish('done')).toBeNull();
    begin('turn-2');
    await draft(START, 'x');
    await draft(START, 'a:1;\nb:2;\n');
    expect(desk.current()).toBeNull();
    expect(await desk.finish('done')).toBeNull();
    expect(events.at(-1)).toEqual({ event: 'proposal.changed', payload: { proposal: null } });
  });

  test('puts a proposal in review with its new problems', async () => {
    begin();
    await draft(RAIN, 'changeBg:broken.jpg;\n');
    const proposal = await desk.finish('Rain');
    expect(proposal).toEqual(desk.current());
    expect(proposal).toMatchObject({ state: 'review', summary: 'Rain', newProblems: [PROBLEM] });
  });

  test('continues an open proposal under its id', async () => {
    begin();
    await draft(RAIN, 'one');
    const first = await desk.finish('');
    begin('turn-2');
    await draft(START, 'two');
    const second = await desk.finish('more');
    expect(second).toMatchObject({ id: first?.id, turn: 'turn-2', state: 'review' });
    expect(second?.files.map((file) => file.path)).toEqual([RAIN, START]);
  });
});

describe('a change by the user', () => {
  const renamed = async (): Promise<Draft[]> => [
    { path: START, base: (await game.reader.read(START)).version, before: 'a:1;\nb:2;\n', text: 'x:1;\nb:2;\n' },
    { path: RAIN, base: null, before: null, text: 'changeBg:broken.jpg;\n', from: 'game/scene/end.txt' },
  ];

  test('is in review at once, with its new problems, and has the user as origin in the history', async () => {
    await desk.propose('a is x now', await renamed());
    const id = desk.current()?.id ?? '';
    expect(desk.current()).toMatchObject({
      ...{ state: 'review', isByUser: true, summary: 'a is x now', newProblems: [PROBLEM] },
      files: [
        { path: RAIN, from: 'game/scene/end.txt' },
        { path: START, removed: 1 },
      ],
    });
    expect(await game.text(START)).toBe('a:1;\nb:2;\n');
    expect((await desk.accept({ id }, LABEL)).status).toBe('applied');
    expect(await game.text(START)).toBe('x:1;\nb:2;\n');
    expect((await game.snapshots.list()).map(({ origin }) => origin)).toEqual(['writer', 'writer']);
  });

  test('is rejected while another proposal is open, and ignored if it changes nothing', async () => {
    begin();
    await expect(desk.propose('x', await renamed())).rejects.toMatchObject({ reason: 'proposal.waits' });
    await draft(START, 'new');
    await desk.finish('');
    await expect(desk.propose('x', await renamed())).rejects.toMatchObject({ reason: 'proposal.waits' });
    expect(desk.current()?.files.map(({ after }) => after)).toEqual(['new']);
    desk.discard();
    const [same] = await renamed();
    await desk.propose('x', same ? [{ ...same, text: same.before }] : []);
    expect(desk.current()).toBeNull();
  });

  test('leaves no drafts behind if checking it fails', async () => {
    let isBusy = true;
    desk = createDesk({
      ...game.reader,
      list: async (...request) => {
        if (isBusy) throw new AppError('E_IO', 'The disk is busy.');
        return game.reader.list(...request);
      },
    });
    await expect(desk.propose('x', await renamed())).rejects.toMatchObject({ code: 'E_IO' });
    isBusy = false;
    expect([desk.current(), desk.texts().size]).toEqual([null, 0]);
    await desk.propose('x', await renamed());
    expect(desk.current()?.files).toHaveLength(2);
  });
});

describe('accepting', () => {
  async function propose(files: Record<string, string>): Promise<string> {
    begin();
    for (const [path, text] of Object.entries(files)) await draft(path, text);
    return (await desk.finish('Rain'))?.id ?? '';
  }

  test('writes all files as one group, with snapshots of the previous texts', async () => {
    const id = await propose({ [START]: 'new;\n', [RAIN]: 'rain;\n' });
    const result = await desk.accept({ id }, LABEL);
    expect([await game.text(START), await game.text(RAIN)]).toEqual(['new;\n', 'rain;\n']);
    const snapshots = await game.snapshots.list();
    expect(result).toEqual({
      status: 'applied',
      group: 'turn-1',
      files: expect.arrayContaining(
        snapshots.map(({ path, id: snapshotId }) => expect.objectContaining({ path, snapshotId })),
      ),
      merged: [],
    });
    const { version } = await game.reader.read(START);
    expect(result).toMatchObject({
      files: expect.arrayContaining([expect.objectContaining({ path: START, version })]),
    });
    expect(
      snapshots
        .map(({ path, existed, origin, group, title }) => ({ path, existed, origin, group, title }))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
    ).toEqual([
      { path: RAIN, existed: false, origin: 'agent', ...LABEL },
      { path: START, existed: true, origin: 'agent', ...LABEL },
    ]);
    expect([desk.current(), desk.texts().size]).toEqual([null, 0]);
    expect(events.slice(-3)).toEqual([
      { event: 'project.filesChanged', payload: { paths: expect.arrayContaining([RAIN, START]) } },
      { event: 'history.changed', payload: {} },
      { event: 'proposal.changed', payload: { proposal: null } },
    ]);
  });

  test('keeps the drafts that were not accepted', async () => {
    const id = await propose({ [START]: 'new;\n', [RAIN]: 'changeBg:broken.jpg;\n' });
    expect(await desk.accept({ id, paths: [START] }, LABEL)).toMatchObject({
      status: 'applied',
      files: [{ path: START }],
    });
    expect(desk.current()).toMatchObject({ id, state: 'review', files: [{ path: RAIN }], newProblems: [PROBLEM] });
    expect(await game.text(RAIN)).toBeNull();
    await desk.accept({ id, paths: [RAIN] }, LABEL);
    expect([await game.text(RAIN), desk.current()]).toEqual(['changeBg:broken.jpg;\n', null]);
  });

  test('writes nothing and keeps both texts if one file conflicts', async () => {
    const id = await propose({ [START]: 'mine', [RAIN]: 'rain' });
    await game.put(START, 'edited');
    expect(await desk.accept({ id }, LABEL)).toEqual({ status: 'clash', clashes: [START] });
    expect([await game.text(START), await game.text(RAIN)]).toEqual(['edited', null]);
    expect(desk.current()?.files.map(({ path, after, clash }) => ({ path, after, clash }))).toEqual([
      { path: RAIN, after: 'rain', clash: false },
      { path: START, after: 'mine', clash: true },
    ]);
    expect(await game.snapshots.list()).toEqual([]);
  });

  test('keeps the overwritten text in a snapshot', async () => {
    const id = await propose({ [START]: 'mine' });
    await game.put(START, 'edited');
    const result = await desk.accept({ id, overwrite: [START] }, LABEL);
    expect(result.status).toBe('applied');
    expect(await game.text(START)).toBe('mine');
    const [snapshot] = await game.snapshots.list();
    expect((await game.snapshots.read(snapshot?.id ?? '')).text).toBe('edited');
  });

  test('reports a conflict for files that were created or deleted on disk', async () => {
    const id = await propose({ [START]: 'mine', [RAIN]: 'rain' });
    await game.put(RAIN, 'edited');
    await game.remove(START);
    expect(await desk.accept({ id }, LABEL)).toEqual({ status: 'clash', clashes: [RAIN, START] });
    expect(await game.text(RAIN)).toBe('edited');
    await desk.accept({ id, overwrite: [RAIN, START] }, LABEL);
    expect([await game.text(START), await game.text(RAIN)]).toEqual(['mine', 'rain']);
  });

  test('reports a conflict for an unreadable file, even with overwrite', async () => {
    const id = await propose({ [START]: 'mine' });
    await game.put(START, Uint8Array.of(0xc4, 0xe3, 0xba));
    expect(await desk.accept({ id, overwrite: [START] }, LABEL)).toEqual({ status: 'clash', clashes: [START] });
  });

  test('reports no conflict if the disk already has the drafted text', async () => {
    const id = await propose({ [START]: 'mine' });
    await game.put(START, 'mine');
    expect(await desk.accept({ id }, LABEL)).toMatchObject({ status: 'applied' });
    expect(desk.current()).toBeNull();
  });

  test('rejects another id, a file outside the proposal, an empty list, and a proposal in progress', async () => {
    const id = await propose({ [START]: 'mine' });
    await expect(desk.accept({ id: 'other' }, LABEL)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await expect(desk.accept({ id, paths: [RAIN] }, LABEL)).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
    await expect(desk.accept({ id, paths: [] }, LABEL)).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
    begin('turn-2');
    await expect(desk.accept({ id }, LABEL)).rejects.toMatchObject({ code: 'E_CONFLICT' });
    expect(await game.text(START)).toBe('a:1;\nb:2;\n');
  });
});

describe('a file whose other lines changed on disk', () => {
  const BEFORE = 'a:1;\nb:2;\n';
  const AFTER = 'a:1;\nb:2;\nnew:3;\n';
  const CHANGED = 'top:0;\na:1;\nb:2;\n';
  const MERGED = 'top:0;\na:1;\nb:2;\nnew:3;\n';

  async function propose(text = AFTER): Promise<string> {
    begin();
    await draft(START, text);
    return (await desk.finish('Rain'))?.id ?? '';
  }

  test('is displayed merged when it changes, and accepted as displayed', async () => {
    const id = await propose();
    await game.put(START, CHANGED);
    await desk.recheck([START]);
    expect(desk.current()?.files).toMatchObject([
      { path: START, before: CHANGED, after: MERGED, added: 1, removed: 0, clash: false, isMerged: true },
    ]);
    expect(desk.texts().get(START)).toBe(MERGED);
    const result = await desk.accept({ id }, LABEL);
    expect(result).toMatchObject({ status: 'applied', merged: [START] });
    expect(await game.text(START)).toBe(MERGED);
    const [snapshot] = await game.snapshots.list();
    expect((await game.snapshots.read(snapshot?.id ?? '')).text).toBe(CHANGED);
  });

  test('is merged on acceptance and written after the merge was recorded', async () => {
    const id = await propose();
    await game.put(START, CHANGED);
    const merges: Draft[] = [];
    const keep = async (merged: Draft) => {
      expect(await game.text(START)).toBe(CHANGED);
      merges.push(merged);
    };
    await desk.accept({ id }, LABEL, keep);
    expect([await game.text(START), merges.map(({ text }) => text)]).toEqual([MERGED, [MERGED]]);
  });

  test('is merged again if it changes between the check and the write', async () => {
    const id = await propose();
    await game.put(START, CHANGED);
    let late = 0;
    await desk.accept({ id }, LABEL, async () => {
      late += 1;
      if (late === 1) await game.put(START, `later:0;\n${CHANGED}`);
    });
    expect([await game.text(START), late]).toEqual([`later:0;\n${MERGED}`, 2]);
  });

  test('is merged from the first draft each time, so that a past conflict disappears', async () => {
    const id = await propose();
    await game.put(START, 'top:0;\na:1;\nb:2;\nother:3;\n');
    await desk.recheck([START]);
    expect(desk.current()?.files).toMatchObject([{ before: BEFORE, after: AFTER, clash: true }]);
    await game.put(START, CHANGED);
    await desk.recheck([START]);
    expect(desk.current()?.files).toMatchObject([{ after: MERGED, clash: false, isMerged: true }]);
    await game.put(START, BEFORE);
    await desk.recheck([START]);
    expect(desk.current()?.files).toMatchObject([{ before: BEFORE, after: AFTER, clash: false }]);
    expect(desk.current()?.files[0]).not.toHaveProperty('isMerged');
    await desk.accept({ id }, LABEL);
    expect(await game.text(START)).toBe(AFTER);
  });

  test('keeps its byte order mark, its line endings and its missing final newline', async () => {
    await game.put(START, '\uFEFFa:1;\r\nb:2;\r\nc:3;');
    const id = await propose('\uFEFFa:1;\r\nnew:9;\r\nb:2;\r\nc:3;');
    await game.put(START, '\uFEFFa:1;\r\nb:2;\r\nc:3;\r\nend:4;');
    await desk.accept({ id }, LABEL);
    expect(await game.text(START)).toBe('\uFEFFa:1;\r\nnew:9;\r\nb:2;\r\nc:3;\r\nend:4;');
  });

  test('is not written if another file of the proposal conflicts', async () => {
    begin();
    await draft(START, AFTER);
    await draft('game/scene/end.txt', 'mine;\n');
    const id = (await desk.finish(''))?.id ?? '';
    await game.put(START, CHANGED);
    await game.put('game/scene/end.txt', 'theirs;\n');
    expect(await desk.accept({ id }, LABEL)).toEqual({ status: 'clash', clashes: ['game/scene/end.txt'] });
    expect([await game.text(START), await game.text('game/scene/end.txt')]).toEqual([CHANGED, 'theirs;\n']);
  });

  test('is merged when the turn ends, not while the assistant drafts', async () => {
    begin();
    await draft(START, AFTER);
    await game.put(START, CHANGED);
    await desk.recheck([START]);
    expect((await desk.reader.read(START)).text).toBe(AFTER);
    await draft(START, `${AFTER}more:4;\n`);
    await desk.finish('');
    expect(desk.current()?.files).toMatchObject([{ after: `${MERGED}more:4;\n`, isMerged: true }]);
    begin('turn-2');
    await draft(START, `${MERGED}last:5;\n`);
    expect(kept.at(-1)).toMatchObject({ before: CHANGED, text: `${MERGED}last:5;\n` });
  });

  test('is not merged with a base text that only a log provides', async () => {
    const id = await propose();
    await game.put(START, CHANGED);
    const forged = kept.map((each) => ({ ...each, before: 'a:1;\n' }));
    desk = createDesk();
    await desk.restore({ id, turn: 'turn-1', summary: '', drafts: forged });
    expect(desk.current()?.files).toMatchObject([{ clash: true }]);
    desk = createDesk();
    await desk.restore({ id, turn: 'turn-1', summary: '', drafts: kept });
    expect(desk.current()?.files).toMatchObject([{ clash: false, after: MERGED }]);
  });
});

describe('discarding, restoring and rechecking', () => {
  test('discards all drafts', async () => {
    begin();
    await draft(START, 'mine');
    desk.discard();
    expect([desk.current(), desk.texts().size, (await desk.reader.read(START)).text]).toEqual([
      null,
      0,
      'a:1;\nb:2;\n',
    ]);
    expect(events.at(-1)).toEqual({ event: 'proposal.changed', payload: { proposal: null } });
    await expect(draft(START, 'x')).rejects.toMatchObject({ code: 'E_POLICY_VIOLATION' });
  });

  test('restores the last draft of each file after a restart and detects conflicts', async () => {
    begin();
    await draft(START, 'one');
    await draft(START, 'two');
    await draft(RAIN, 'rain');
    const id = (await desk.finish('Rain'))?.id ?? '';
    const before = desk.current();
    desk = createDesk();
    await desk.restore({ id, turn: 'turn-1', summary: 'Rain', drafts: kept });
    expect(desk.current()).toEqual(before);
    await game.put(START, 'edited');
    desk = createDesk();
    await desk.restore({ id, turn: 'turn-1', summary: 'Rain', drafts: kept });
    expect(desk.current()?.files.map((file) => file.clash)).toEqual([false, true]);
    await desk.accept({ id, paths: [RAIN] }, LABEL);
    expect(await game.text(RAIN)).toBe('rain');
  });

  test('shows the text on disk as the previous text, not the one in the log', async () => {
    begin();
    await draft(START, 'theirs');
    await draft(RAIN, 'rain');
    const id = (await desk.finish(''))?.id ?? '';
    const honest = desk.current();
    const forged = kept.map((each) => ({ ...each, before: each.path === RAIN ? 'rain?' : 'harmless' }));
    desk = createDesk();
    await desk.restore({ id, turn: 'turn-1', summary: '', drafts: forged });
    expect(desk.current()).toEqual(honest);
  });

  test('updates the conflict flag on recheck and publishes only changes of it', async () => {
    begin();
    await draft(START, 'mine');
    await desk.finish('');
    const eventCount = () => events.length;
    const initial = eventCount();
    await desk.recheck([START, 'game/scene/end.txt']);
    expect(eventCount()).toBe(initial);
    await game.put(START, 'edited');
    await desk.recheck(['game/scene/end.txt']);
    expect(desk.current()?.files[0]?.clash).toBe(false);
    await desk.recheck([START]);
    expect([desk.current()?.files[0]?.clash, eventCount()]).toEqual([true, initial + 1]);
    await game.put(START, 'a:1;\nb:2;\n');
    await desk.recheck([START]);
    expect([desk.current()?.files[0]?.clash, eventCount()]).toEqual([false, initial + 2]);
  });

  test('calls listeners on each change until they unsubscribe', async () => {
    const received: number[] = [];
    const stop = desk.on(() => received.push(desk.texts().size));
    begin();
    await draft(START, 'mine');
    await draft(RAIN, 'rain');
    stop();
    desk.discard();
    expect(received).toEqual([1, 2]);
  });
});

describe('a proposal with files that no tool may write', () => {
  const FORBIDDEN = [
    '.vscode/tasks.json',
    'game/.vscode/tasks.json',
    '.webgal_agent/policy.json',
    '.WEBGAL_AGENT/sessions/x.jsonl',
    '.git/hooks/post-checkout',
    '.github/workflows/run.yml',
    '.bashrc',
    '．vscode/tasks.json',
    '.npmrc',
    '../outside.txt',
    'game/scene/../../.envrc',
    'node_modules/x/index.js',
    'closed/x.txt',
  ];

  test.each(FORBIDDEN)('%s: is not restored from a log', async (forbidden) => {
    desk = createDesk(game.reader, ['closed']);
    const drafts = [{ path: forbidden, base: null, before: null, text: 'evil' }];
    await expect(desk.restore({ id: 'p', turn: 't', summary: '', drafts })).rejects.toMatchObject({
      code: 'E_DENY_PATH',
    });
    expect(desk.current()).toBeNull();
    expect(desk.texts().size).toBe(0);
  });

  test.each(FORBIDDEN)('%s: is not accepted, nor are the other files with it', async (forbidden) => {
    desk = createDesk(game.reader, ['closed']);
    begin();
    await draft(START, 'new');
    // Writes to the desk directly, without the checks of the tools.
    await desk.writer.write({ path: forbidden, text: 'evil', base: null }).catch(() => undefined);
    await desk.finish('');
    const id = desk.current()?.id ?? '';
    if (!desk.texts().has(forbidden)) return;
    await expect(desk.accept({ id }, LABEL)).rejects.toMatchObject({ code: 'E_DENY_PATH' });
    expect(await game.text(START)).toBe('a:1;\nb:2;\n');
    expect(await game.text(forbidden)).toBeNull();
    expect(await desk.accept({ id, paths: [START] }, LABEL)).toMatchObject({ status: 'applied' });
  });

  test('does not write through a folder that was replaced by a link to a forbidden one', async () => {
    begin();
    await game.put('.vscode/settings.json', '{}');
    await draft('game/editor/tasks.json', 'evil');
    await desk.finish('');
    await symlink(path.join(game.root, '.vscode'), path.join(game.root, 'game/editor'));
    await expect(desk.accept({ id: desk.current()?.id ?? '' }, LABEL)).rejects.toMatchObject({ code: 'E_DENY_PATH' });
    expect(await game.text('.vscode/tasks.json')).toBeNull();
  });
});
