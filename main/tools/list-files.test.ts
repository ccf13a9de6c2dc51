import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGameFolder, type GameFolder } from '../../tests/support/game-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { listFiles } from './list-files.ts';

let game: GameFolder;
let bench: ReturnType<typeof createToolBench>;

beforeEach(async () => {
  game = await createGameFolder({
    'game/scene/start.txt': '',
    'game/scene/ch/one.txt': '',
    'game/scene/a.md': '',
    'game/background/b.png': '',
    '.git/config': '',
    'node_modules/x/index.js': '',
    '.env': '',
    '.webgal_agent/audit.jsonl': '',
  });
  bench = createToolBench([listFiles], { reader: game.reader });
});
afterEach(() => game.dispose());

const list = (input: unknown) => bench.value('list_files', input);

test('the direct children, sorted, folders marked', async () => {
  expect(await list({ path: 'game/scene' })).toEqual({ entries: ['a.md', 'ch/', 'start.txt'] });
});

test('globs reach below, and the answer is relative to the folder', async () => {
  expect(await list({ path: 'game/scene', globs: ['**/*.txt'] })).toEqual({ entries: ['ch/one.txt', 'start.txt'] });
  expect(await list({ path: 'game/scene', globs: ['*.md', '*.txt'] })).toEqual({ entries: ['a.md', 'start.txt'] });
  expect(await list({ path: 'game/scene', globs: '**/*.md' })).toEqual({ entries: ['a.md'] });
});

test('folders only, with and without globs', async () => {
  expect(await list({ path: 'game', dirsOnly: true })).toEqual({ entries: ['background/', 'scene/'] });
  expect(await list({ path: 'game', dirsOnly: true, globs: ['**/*'] })).toEqual({
    entries: ['background/', 'scene/', 'scene/ch/'],
  });
});

test('what is off limits is not there, and no pattern reaches it', async () => {
  expect(await list({ path: '.' })).toEqual({ entries: ['game/'] });
  expect(await list({ path: 'game', globs: ['../**', '/**', '**/.env', '.git/**'] })).toEqual({ entries: [] });
});

test('no folder, a file, and places outside', async () => {
  expect(await bench.code('list_files', { path: 'nonexistent' })).toBe('E_NOT_FOUND');
  expect(await bench.code('list_files', { path: 'game/scene/start.txt' })).toBe('E_BAD_ARGS');
  expect(await bench.code('list_files', { path: '/etc' })).toBe('E_DENY_PATH');
  expect(await bench.code('list_files', { path: '../../../etc' })).toBe('E_DENY_PATH');
  expect(await bench.code('list_files', { path: '.git' })).toBe('E_DENY_PATH');
});
