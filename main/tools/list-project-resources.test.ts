import { expect, test } from 'vitest';
import { createProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { listProjectResources } from './list-project-resources.ts';

test('lists the game’s assets as scripts name them', async () => {
  const game = await createProjectFolder({
    'game/background/beach.jpg': '',
    'game/background/.gitkeep': '',
    'game/background/Thumbs.db': '',
    'game/figure/yukino.png': '',
    'game/figure/l2d/model.json': '',
    'game/bgm/sea.mp3': '',
    'game/scene/start.txt': '',
    'game/scene/ch1/a.txt': '',
    'game/scene/notes.md': '',
    'game/video/op.mp4': '',
    'game/animation/animationTable.json': '[]',
    'game/animation/enter.json': '[]',
  });
  const bench = createToolBench([listProjectResources], { reader: game.reader });
  expect(await bench.value('list_project_resources', {})).toEqual({
    backgrounds: ['beach.jpg'],
    figures: ['l2d/model.json', 'yukino.png'],
    bgm: ['sea.mp3'],
    vocals: [],
    scenes: ['ch1/a.txt', 'start.txt'],
    videos: ['op.mp4'],
    animations: ['enter.json'],
  });
  // A folder closed by the policy is treated as missing; the others are listed.
  const closed = createToolBench([listProjectResources], { reader: game.reader }, { closedFolders: ['game/figure'] });
  expect(await closed.value('list_project_resources', {})).toMatchObject({ figures: [], backgrounds: ['beach.jpg'] });
  expect(await bench.code('list_project_resources', { path: 'game' })).toBe('E_BAD_ARGS');
  await game.dispose();
});
