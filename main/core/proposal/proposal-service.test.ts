import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { Diagnostic } from '../../../shared/model/diagnostic.ts';
import type { Proposal } from '../../../shared/model/proposal.ts';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import type { Reader } from '../ports/reader.ts';
import type { ProgramFile } from '../ports/workspace.ts';
import type { AcceptJournal, Draft, ProposalService } from '../services.ts';
import { toTextVersion } from '../text/text-version.ts';
import { createProposalService } from './proposal-service.ts';

const START = 'game/scene/start.txt';
const RAIN = 'game/scene/rain.txt';
const LABEL = { group: 'turn-1', title: '雨夜' };

let game: ProjectFolder;
let proposals: ProposalService;
let events: { event: string; payload: unknown }[];
let kept: Draft[];

/** The diagnostic of a missing background. */
const PROBLEM = expect.objectContaining<Partial<Diagnostic>>({
  path: RAIN,
  line: 1,
  kind: 'resource',
  message: expect.stringContaining('broken.jpg'),
});

/** A review file in memory, which outlives its service like a file outlives the app. */
let stored: unknown;
let isDiskFull: boolean;
const reviewFile: ProgramFile = {
  read: async () => structuredClone(stored),
  async write(change) {
    if (isDiskFull) throw new AppError('E_IO', 'The disk is full.');
    stored = structuredClone(change);
  },
  leave: async () => undefined,
  takeOthers: async () => undefined,
};

function createProposals(reader: Reader = game.reader, closed: readonly string[] = []): ProposalService {
  let count = 0;
  return createProposalService({
    reader,
    writer: game.writer,
    emit: (event, payload) => events.push({ event, payload }),
    clock: { now: () => 1, id: () => `id-${++count}` },
    locale: () => 'en',
    closedFolders: () => closed,
    reviewFile,
  });
}

async function draft(path: string, text: string): Promise<void> {
  const there = await proposals.reader.stat(path);
  const base = there === null ? null : (await proposals.reader.read(path)).version;
  await proposals.writer.write({ path, text, base });
}

/** A journal that stores nothing but what a test replaces. */
const journalOf = (own: Partial<AcceptJournal>): AcceptJournal => ({
  keepMerged: async () => undefined,
  keepPart: async () => undefined,
  keepRest: async () => undefined,
  ...own,
});

/** What a proposal equals after a restart. */
const ofAnyVersion = (proposal: Proposal | null) => ({
  ...proposal,
  files: proposal?.files.map((file) => ({ ...file, version: expect.any(String) })),
});

const begin = (turn = 'turn-1') => proposals.begin(turn, async (entry) => void kept.push(entry));

beforeEach(async () => {
  game = await createProjectFolder({ [START]: 'a:1;\nb:2;\n', 'game/scene/end.txt': 'end;\n' });
  events = [];
  kept = [];
  stored = null;
  isDiskFull = false;
  proposals = createProposals();
});

afterEach(() => game.dispose());

