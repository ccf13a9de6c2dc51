import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { createMatcher } from '../node/search/matcher.ts';
import { searchFiles } from './search-files.ts';

const matcher = createMatcher();
let game: ProjectFolder;
let bench: ReturnType<typeof createToolBench>;

beforeEach(async () => {
  game = await createProjectFolder({
    'game/scene/start.txt': ':欢迎来到 WebGAL;\n',
    'game/scene/t1.txt': '雪乃: 你好;\r\n雪乃: 再见;\r\n',
    'game/scene/ch/t2.txt': '由比滨: 你好;\n雪乃: 嗨;\n',
    'game/notes.md': '雪乃\n',
    'game/figure/b.png': 'WebGAL',
    'game/data.dat': Uint8Array.of(0x57, 0x65, 0x62, 0x47, 0x41, 0x4c, 0),
    'game/gbk.txt': Uint8Array.of(0xc4, 0xe3, 0xba),
    '.git/config': 'WebGAL',
  });
  bench = createToolBench([searchFiles], { reader: game.reader, matcher });
});
afterEach(() => game.dispose());
afterAll(() => matcher.close());

test('returns every matching line, with paths that read_file accepts', async () => {
  expect(await bench.value('search_files', { path: 'game/scene', regex: '雪乃', filePattern: '**/*.txt' })).toEqual({
    matches: [
      { path: 'game/scene/ch/t2.txt', line: 2, preview: '雪乃: 嗨;' },
      { path: 'game/scene/t1.txt', line: 1, preview: '雪乃: 你好;' },
      { path: 'game/scene/t1.txt', line: 2, preview: '雪乃: 再见;' },
    ],
  });
});

test('returns at most the requested number of matches', async () => {
  const input = { path: '.', regex: '雪乃', maxMatches: '2' };
  expect(((await bench.value('search_files', input)) as { matches: unknown[] }).matches).toHaveLength(2);
});

test('matches a pattern without a folder at any depth', async () => {
  const input = { path: 'game', regex: '雪乃', filePattern: '*.md' };
  expect(await bench.value('search_files', input)).toEqual({
    matches: [{ path: 'game/notes.md', line: 1, preview: '雪乃' }],
  });
});

test('searches a single file, and skips binaries and closed folders', async () => {
  const expected = { matches: [{ path: 'game/scene/start.txt', line: 1, preview: ':欢迎来到 WebGAL;' }] };
  expect(await bench.value('search_files', { path: 'game/scene/start.txt', regex: 'WebGAL' })).toEqual(expected);
  expect(await bench.value('search_files', { path: '.', regex: 'WebGAL' })).toEqual(expected);
});

test.each([
  [{ path: 'nope', regex: 'x' }, 'E_NOT_FOUND'],
  [{ path: 'game', regex: '(' }, 'E_BAD_ARGS'],
  [{ path: 'game/figure', regex: '(' }, 'E_BAD_ARGS'],
  [{ path: 'game', regex: '(?i)x' }, 'E_BAD_ARGS'],
  [{ path: 'game', regex: '' }, 'E_BAD_ARGS'],
  [{ path: 'game', regex: 'x', maxMatches: 0 }, 'E_BAD_ARGS'],
  [{ path: '..', regex: 'x' }, 'E_DENY_PATH'],
])('refuses %j with %s', async (input, code) => {
  expect(await bench.code('search_files', input)).toBe(code);
});

test('terminates an endless pattern', async () => {
  await game.put('game/scene/evil.txt', `${'a'.repeat(60)}!`);
  expect(await bench.code('search_files', { path: 'game', regex: '(a+)+$' })).toBe('E_TIMEOUT');
});
