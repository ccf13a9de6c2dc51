import { afterEach, expect, it } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import { createActionQueue } from '../action-queue.ts';
import { checkProject } from '../check/check-project.ts';
import { createScriptService } from './script-service.ts';
import { createBaseTexts } from './unsaved/base-texts.ts';
import { createBuffers } from './unsaved/buffers.ts';

let game: ProjectFolder | undefined;

afterEach(async () => {
  await game?.dispose();
  game = undefined;
});

const GAME = {
  'game/config.txt': 'Game_key:a;\nDefault_Language:en;',
  'game/scene/start.txt': 'changeFigure:m/model.json;\nA:hi;\nend;',
  'game/figure/m/model.json': '{}',
};
const RUNTIME = ['live2d.min.js', 'live2dcubismcore.min.js'];

async function check(files: readonly string[]) {
  await game?.dispose();
  const folder = await createProjectFolder({ ...GAME, ...Object.fromEntries(files.map((file) => [file, 'x'])) });
  game = folder;
  const { diagnostics } = await checkProject(
    { ...folder, now: () => 0 },
    { engineVersion: '4.5.18', engine: null, locale: 'en' },
  );
  const scripts = createScriptService({
    bases: createBaseTexts(),
    workspace: folder,
    buffers: createBuffers(),
    proposals: { propose: async () => undefined },
    actions: createActionQueue(),
    clock: { now: () => 0, id: () => 'id' },
    emit: () => undefined,
    locale: () => 'en',
  });
  const beside = (await scripts.files()).filter(({ path }) => !path.startsWith('game/'));
  return [diagnostics.map(({ code }) => code), beside.map(({ path, kind }) => `${kind} ${path}`)];
}

it('finds the Live2D runtime only where the engine loads it from', async () => {
  const besideThePage = RUNTIME.map((name) => `lib/${name}`);
  expect(await check([...besideThePage, 'lib/other.js', 'lib/sub/deep.js', 'notes.txt'])).toEqual([
    [],
    besideThePage.map((path) => `other ${path}`),
  ]);
  expect(await check(RUNTIME.map((name) => `game/lib/${name}`))).toEqual([['figure-runtime'], []]);
  expect(await check(besideThePage.slice(0, 1))).toEqual([['figure-runtime'], ['other lib/live2d.min.js']]);
});