describe('drafting', () => {
  test('returns drafts from reads and does not write them to disk', async () => {
    begin();
    await draft(START, 'a:1;\nx:9;\n');
    await draft('game/scene/new/deep.txt', 'hi;\n');
    expect(await game.text(START)).toBe('a:1;\nb:2;\n');
    expect(await game.text('game/scene/new/deep.txt')).toBeNull();
    expect(await proposals.reader.read(START)).toEqual({
      path: START,
      text: 'a:1;\nx:9;\n',
      ...(await toTextVersion('a:1;\nx:9;\n')),
    });
    expect(await proposals.reader.stat('game/scene/new')).toEqual({
      path: 'game/scene/new',
      bytes: 0,
      isDirectory: true,
    });
    expect((await proposals.reader.list('game/scene')).map((entry) => entry.path)).toEqual([
      'game/scene/end.txt',
      'game/scene/new',
      START,
    ]);
    expect((await proposals.reader.list('game/scene/new')).map((entry) => entry.path)).toEqual([
      'game/scene/new/deep.txt',
    ]);
    expect((await proposals.reader.list('.', { recursive: true })).map((entry) => entry.path)).toEqual([
      'game',
      'game/scene',
      'game/scene/end.txt',
      'game/scene/new',
      'game/scene/new/deep.txt',
      START,
    ]);
    expect([...proposals.texts()]).toEqual([
      ['game/scene/new/deep.txt', 'hi;\n'],
      [START, 'a:1;\nx:9;\n'],
    ]);
  });

  test('returns the version that the file has after the draft is written', async () => {
    begin();
    await draft(RAIN, '雨🌧;\n');
    const drafted = await proposals.reader.read(RAIN);
    await proposals.finish('');
    await proposals.accept({ id: proposals.current()?.id ?? '' }, LABEL);
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
            author: 'assistant',
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
                version: expect.any(String),
                added: 2,
                removed: 1,
                hasConflict: false,
              },
            ],
          },
        },
      },
    ]);
  });

  test('stores a draft only after it was recorded', async () => {
    proposals.begin('turn-1', async () => {
      throw new Error('disk full');
    });
    await expect(draft(START, 'x')).rejects.toThrow('disk full');
    expect([proposals.current(), proposals.texts().size]).toEqual([null, 0]);
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
    await expect(proposals.writer.write({ path: START, text: 'two', base: stale })).rejects.toMatchObject({
      code: 'E_CONFLICT',
      details: { paths: [START] },
    });
    await expect(proposals.writer.write({ path: START, text: 'two', base: null })).rejects.toMatchObject({
      code: 'E_CONFLICT',
    });
    expect(proposals.texts().get(START)).toBe('one');
  });

  test('rejects a draft while no turn runs', async () => {
    await expect(draft(START, 'x')).rejects.toMatchObject({ code: 'E_POLICY_VIOLATION' });
    begin();
    await draft(START, 'x');
    await proposals.finish('done');
    await expect(draft(START, 'y')).rejects.toMatchObject({ code: 'E_POLICY_VIOLATION' });
  });

  test('drafts once per idempotency key and rejects the key for another request', async () => {
    begin();
    const { version } = await game.reader.read(START);
    const change = { path: START, text: 'a:1;\nb:2;\nc;', base: version, asked: 'append c', idempotencyKey: 'k' };
    expect(await proposals.writer.write(change)).toEqual({ applied: false, drafted: true });
    expect(await proposals.writer.write({ ...change, text: 'a:1;\nb:2;\nc;c;' })).toEqual({
      applied: false,
      drafted: true,
      repeated: true,
    });
    expect(proposals.texts().get(START)).toBe('a:1;\nb:2;\nc;');
    await expect(proposals.writer.write({ ...change, asked: 'append d' })).rejects.toMatchObject({
      code: 'E_BAD_ARGS',
    });
  });
});

