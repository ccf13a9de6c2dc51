import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { viewerActionTool } from './viewer-action.ts';

let game: ProjectFolder;
let asked: [string, object][];
let bench: ReturnType<typeof createToolBench>;
let planning: typeof bench;

beforeEach(async () => {
  game = await createProjectFolder({ 'game/scene/start.txt': 'end;\n', 'game/scene/closed/secret.txt': 'end;\n' });
  asked = [];
  const viewer = {
    async act(action: string, params: object) {
      asked.push([action, params]);
      return { success: true, data: { file: 'game/scene/start.txt' } };
    },
  };
  const ports = { reader: game.reader, viewer };
  bench = createToolBench([viewerActionTool], ports, { closedFolders: ['game/scene/closed'] });
  planning = createToolBench([viewerActionTool], ports, { mode: 'plan' });
});
afterEach(() => game.dispose());

test('passes an action on to the window, with whole paths', async () => {
  const call = { actionId: 'navigate-to', params: { scene: 'start.txt', line: 2 } };
  expect(await bench.value('viewer_action', call)).toEqual({ success: true, data: { file: 'game/scene/start.txt' } });
  expect(asked).toEqual([['navigate-to', { scene: 'game/scene/start.txt', line: 2 }]]);
});

test('reports a scene that is not there, and asks the window for nothing', async () => {
  const answer = await bench.value('viewer_action', { actionId: 'navigate-to', params: { scene: 'none.txt' } });
  expect(answer).toMatchObject({ success: false });
  expect(asked).toEqual([]);
});

test('refuses params that the action does not have, paths out of the game and closed folders', async () => {
  const code = (params: object) => bench.code('viewer_action', { actionId: 'navigate-to', params });
  expect(await code({})).toBe('E_BAD_ARGS');
  expect(await code({ scene: 'start.txt', click: 'Accept' })).toBe('E_BAD_ARGS');
  expect(await code({ scene: '../../etc/passwd' })).toBe('E_DENY_PATH');
  expect(await code({ scene: 'game/scene/closed/secret.txt' })).toBe('E_DENY_PATH');
  expect(await bench.code('viewer_action', { actionId: 'accept-proposal' })).toBe('E_BAD_ARGS');
  expect(asked).toEqual([]);
});

test('only looks in plan mode', async () => {
  const go = { actionId: 'ui:show-view', params: { view: 'story' } };
  expect(await planning.code('viewer_action', go)).toBe('E_POLICY_VIOLATION');
  expect(await planning.value('viewer_action', { actionId: 'describe-view' })).toMatchObject({
    success: true,
  });
  expect(asked.map(([action]) => action)).toEqual(['describe-view']);
});
