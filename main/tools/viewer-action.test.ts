import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ViewerResult } from '../../shared/model/viewer.ts';
import { createProjectFolder, type ProjectFolder } from '../../tests/support/games/project-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { viewerActionTool } from './viewer-action.ts';

let game: ProjectFolder;
let asked: [string, object][];
let bench: ReturnType<typeof createToolBench>;
let planning: typeof bench;
let reply: ViewerResult;

beforeEach(async () => {
  game = await createProjectFolder({ 'game/scene/start.txt': 'end;\n', 'game/scene/closed/secret.txt': 'end;\n' });
  asked = [];
  reply = { success: true, data: { file: 'game/scene/start.txt' } };
  const viewer = {
    async act(action: string, params: object) {
      asked.push([action, params]);
      return reply;
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

test('takes a scene in a subfolder as scripts and lists name it', async () => {
  await game.put('game/scene/海辺/浜.txt', 'A:hi;');
  await bench.value('viewer_action', { actionId: 'navigate-to', params: { scene: '海辺/浜.txt' } });
  expect(asked).toEqual([['navigate-to', { scene: 'game/scene/海辺/浜.txt' }]]);
  expect(await bench.code('viewer_action', { actionId: 'navigate-to', params: { scene: 'closed/secret.txt' } })).toBe(
    'E_DENY_PATH',
  );
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

test('leaves out what a closed scene says, to which the story led by itself', async () => {
  const words = { speaker: 'Yuki', text: 'A secret', background: 'secret.webp', variables: { secret: 1 } };
  const choices = [{ text: 'A secret', isEnabled: true }];
  const at = (scene: string) => ({ scene: `game/scene/${scene}`, line: 1, ...words });
  const answer = (actionId: string) => bench.value('viewer_action', { actionId });
  reply = { success: true, message: 'On.', data: { ...at('closed/secret.txt'), choices } };
  expect(await answer('step')).toEqual({
    success: true,
    message: expect.stringContaining('On. The rules of the game close'),
    data: { scene: 'game/scene/closed/secret.txt', line: 1 },
  });
  reply = { success: true, data: { view: 'write', stage: { isOpen: true, ...at('closed/secret.txt') }, choices } };
  const seen = await answer('describe-view');
  expect(seen).toMatchObject({ data: { view: 'write', stage: { isOpen: true, line: 1 } } });
  expect(JSON.stringify(seen)).not.toContain('ecret"');
  reply = { success: true, data: { ...at('start.txt'), choices } };
  expect(await answer('step')).toEqual(reply);
});

test('only looks in plan mode', async () => {
  const go = { actionId: 'ui:show-view', params: { view: 'story' } };
  expect(await planning.code('viewer_action', go)).toBe('E_POLICY_VIOLATION');
  expect(await planning.value('viewer_action', { actionId: 'describe-view' })).toMatchObject({
    success: true,
  });
  expect(asked.map(([action]) => action)).toEqual(['describe-view']);
});