describe('finishing', () => {
  test('creates no proposal without drafts or if all drafts were reverted', async () => {
    begin();
    expect(await proposals.finish('done')).toBeNull();
    begin('turn-2');
    await draft(START, 'x');
    await draft(START, 'a:1;\nb:2;\n');
    expect(proposals.current()).toBeNull();
    expect(await proposals.finish('done')).toBeNull();
    expect(events.at(-1)).toEqual({ event: 'proposal.changed', payload: { proposal: null } });
  });

  test('puts a proposal in review with its new problems', async () => {
    begin();
    await draft(RAIN, 'changeBg:broken.jpg;\n');
    const proposal = await proposals.finish('Rain');
    expect(proposal).toEqual(proposals.current());
    expect(proposal).toMatchObject({ state: 'review', summary: 'Rain', newProblems: [PROBLEM] });
  });

  test('continues an open proposal under its id', async () => {
    begin();
    await draft(RAIN, 'one');
    const first = await proposals.finish('');
    begin('turn-2');
    await draft(START, 'two');
    const second = await proposals.finish('more');
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
    await proposals.propose('a is x now', await renamed());
    const id = proposals.current()?.id ?? '';
    expect(proposals.current()).toMatchObject({
      ...{ state: 'review', author: 'user', summary: 'a is x now', newProblems: [PROBLEM] },
      files: [
        { path: RAIN, from: 'game/scene/end.txt' },
        { path: START, removed: 1 },
      ],
    });
    expect(await game.text(START)).toBe('a:1;\nb:2;\n');
    expect((await proposals.accept({ id }, LABEL)).status).toBe('applied');
    expect(await game.text(START)).toBe('x:1;\nb:2;\n');
    expect((await game.snapshots.list()).map(({ origin }) => origin)).toEqual(['writer', 'writer']);
  });

  test('is rejected while another proposal is open, and ignored if it changes nothing', async () => {
    begin();
    await expect(proposals.propose('x', await renamed())).rejects.toMatchObject({ reason: 'chat.busy' });
    await draft(START, 'new');
    await proposals.finish('');
    await expect(proposals.propose('x', await renamed())).rejects.toMatchObject({ reason: 'proposal.waits' });
    expect(proposals.current()?.files.map(({ after }) => after)).toEqual(['new']);
    await proposals.discard();
    const [same] = await renamed();
    await proposals.propose('x', same ? [{ ...same, text: same.before }] : []);
    expect(proposals.current()).toBeNull();
  });

  test('is in review again after a restart, until it is decided', async () => {
    await proposals.propose('a is x now', await renamed());
    const shown = proposals.current();
    proposals = createProposals();
    expect(proposals.current()).toBeNull();
    await proposals.restoreOwn();
    expect(proposals.current()).toEqual({ ...ofAnyVersion(shown), id: expect.any(String) });
    const id = proposals.current()?.id ?? '';
    await proposals.accept({ id, paths: [RAIN] }, LABEL);

    proposals = createProposals();
    await proposals.restoreOwn();
    expect(proposals.current()?.files.map(({ path }) => path)).toEqual([START]);
    await proposals.discard();
    expect(stored).toBeNull();
    await proposals.restoreOwn();
    expect(proposals.current()).toBeNull();
  });

  test('merges after a restart, and leaves out files that have the drafted text already', async () => {
    await proposals.propose('a is x now', await renamed());
    await game.put(START, 'a:1;\nb:3;\n');
    await game.put(RAIN, 'changeBg:broken.jpg;\n');
    proposals = createProposals();
    await proposals.restoreOwn();
    expect(proposals.current()?.files).toMatchObject([{ path: START, after: 'x:1;\nb:3;\n', isMerged: true }]);
    await game.put(START, 'x:1;\nb:2;\n');
    proposals = createProposals();
    await proposals.restoreOwn();
    expect([proposals.current(), stored]).toEqual([null, null]);
  });

  test('is left for the next start while a proposal of the assistant waits, which never replaces it', async () => {
    await proposals.propose('a is x now', await renamed());
    proposals = createProposals();
    begin();
    await draft(RAIN, 'new');
    await proposals.finish('');
    await proposals.restoreOwn();
    expect(proposals.current()?.author).toBe('assistant');
    await proposals.discard();
    proposals = createProposals();
    await proposals.restoreOwn();
    expect(proposals.current()?.author).toBe('user');
  });

  test('stays in review with a warning if it cannot be stored, and ignores a stored one of an unknown form', async () => {
    isDiskFull = true;
    await proposals.propose('a is x now', await renamed());
    expect(proposals.current()?.author).toBe('user');
    expect(events).toContainEqual({
      event: 'app.noticed',
      payload: { level: 'warning', reason: 'proposal.notKept', details: {} },
    });
    isDiskFull = false;
    for (const unknown of [
      { title: 1 },
      [],
      'x',
      { title: '', drafts: [{ path: '../x', base: null, before: null, text: '' }] },
    ]) {
      stored = unknown;
      proposals = createProposals();
      await proposals.restoreOwn();
      expect(proposals.current()).toBeNull();
    }
  });

  test('reports a change that cannot be read back or forgotten', async () => {
    const warn = (problem: string) => ({
      event: 'app.noticed',
      payload: { level: 'warning', reason: `proposal.${problem}`, details: {} },
    });
    stored = '{"title": "cut';
    await proposals.restoreOwn();
    expect(events).toEqual([warn('notRestored')]);
    await proposals.propose('a is x now', await renamed());
    isDiskFull = true;
    await proposals.discard();
    expect(events.at(-1)).toEqual(warn('notForgotten'));
    isDiskFull = false;
    await proposals.discard();
    expect(stored).toBeNull();
  });

  test('leaves no drafts behind if checking it fails', async () => {
    let isBusy = true;
    proposals = createProposals({
      ...game.reader,
      list: async (...request) => {
        if (isBusy) throw new AppError('E_IO', 'The disk is busy.');
        return game.reader.list(...request);
      },
    });
    await expect(proposals.propose('x', await renamed())).rejects.toMatchObject({ code: 'E_IO' });
    isBusy = false;
    expect([proposals.current(), proposals.texts().size]).toEqual([null, 0]);
    await proposals.propose('x', await renamed());
    expect(proposals.current()?.files).toHaveLength(2);
  });
});

