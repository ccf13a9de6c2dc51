import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { listFiles } from './list-files.ts';

let game: ProjectFolder;
let bench: ReturnType<typeof createToolBench>;

beforeEach(async () => {
  game = await createProjectFolder({
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

test('lists the direct children, sorted, with folders marked', async () => {
  expect(await list({ path: 'game/scene' })).toEqual({ entries: ['a.md', 'ch/', 'start.txt'] });
});

test('lists matches at any depth, relative to the folder', async () => {
  expect(await list({ path: 'game/scene', globs: ['**/*.txt'] })).toEqual({ entries: ['ch/one.txt', 'start.txt'] });
  expect(await list({ path: 'game/scene', globs: ['*.md', '*.txt'] })).toEqual({ entries: ['a.md', 'start.txt'] });
  expect(await list({ path: 'game/scene', globs: '**/*.md' })).toEqual({ entries: ['a.md'] });
});

test('lists only folders, with and without globs', async () => {
  expect(await list({ path: 'game', dirsOnly: true })).toEqual({ entries: ['background/', 'scene/'] });
  expect(await list({ path: 'game', dirsOnly: true, globs: ['**/*'] })).toEqual({
    entries: ['background/', 'scene/', 'scene/ch/'],
  });
});

test('does not list what is off limits, for any pattern', async () => {
  expect(await list({ path: '.' })).toEqual({ entries: ['game/'] });
  expect(await list({ path: 'game', globs: ['../**', '/**', '**/.env', '.git/**'] })).toEqual({ entries: [] });
});

test('refuses a missing folder, a file, and paths outside the project', async () => {
  expect(await bench.code('list_files', { path: 'nonexistent' })).toBe('E_NOT_FOUND');
  expect(await bench.code('list_files', { path: 'game/scene/start.txt' })).toBe('E_BAD_ARGS');
  expect(await bench.code('list_files', { path: '/etc' })).toBe('E_DENY_PATH');
  expect(await bench.code('list_files', { path: '../../../etc' })).toBe('E_DENY_PATH');
  expect(await bench.code('list_files', { path: '.git' })).toBe('E_DENY_PATH');
});
