import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { readFile } from './read-file.ts';

const START = 'game/scene/start.txt';
let game: ProjectFolder;
let bench: ReturnType<typeof createToolBench>;

beforeEach(async () => {
  game = await createProjectFolder({
    [START]: '\uFEFF:欢迎;\r\n二;\r\n',
    'game/scene/empty.txt': '',
    'game/scene/gbk.txt': Uint8Array.of(0xc4, 0xe3, 0xba),
    'big.txt': 'x'.repeat(6 << 20),
    '.git/config': 'x',
  });
  bench = createToolBench([readFile], { reader: game.reader });
});
afterEach(() => game.dispose());

test('returns the text with its size', async () => {
  expect(await bench.value('read_file', { path: './game//scene/start.txt' })).toEqual({
    path: START,
    content: '\uFEFF:欢迎;\r\n二;\r\n',
    encoding: 'utf-8',
    bytes: new TextEncoder().encode('\uFEFF:欢迎;\r\n二;\r\n').length,
  });
  expect(await bench.value('read_file', { path: 'game/scene/empty.txt' })).toMatchObject({ content: '', bytes: 0 });
});

test('returns a range of lines', async () => {
  expect(await bench.value('read_file', { path: START, offset: 2, limit: 1 })).toMatchObject({
    content: '二;\r',
    totalLines: 3,
  });
  expect(await bench.value('read_file', { path: START, offset: 9 })).toMatchObject({ content: '', totalLines: 3 });
});

test('returns lines of a file above the size limit, and a hint when nothing can be read', async () => {
  await game.put('long.txt', `${'x'.repeat(1023)}\n`.repeat(6 * 1024));
  const value = await bench.value('read_file', { path: 'long.txt', offset: 6000, limit: 2 });
  expect(value).toEqual({
    ...{ path: 'long.txt', encoding: 'utf-8', bytes: 6 << 20, totalLines: 6 * 1024 + 1 },
    content: `${'x'.repeat(1023)}\n${'x'.repeat(1023)}`,
  });
  const hint = async (input: object) => (await bench.call('read_file', { path: 'long.txt', ...input })).error?.hint;
  expect([await hint({}), await hint({ offset: 1 }), await hint({ limit: 1, maxBytes: 9 })]).toEqual([
    'Read some of its lines with offset and limit.',
    'Ask for fewer lines with limit.',
    'Raise maxBytes, or leave it out.',
  ]);
});

test.each([
  [{ path: START, maxBytes: 5 }, 'E_TOO_LARGE'],
  [{ path: 'big.txt' }, 'E_TOO_LARGE'],
  [{ path: 'big.txt', maxBytes: 100_000_000 }, 'E_TOO_LARGE'],
  [{ path: START, maxBytes: 0 }, 'E_BAD_ARGS'],
  [{ path: 'game/scene/none.txt' }, 'E_NOT_FOUND'],
  [{ path: 'game/scene/gbk.txt' }, 'E_ENCODING'],
  [{ path: 'game' }, 'E_BAD_ARGS'],
  [{ path: '.git/config' }, 'E_DENY_PATH'],
  [{ path: 'a/.git/x' }, 'E_DENY_PATH'],
  [{ path: '.env' }, 'E_DENY_PATH'],
])('refuses %j with %s', async (input, code) => {
  expect(await bench.code('read_file', input)).toBe(code);
});

test('suggests similar names for a missing file', async () => {
  const { error } = await bench.call('read_file', { path: 'game/scene/strat.txt' });
  expect([error?.details, error?.hint]).toEqual([
    { path: 'game/scene/strat.txt', near: [START] },
    `Did you mean ${START}?`,
  ]);
  const elsewhere = await bench.call('read_file', { path: 'start.txt' });
  expect(elsewhere.error?.hint).toBe(`Did you mean ${START}?`);
});
