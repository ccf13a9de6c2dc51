import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { previewScene } from './preview-scene.ts';

let game: ProjectFolder;
let shown: (string | undefined)[];
let url: string;
let bench: ReturnType<typeof createToolBench>;

beforeEach(async () => {
  game = await createProjectFolder({ 'game/scene/start.txt': '' });
  shown = [];
  url = 'http://127.0.0.1:4000/#start';
  const stage = {
    async preview(scenePath: string | undefined) {
      shown.push(scenePath);
      return { url, logs: ['missing: beach.jpg'], firstErrorLine: 3 };
    },
  };
  bench = createToolBench([previewScene], { reader: game.reader, stage });
});
afterEach(() => game.dispose());

test('shows the scene on the stage and returns the engine’s messages', async () => {
  url = 'http://127.0.0.1:4000/?scene=start';
  expect(await bench.value('preview_scene', { scenePath: 'game/scene/start.txt' })).toEqual({
    url,
    logs: ['missing: beach.jpg'],
    firstErrorLine: 3,
  });
  await bench.value('preview_scene', {});
  expect(shown).toEqual(['game/scene/start.txt', undefined]);
});

test('refuses a missing scene', async () => {
  expect(await bench.code('preview_scene', { scenePath: 'game/scene/none.txt' })).toBe('E_NOT_FOUND');
  expect(await bench.code('preview_scene', { scenePath: '../x.txt' })).toBe('E_DENY_PATH');
  expect(shown).toEqual([]);
});

test('never returns an address outside this machine', async () => {
  url = 'http://example.com/';
  expect(await bench.code('preview_scene', {})).toBe('E_INTERNAL');
});
