import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { createDirectWriter } from '../core/capability/client/direct-writer.ts';
import { createProposalService } from '../core/proposal/proposal-service.ts';
import { DRAFT_NOTE } from '../core/proposal/text-change.ts';
import type { Draft, ProposalService } from '../core/services.ts';
import { deleteFile } from './delete-file.ts';
import { listFiles } from './list-files.ts';
import { readFile } from './read-file.ts';
import { writeToFile } from './write-to-file.ts';

const START = 'game/scene/start.txt';
const END = 'game/scene/end.txt';
const LABEL = { group: 'turn', title: 'title' };
const tools = [deleteFile, listFiles, readFile, writeToFile];

let game: ProjectFolder;
let proposals: ProposalService;
let kept: Draft[];
let bench: ReturnType<typeof createToolBench>;

function createProposals(): ProposalService {
  const { reader, writer } = game;
  return createProposalService({
    reader,
    writer,
    emit: () => {},
    clock: { now: () => 1, id: () => 'id' },
    locale: () => 'en',
  });
}

beforeEach(async () => {
  game = await createProjectFolder({
    [START]: '甲:你好;\nchangeScene:end.txt;\n',
    [END]: '甲:再见;\nend;\n',
    'game/figure/a.png': Uint8Array.of(0x89, 0x50, 0xff),
  });
  kept = [];
  proposals = createProposals();
  proposals.begin('turn', async (draft) => void kept.push(draft));
  bench = createToolBench(tools, { reader: proposals.reader, writer: proposals.writer });
});
afterEach(() => game.dispose());

test('drafts a removal: hidden from the assistant, still on disk, with the problems it causes', async () => {
  expect(await bench.value('delete_file', { path: END })).toEqual({ applied: false, drafted: true, note: DRAFT_NOTE });
  expect(await game.text(END)).toBe('甲:再见;\nend;\n');
  expect(await bench.value('list_files', { path: 'game/scene' })).toEqual({ entries: ['start.txt'] });
  expect(await bench.code('read_file', { path: END })).toBe('E_NOT_FOUND');
  expect(await bench.code('delete_file', { path: END })).toBe('E_NOT_FOUND');
  const proposal = await proposals.finish('');
  expect(proposal?.files).toEqual([
    {
      path: END,
      version: expect.any(String),
      before: '甲:再见;\nend;\n',
      after: null,
      hunks: [{ startOld: 1, lenOld: 2, startNew: 1, lenNew: 0, linesOld: ['甲:再见;', 'end;'], linesNew: [] }],
      added: 0,
      removed: 2,
      hasConflict: false,
    },
  ]);
  expect(proposal?.newProblems.map(({ path, line }) => [path, line])).toContainEqual([START, 2]);
});

test('removes the file on acceptance and snapshots its text', async () => {
  await bench.value('delete_file', { path: END });
  await proposals.finish('');
  expect(await proposals.accept({ id: 'id' }, LABEL)).toMatchObject({ status: 'applied', files: [{ path: END }] });
  expect(await game.text(END)).toBeNull();
  const [snapshot] = await game.snapshots.list();
  expect((await game.snapshots.read(snapshot?.id ?? '')).text).toBe('甲:再见;\nend;\n');
});

test('keeps a file that changed in the meantime, and reports no conflict for one that is gone', async () => {
  await bench.value('delete_file', { path: END });
  await proposals.finish('');
  await game.put(END, 'edited');
  expect(await proposals.accept({ id: 'id' }, LABEL)).toEqual({ status: 'conflict', conflicts: [END] });
  expect(await game.text(END)).toBe('edited');
  await game.remove(END);
  expect(await proposals.accept({ id: 'id' }, LABEL)).toMatchObject({ status: 'applied' });
});

test('allows writing the file again, and restores the draft after a restart', async () => {
  await bench.value('delete_file', { path: END });
  await bench.value('write_to_file', { path: END, content: '新;\n', dryRun: false });
  await bench.value('delete_file', { path: START });
  await proposals.finish('');
  const before = proposals.current();
  expect(before?.files.map(({ path, after }) => [path, after])).toEqual([
    [END, '新;\n'],
    [START, null],
  ]);
  proposals = createProposals();
  await proposals.restore({ id: 'id', turn: 'turn', summary: '', drafts: kept });
  const files = before?.files.map((file) => ({ ...file, version: expect.any(String) }));
  expect(proposals.current()).toEqual({ ...before, files });
});

test('drafts nothing when a new file is removed again', async () => {
  await bench.value('write_to_file', { path: 'game/scene/new.txt', content: 'x', dryRun: false });
  await bench.value('delete_file', { path: 'game/scene/new.txt' });
  expect(await proposals.finish('')).toBeNull();
});

test('removes the file after consent without a proposal, and snapshots its text', async () => {
  const writer = createDirectWriter({ writer: game.writer, label: () => LABEL });
  const direct = createToolBench(tools, { reader: game.reader, writer });
  expect(await direct.value('delete_file', { path: END })).toEqual({ applied: true, snapshotId: expect.any(String) });
  expect(await game.text(END)).toBeNull();
});

test.each([
  ['game/scene', 'E_BAD_ARGS'],
  ['game/scene/none.txt', 'E_NOT_FOUND'],
  ['game/figure/a.png', 'E_ENCODING'],
  ['.git/config', 'E_DENY_PATH'],
])('refuses %s with %s', async (path, code) => {
  expect(await bench.code('delete_file', { path })).toBe(code);
});

test('refuses to remove a file that the user changed after it was read', async () => {
  await bench.value('read_file', { path: END });
  await game.put(END, 'edited');
  expect(await bench.code('delete_file', { path: END })).toBe('E_CONFLICT');
});
