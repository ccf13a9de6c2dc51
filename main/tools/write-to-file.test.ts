import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { createDirectWriter } from '../core/capability/client/direct-writer.ts';
import { createProposalService } from '../core/proposal/proposal-service.ts';
import { DRAFT_NOTE } from '../core/proposal/text-change.ts';
import { readFile } from './read-file.ts';
import { writeToFile } from './write-to-file.ts';

const START = 'game/scene/start.txt';
let game: ProjectFolder;

beforeEach(async () => {
  game = await createProjectFolder({ [START]: 'a:1;\nb:2;\n', 'game/scene/win.txt': '\uFEFFa;\r\nb;\r\n' });
});
afterEach(() => game.dispose());

describe('with a proposal', () => {
  let bench: ReturnType<typeof createToolBench>;
  const texts = new Map<string, string | null>();

  beforeEach(() => {
    texts.clear();
    const proposals = createProposalService({
      reader: game.reader,
      writer: game.writer,
      emit: () => {},
      clock: { now: () => 1, id: () => 'proposal' },
      locale: () => 'en',
    });
    proposals.begin('turn', async ({ path, text }) => void texts.set(path, text));
    bench = createToolBench([readFile, writeToFile], { reader: proposals.reader, writer: proposals.writer });
  });

  test('refuses to overwrite a file that the user changed after it was read', async () => {
    const write = { path: START, content: 'a:1;\nb:3;\n', dryRun: false };
    await bench.value('read_file', { path: START });
    await game.put(START, 'edited');
    expect(await bench.code('write_to_file', write)).toBe('E_CONFLICT');
    expect(texts.size).toBe(0);
    await bench.value('read_file', { path: START });
    await bench.value('write_to_file', write);
    await bench.value('write_to_file', { ...write, content: 'again' });
    expect(texts.get(START)).toBe('again');
  });

  test('returns the diff of a dry run and drafts nothing', async () => {
    expect(await bench.value('write_to_file', { path: START, content: 'a:1;\nB;\n', dryRun: true })).toEqual({
      applied: false,
      diff: {
        type: 'line',
        hunks: [{ startOld: 2, lenOld: 1, startNew: 2, lenNew: 1, linesOld: ['b:2;'], linesNew: ['B;'] }],
      },
    });
    expect(texts.size).toBe(0);
  });

  test('drafts a write without a dry run, and leaves the disk unchanged', async () => {
    expect(
      await bench.value('write_to_file', { path: 'game/scene/new/x.txt', content: 'hi;\n', dryRun: false }),
    ).toEqual({
      applied: false,
      drafted: true,
      note: DRAFT_NOTE,
      diff: {
        type: 'line',
        hunks: [{ startOld: 1, lenOld: 0, startNew: 1, lenNew: 1, linesOld: [], linesNew: ['hi;'] }],
      },
    });
    expect([...texts, await game.text('game/scene/new/x.txt')]).toEqual([['game/scene/new/x.txt', 'hi;\n'], null]);
  });

  test('appends the exact text, once per key', async () => {
    const append = { path: START, content: 'c:3;', mode: 'append', dryRun: false, idempotencyKey: 'k' };
    await bench.value('write_to_file', append);
    expect(await bench.value('write_to_file', append)).toEqual({ applied: false, drafted: true, note: DRAFT_NOTE });
    expect(texts.get(START)).toBe('a:1;\nb:2;\nc:3;');
    expect(await bench.code('write_to_file', { ...append, content: 'd' })).toBe('E_BAD_ARGS');
  });

  test('keeps the byte order mark and the line endings of the file', async () => {
    await bench.value('write_to_file', { path: 'game/scene/win.txt', content: 'a;\nB;\nc;\n', dryRun: false });
    expect(texts.get('game/scene/win.txt')).toBe('\uFEFFa;\r\nB;\r\nc;\r\n');
  });
});

describe('without a proposal', () => {
  let bench: ReturnType<typeof createToolBench>;

  beforeEach(() => {
    const writer = createDirectWriter({ writer: game.writer, label: () => ({ group: 'session', title: 'session' }) });
    bench = createToolBench([writeToFile], { reader: game.reader, writer });
  });

  test('needs a dry run before a write, and snapshots', async () => {
    const change = { path: 'game/scene/t.txt', content: '你好;\n' };
    expect(await bench.code('write_to_file', { ...change, dryRun: false })).toBe('E_POLICY_VIOLATION');
    await bench.value('write_to_file', { ...change, dryRun: true });
    expect(await bench.value('write_to_file', { ...change, dryRun: false })).toEqual({
      applied: true,
      snapshotId: expect.stringMatching(/^snap_\d{8}T\d{6}_[0-9a-f]{8}$/),
      bytesWritten: 8,
      diff: expect.anything(),
    });
    expect(await game.text('game/scene/t.txt')).toBe('你好;\n');
  });

  test('reports an edit in between as a conflict, which a new dry run resolves', async () => {
    const change = { path: START, content: 'mine', mode: 'append' };
    await bench.value('write_to_file', { ...change, dryRun: true });
    await game.put(START, 'external');
    expect(await bench.code('write_to_file', { ...change, dryRun: false })).toBe('E_CONFLICT');
    expect(await game.text(START)).toBe('external');
    await bench.value('write_to_file', { ...change, dryRun: true });
    await bench.value('write_to_file', { ...change, dryRun: false });
    expect(await game.text(START)).toBe('externalmine');
  });

  test('changes no byte when a text is read and written back', async () => {
    const content = '\uFEFFa;\r\nb;\r\n';
    await bench.value('write_to_file', { path: 'game/scene/win.txt', content, dryRun: true });
    await bench.value('write_to_file', { path: 'game/scene/win.txt', content, dryRun: false });
    expect(await game.text('game/scene/win.txt')).toBe(content);
  });

  test.each([
    [{ path: START, content: 'gone' }, 'E_BAD_ARGS'],
    [{ path: 'game/scene', content: 'x', dryRun: true }, 'E_BAD_ARGS'],
    [{ path: START, content: '\ud800', dryRun: true }, 'E_ENCODING'],
    [{ path: START, content: '雨'.repeat(2 << 20), dryRun: true }, 'E_TOO_LARGE'],
    [{ path: 'game/figure/new.png', content: 'x', dryRun: false }, 'E_ENCODING'],
    [{ path: '../x.txt', content: 'x', dryRun: true }, 'E_DENY_PATH'],
    [{ path: '.webgal_agent/audit.jsonl', content: 'x', dryRun: true }, 'E_DENY_PATH'],
    [{ path: START, content: 'x', dryRun: 'perhaps' }, 'E_BAD_ARGS'],
    [{ path: START, content: 'x', dryRun: 'false' }, 'E_BAD_ARGS'],
    [{ path: START, content: 'x', mode: 'prepend', dryRun: true }, 'E_BAD_ARGS'],
  ])('refuses invalid calls without changing the file: %#', async (input, code) => {
    expect(await bench.code('write_to_file', input)).toBe(code);
    expect(await game.text(START)).toBe('a:1;\nb:2;\n');
  });

  test('leaves a file that is not UTF-8 unchanged', async () => {
    const bytes = Uint8Array.of(0xc4, 0xe3, 0xba);
    await game.put('game/scene/gbk.txt', bytes);
    expect(await bench.code('write_to_file', { path: 'game/scene/gbk.txt', content: 'x', dryRun: true })).toBe(
      'E_ENCODING',
    );
  });
});