describe('accepting', () => {
  async function propose(files: Record<string, string>): Promise<string> {
    begin();
    for (const [path, text] of Object.entries(files)) await draft(path, text);
    return (await proposals.finish('Rain'))?.id ?? '';
  }

  test('writes all files as one group, with snapshots of the previous texts', async () => {
    const id = await propose({ [START]: 'new;\n', [RAIN]: 'rain;\n' });
    const result = await proposals.accept({ id }, LABEL);
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
    expect([proposals.current(), proposals.texts().size]).toEqual([null, 0]);
    expect(events.slice(-3)).toEqual([
      { event: 'project.filesChanged', payload: { paths: expect.arrayContaining([RAIN, START]) } },
      { event: 'history.changed', payload: {} },
      { event: 'proposal.changed', payload: { proposal: null } },
    ]);
  });

  test('keeps the drafts that were not accepted', async () => {
    const id = await propose({ [START]: 'new;\n', [RAIN]: 'changeBg:broken.jpg;\n' });
    expect(await proposals.accept({ id, paths: [START] }, LABEL)).toMatchObject({
      status: 'applied',
      files: [{ path: START }],
    });
    expect(proposals.current()).toMatchObject({ id, state: 'review', files: [{ path: RAIN }], newProblems: [PROBLEM] });
    expect(await game.text(RAIN)).toBeNull();
    await proposals.accept({ id, paths: [RAIN] }, LABEL);
    expect([await game.text(RAIN), proposals.current()]).toEqual(['changeBg:broken.jpg;\n', null]);
  });

  test('writes nothing and keeps both texts if one file conflicts', async () => {
    const id = await propose({ [START]: 'mine', [RAIN]: 'rain' });
    await game.put(START, 'edited');
    expect(await proposals.accept({ id }, LABEL)).toEqual({ status: 'conflict', conflicts: [START] });
    expect([await game.text(START), await game.text(RAIN)]).toEqual(['edited', null]);
    expect(proposals.current()?.files.map(({ path, after, hasConflict }) => ({ path, after, hasConflict }))).toEqual([
      { path: RAIN, after: 'rain', hasConflict: false },
      { path: START, after: 'mine', hasConflict: true },
    ]);
    expect(await game.snapshots.list()).toEqual([]);
  });

  test('keeps the overwritten text in a snapshot', async () => {
    const id = await propose({ [START]: 'mine' });
    await game.put(START, 'edited');
    const result = await proposals.accept({ id, overwrite: [START] }, LABEL);
    expect(result.status).toBe('applied');
    expect(await game.text(START)).toBe('mine');
    const [snapshot] = await game.snapshots.list();
    expect((await game.snapshots.read(snapshot?.id ?? '')).text).toBe('edited');
  });

  test('reports a conflict for files that were created or deleted on disk', async () => {
    const id = await propose({ [START]: 'mine', [RAIN]: 'rain' });
    await game.put(RAIN, 'edited');
    await game.remove(START);
    expect(await proposals.accept({ id }, LABEL)).toEqual({ status: 'conflict', conflicts: [RAIN, START] });
    expect(await game.text(RAIN)).toBe('edited');
    await proposals.accept({ id, overwrite: [RAIN, START] }, LABEL);
    expect([await game.text(START), await game.text(RAIN)]).toEqual(['mine', 'rain']);
  });

  test('reports a conflict for an unreadable file, even with overwrite', async () => {
    const id = await propose({ [START]: 'mine' });
    await game.put(START, Uint8Array.of(0xc4, 0xe3, 0xba));
    expect(await proposals.accept({ id, overwrite: [START] }, LABEL)).toEqual({
      status: 'conflict',
      conflicts: [START],
    });
  });

  test('reports no conflict if the disk already has the drafted text', async () => {
    const id = await propose({ [START]: 'mine' });
    await game.put(START, 'mine');
    expect(await proposals.accept({ id }, LABEL)).toMatchObject({ status: 'applied' });
    expect(proposals.current()).toBeNull();
  });

  test('rejects another id, a file outside the proposal, an empty list, and a proposal in progress', async () => {
    const id = await propose({ [START]: 'mine' });
    await expect(proposals.accept({ id: 'other' }, LABEL)).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await expect(proposals.accept({ id, paths: [RAIN] }, LABEL)).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
    await expect(proposals.accept({ id, paths: [] }, LABEL)).rejects.toMatchObject({ code: 'E_BAD_ARGS' });
    begin('turn-2');
    await expect(proposals.accept({ id }, LABEL)).rejects.toMatchObject({ code: 'E_CONFLICT' });
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
    return (await proposals.finish('Rain'))?.id ?? '';
  }

  test('is displayed merged when it changes, and accepted as displayed', async () => {
    const id = await propose();
    await game.put(START, CHANGED);
    await proposals.recheck([START]);
    expect(proposals.current()?.files).toMatchObject([
      { path: START, before: CHANGED, after: MERGED, added: 1, removed: 0, hasConflict: false, isMerged: true },
    ]);
    expect(proposals.texts().get(START)).toBe(MERGED);
    const result = await proposals.accept({ id }, LABEL);
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
    await proposals.accept({ id }, LABEL, journalOf({ keepMerged: keep }));
    expect([await game.text(START), merges.map(({ text }) => text)]).toEqual([MERGED, [MERGED]]);
  });

  test('is merged again if it changes between the check and the write', async () => {
    const id = await propose();
    await game.put(START, CHANGED);
    let late = 0;
    const keepMerged = async () => {
      late += 1;
      if (late === 1) await game.put(START, `later:0;\n${CHANGED}`);
    };
    await proposals.accept({ id }, LABEL, journalOf({ keepMerged }));
    expect([await game.text(START), late]).toEqual([`later:0;\n${MERGED}`, 2]);
  });

  test('is merged from the first draft each time, so that a past conflict disappears', async () => {
    const id = await propose();
    await game.put(START, 'top:0;\na:1;\nb:2;\nother:3;\n');
    await proposals.recheck([START]);
    expect(proposals.current()?.files).toMatchObject([{ before: BEFORE, after: AFTER, hasConflict: true }]);
    await game.put(START, CHANGED);
    await proposals.recheck([START]);
    expect(proposals.current()?.files).toMatchObject([{ after: MERGED, hasConflict: false, isMerged: true }]);
    await game.put(START, BEFORE);
    await proposals.recheck([START]);
    expect(proposals.current()?.files).toMatchObject([{ before: BEFORE, after: AFTER, hasConflict: false }]);
    expect(proposals.current()?.files[0]).not.toHaveProperty('isMerged');
    await proposals.accept({ id }, LABEL);
    expect(await game.text(START)).toBe(AFTER);
  });

  test('keeps its byte order mark, its line endings and its missing final newline', async () => {
    await game.put(START, '\uFEFFa:1;\r\nb:2;\r\nc:3;');
    const id = await propose('\uFEFFa:1;\r\nnew:9;\r\nb:2;\r\nc:3;');
    await game.put(START, '\uFEFFa:1;\r\nb:2;\r\nc:3;\r\nend:4;');
    await proposals.accept({ id }, LABEL);
    expect(await game.text(START)).toBe('\uFEFFa:1;\r\nnew:9;\r\nb:2;\r\nc:3;\r\nend:4;');
  });

  test('is not written if another file of the proposal conflicts', async () => {
    begin();
    await draft(START, AFTER);
    await draft('game/scene/end.txt', 'mine;\n');
    const id = (await proposals.finish(''))?.id ?? '';
    await game.put(START, CHANGED);
    await game.put('game/scene/end.txt', 'theirs;\n');
    expect(await proposals.accept({ id }, LABEL)).toEqual({ status: 'conflict', conflicts: ['game/scene/end.txt'] });
    expect([await game.text(START), await game.text('game/scene/end.txt')]).toEqual([CHANGED, 'theirs;\n']);
  });

  test('is merged when the turn ends, not while the assistant drafts', async () => {
    begin();
    await draft(START, AFTER);
    await game.put(START, CHANGED);
    await proposals.recheck([START]);
    expect((await proposals.reader.read(START)).text).toBe(AFTER);
    await draft(START, `${AFTER}more:4;\n`);
    await proposals.finish('');
    expect(proposals.current()?.files).toMatchObject([{ after: `${MERGED}more:4;\n`, isMerged: true }]);
    begin('turn-2');
    await draft(START, `${MERGED}last:5;\n`);
    expect(kept.at(-1)).toMatchObject({ before: CHANGED, text: `${MERGED}last:5;\n` });
  });

  test('is not merged with a base text that only a log provides', async () => {
    const id = await propose();
    await game.put(START, CHANGED);
    const forged = kept.map((each) => ({ ...each, before: 'a:1;\n' }));
    proposals = createProposals();
    await proposals.restore({ id, turn: 'turn-1', summary: '', drafts: forged });
    expect(proposals.current()?.files).toMatchObject([{ hasConflict: true }]);
    proposals = createProposals();
    await proposals.restore({ id, turn: 'turn-1', summary: '', drafts: kept });
    expect(proposals.current()?.files).toMatchObject([{ hasConflict: false, after: MERGED }]);
  });
});

describe('discarding, restoring and rechecking', () => {
  test('discards all drafts', async () => {
    begin();
    await draft(START, 'mine');
    await proposals.discard();
    expect([proposals.current(), proposals.texts().size, (await proposals.reader.read(START)).text]).toEqual([
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
    const id = (await proposals.finish('Rain'))?.id ?? '';
    const before = proposals.current();
    proposals = createProposals();
    await proposals.restore({ id, turn: 'turn-1', summary: 'Rain', drafts: kept });
    expect(proposals.current()).toEqual(ofAnyVersion(before));
    await game.put(START, 'edited');
    proposals = createProposals();
    await proposals.restore({ id, turn: 'turn-1', summary: 'Rain', drafts: kept });
    expect(proposals.current()?.files.map((file) => file.hasConflict)).toEqual([false, true]);
    await proposals.accept({ id, paths: [RAIN] }, LABEL);
    expect(await game.text(RAIN)).toBe('rain');
  });

  test('shows the text on disk as the previous text, not the one in the log', async () => {
    begin();
    await draft(START, 'theirs');
    await draft(RAIN, 'rain');
    const id = (await proposals.finish(''))?.id ?? '';
    const honest = proposals.current();
    const forged = kept.map((each) => ({ ...each, before: each.path === RAIN ? 'rain?' : 'harmless' }));
    proposals = createProposals();
    await proposals.restore({ id, turn: 'turn-1', summary: '', drafts: forged });
    expect(proposals.current()).toEqual(ofAnyVersion(honest));
  });

  test('updates the conflict flag on recheck and publishes only changes of it', async ({ onTestFinished }) => {
    // The check for problems a second later would be another event, where the machine is slow.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    begin();
    await draft(START, 'mine');
    await proposals.finish('');
    const eventCount = () => events.length;
    const initial = eventCount();
    await proposals.recheck([START, 'game/scene/end.txt']);
    expect(eventCount()).toBe(initial);
    await game.put(START, 'edited');
    await proposals.recheck(['game/scene/end.txt']);
    expect(proposals.current()?.files[0]?.hasConflict).toBe(false);
    await proposals.recheck([START]);
    expect([proposals.current()?.files[0]?.hasConflict, eventCount()]).toEqual([true, initial + 1]);
    await game.put(START, 'a:1;\nb:2;\n');
    await proposals.recheck([START]);
    expect([proposals.current()?.files[0]?.hasConflict, eventCount()]).toEqual([false, initial + 2]);
  });

  test('calls listeners on each change until they unsubscribe', async () => {
    const received: number[] = [];
    const stop = proposals.on(() => received.push(proposals.texts().size));
    begin();
    await draft(START, 'mine');
    await draft(RAIN, 'rain');
    stop();
    await proposals.discard();
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
    proposals = createProposals(game.reader, ['closed']);
    const drafts = [{ path: forbidden, base: null, before: null, text: 'evil' }];
    await expect(proposals.restore({ id: 'p', turn: 't', summary: '', drafts })).rejects.toMatchObject({
      code: 'E_DENY_PATH',
    });
    expect(proposals.current()).toBeNull();
    expect(proposals.texts().size).toBe(0);
  });

  test.each(FORBIDDEN)('%s: is not accepted, nor are the other files with it', async (forbidden) => {
    proposals = createProposals(game.reader, ['closed']);
    begin();
    await draft(START, 'new');
    // Writes to the proposal service directly, without the checks of the tools.
    await proposals.writer.write({ path: forbidden, text: 'evil', base: null }).catch(() => undefined);
    await proposals.finish('');
    const id = proposals.current()?.id ?? '';
    if (!proposals.texts().has(forbidden)) return;
    await expect(proposals.accept({ id }, LABEL)).rejects.toMatchObject({ code: 'E_DENY_PATH' });
    expect(await game.text(START)).toBe('a:1;\nb:2;\n');
    expect(await game.text(forbidden)).toBeNull();
    expect(await proposals.accept({ id, paths: [START] }, LABEL)).toMatchObject({ status: 'applied' });
  });

  test('does not write through a folder that was replaced by a link to a forbidden one', async () => {
    begin();
    await game.put('.vscode/settings.json', '{}');
    await draft('game/editor/tasks.json', 'evil');
    await proposals.finish('');
    await symlink(path.join(game.root, '.vscode'), path.join(game.root, 'game/editor'));
    await expect(proposals.accept({ id: proposals.current()?.id ?? '' }, LABEL)).rejects.toMatchObject({
      code: 'E_DENY_PATH',
    });
    expect(await game.text('.vscode/tasks.json')).toBeNull();
  });
});
