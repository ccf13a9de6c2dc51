import { afterAll, expect, it } from 'vitest';
import { STORY_TESTS_PATH } from '../../../../shared/model/playtest/story-test.ts';
import { createProjectFolder, type ProjectFolder } from '../../../../tests/support/games/project-folder.ts';
import { createStoryTestsService } from './story-tests-file.ts';

const games: ProjectFolder[] = [];
afterAll(async () => {
  for (const game of games) await game.dispose();
});

async function setUp(text?: string) {
  const game = await createProjectFolder(text === undefined ? {} : { [STORY_TESTS_PATH]: text });
  games.push(game);
  const buffers = new Map<string, string>();
  const events: string[] = [];
  const { reader, writer } = game;
  const service = createStoryTestsService({
    ...{ reader, writer, buffers: { all: () => buffers }, locale: () => 'en' as const },
    clock: { now: () => Date.now(), id: () => crypto.randomUUID() },
    emit: (event) => events.push(event),
  });
  return { game, buffers, events, service };
}

const test = (name: string, choose: string[] = ['Stay']) => ({ name, choose, expect: {} });

it('adds, changes and removes tests, each with a snapshot of the text before', async () => {
  const { game, events, service } = await setUp();
  const added = await service.change({ version: null, at: null, test: test('one') });
  await service.change({ version: null, at: null, test: test('two', ['走']) });
  expect((await service.list()).tests.map(({ name }) => name)).toEqual(['one', 'two']);
  const { version } = await service.list();
  await service.change({ version, at: 0, test: test('one', ['Go']) });
  await service.change({ version: (await service.list()).version, at: 1, test: null });
  expect((await service.list()).tests).toEqual([test('one', ['Go'])]);
  expect(events).toContain('project.filesChanged');
  const titles = (await game.snapshots.list()).map(({ title, origin, existed }) => [title, origin, existed]);
  expect(titles).toContainEqual(['Added the story test “one”', 'writer', false]);
  expect(titles).toContainEqual(['Removed the story test “two”', 'writer', true]);
  expect((await game.snapshots.read(added.files[0]?.snapshotId ?? '')).text).toBeNull();
});

it.each([
  ['no JSON', '{"tests": ['],
  ['an unknown field', '{"tests":[{"name":"x","choose":["A"],"expect":{"endng":"good"}}]}'],
])('says what is wrong with a file with %s and does not write it', async (_, text) => {
  const { game, service } = await setUp(text);
  expect((await service.list()).fault).toMatchObject({ code: 'E_BAD_ARGS', reason: 'playtest.badTests' });
  const change = service.change({ version: null, at: null, test: test('one') });
  await expect(change).rejects.toMatchObject({ reason: 'playtest.badTests' });
  expect(await game.text(STORY_TESTS_PATH)).toBe(text);
});

it('refuses a name that another test has, a file that changed since, and one with unsaved text', async () => {
  const text = JSON.stringify({ tests: [test('one'), test('two')] });
  const { game, buffers, service } = await setUp(text);
  const { version } = await service.list();
  const refused = async (change: Parameters<typeof service.change>[0], reason: string) => {
    await expect(service.change(change)).rejects.toMatchObject({ code: 'E_CONFLICT', reason });
    expect(await game.text(STORY_TESTS_PATH)).toBe(text);
  };
  await refused({ version, at: null, test: test('two') }, 'playtest.testName');
  await refused({ version, at: 0, test: test('two') }, 'playtest.testName');
  await refused({ version: 'another', at: 0, test: test('three') }, 'write.conflict');
  await refused({ version, at: 7, test: null }, 'write.conflict');
  buffers.set(STORY_TESTS_PATH, 'typed');
  await refused({ version, at: null, test: test('three') }, 'playtest.testsUnsaved');
});
