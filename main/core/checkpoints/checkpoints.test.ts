import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../../shared/model/settings.ts';
import { createInlineTasks } from '../../../tests/support/games/inline-tasks.ts';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import { createTestPorts } from '../../../tests/support/test-ports.ts';
import { createCheckpointStore } from '../../node/checkpoints/checkpoint-store.ts';
import { createAgentFolder } from '../../node/project-fs/agent-folder.ts';
import { createPathResolver } from '../../node/project-fs/path-resolver.ts';
import { type CheckpointService, createCheckpoints } from './checkpoints.ts';

const SCENE = 'game/scene/start.txt';
const PICTURE = 'game/figure/a.png';
const BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 255]);

let game: ProjectFolder;
let store = '';
let service: CheckpointService;
let events: string[] = [];
let closeStore: () => Promise<void>;

function start(startDelay: number | null = null): void {
  const agentFolder = createAgentFolder(game.root);
  const checkpoints = createCheckpointStore({
    ...{ store, root: game.root, resolver: createPathResolver(game.root), agentFolder },
    ...{ signature: game.signature, tasks: createInlineTasks(store) },
  });
  closeStore = checkpoints.close;
  service = createCheckpoints({
    ...{ checkpoints, reader: game.reader, writer: game.writer, clock: createTestPorts().clock, startDelay },
    pictures: { add: fail, read: fail, readAsset: fail },
    emit: (event) => events.push(event),
    noteMedia: (changes) => events.push(...changes.map(({ kind, path: file }) => `${kind} ${file}`)),
    readSettings: async () => DEFAULT_SETTINGS,
    onFault: ({ error }) => {
      throw error;
    },
  });
}
const fail = () => Promise.reject(new Error('not expected'));

beforeEach(async () => {
  game = await createProjectFolder({ [SCENE]: '\ufeff雪乃:你好;\r\n雪乃:再见;', [PICTURE]: BYTES });
  store = `${game.root}-store`;
  events = [];
  start();
});
afterEach(async () => {
  await service.dispose();
  await closeStore();
  await game.dispose();
  await rm(store, { recursive: true, force: true });
});

it('restores texts through the history and pictures beside it, to the byte, and undoes both', async () => {
  const { id } = await service.create('第一章写完');
  await game.put(SCENE, 'other');
  await game.remove(PICTURE);
  await game.put('game/figure/later.png', 'later');
  const compared = await service.compare(id, null);
  expect(compared.files.map(({ path: one, before, after }) => [one, before === null, after === null])).toEqual([
    [PICTURE, false, true],
    ['game/figure/later.png', true, false],
    [SCENE, false, false],
  ]);
  const { before, changed, failed } = await service.restore(id);
  expect([changed, failed]).toEqual([[PICTURE, SCENE], []]);
  expect(await game.text(SCENE)).toBe('\ufeff雪乃:你好;\r\n雪乃:再见;');
  expect(await readFile(path.join(game.root, PICTURE))).toEqual(BYTES);
  expect(await game.text('game/figure/later.png')).toBe('later');
  expect((await game.snapshots.list()).map((one) => [one.path, one.origin])).toEqual([[SCENE, 'restore']]);
  // Known when the restore is emitted.
  expect(events.indexOf(`created ${PICTURE}`)).toBeLessThan(events.indexOf('history.changed'));
  expect(events.filter((event) => event.includes('game/'))).toEqual([`created ${PICTURE}`]);

  const undone = await service.restore(before, changed);
  expect(undone.failed).toEqual([]);
  expect(events).toContain(`deleted ${PICTURE}`);
  expect([await game.text(SCENE), await game.text(PICTURE)]).toEqual(['other', null]);
  expect(await game.text('game/figure/later.png')).toBe('later');
});

it('removes a named file that the checkpoint does not have, which the present keeps', async () => {
  const { id } = await service.create('');
  await game.put('game/figure/later.png', 'later');
  await game.put('game/scene/later.txt', 'later');
  const { before, changed } = await service.restore(id, ['game/figure/later.png', 'game/scene/later.txt']);
  expect(changed).toEqual(['game/figure/later.png', 'game/scene/later.txt']);
  expect([await game.text('game/figure/later.png'), await game.text('game/scene/later.txt')]).toEqual([null, null]);
  await service.restore(before);
  expect([await game.text('game/figure/later.png'), await game.text('game/scene/later.txt')]).toEqual([
    'later',
    'later',
  ]);
});

it('names what is damaged and restores the rest', async () => {
  const lost = 'game/scene/lost.txt';
  await game.put(lost, 'a text that is lost');
  const { id } = await service.create('');
  for (const bytes of [BYTES, Buffer.from('a text that is lost')]) {
    const hash = createHash('sha256').update(bytes).digest('hex');
    await rm(path.join(store, 'objects', hash.slice(0, 2), hash));
  }
  await game.put(lost, 'present');
  await game.remove(PICTURE);
  await game.put(SCENE, 'other');
  const { changed, failed } = await service.restore(id);
  expect(changed).toEqual([SCENE]);
  expect(failed.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
    { path: PICTURE, reason: 'damaged' },
    { path: lost, reason: 'damaged' },
  ]);
  expect(await game.text(lost)).toBe('present');
  expect(await service.file(id, PICTURE)).toEqual({ kind: 'damaged' });
});

it('says which files were not restored when their names cannot be changed after the texts were written', async () => {
  const { id } = await service.create('');
  await game.put(SCENE, 'other');
  await game.remove(PICTURE);
  const { writer } = game;
  // The lock cannot be taken from the moment at which the texts are written.
  const agentFolder = path.join(game.root, '.webgal_agent');
  const apply = writer.apply.bind(writer);
  writer.apply = async (...args) => {
    const written = await apply(...args);
    await rename(agentFolder, `${agentFolder}-moved`);
    await game.put('.webgal_agent', 'in the way');
    return written;
  };
  const { changed, failed } = await service.restore(id);
  expect(changed).toEqual([SCENE]);
  expect(failed).toEqual([{ path: PICTURE, reason: 'refused' }]);
  await rm(agentFolder);
  await rename(`${agentFolder}-moved`, agentFolder);
});

it('shows texts and pictures of a checkpoint', async () => {
  const { id } = await service.create('');
  expect(await service.file(id, SCENE)).toEqual({ kind: 'text', text: '\ufeff雪乃:你好;\r\n雪乃:再见;' });
  expect(await service.file(id, PICTURE)).toEqual({
    kind: 'picture',
    type: 'image/png',
    data: BYTES.toString('base64'),
  });
  expect(await service.file(id, 'game/none.txt')).toEqual({ kind: 'none' });
  expect(await service.file(null, SCENE)).toMatchObject({ kind: 'text' });
});

it('changes nothing where the game cannot be written to', async () => {
  const { id } = await service.create('');
  await game.put(SCENE, 'other');
  await game.remove(PICTURE);
  await game.remove('.webgal_agent').catch(() => undefined);
  // A file where the app's folder should be: no program may write there.
  await game.put('.webgal_agent', 'in the way');
  await expect(service.restore(id)).rejects.toMatchObject({ code: 'E_DENY_PATH' });
  expect([await game.text(SCENE), await game.text(PICTURE)]).toEqual(['other', null]);
  await game.remove('.webgal_agent');
  await chmod(game.root, 0o755);
  await mkdir(path.join(game.root, '.webgal_agent'));
  expect((await service.restore(id)).failed).toEqual([]);
});

it('leaves a read-only file as it is and says so', async () => {
  const { id } = await service.create('');
  await game.put(PICTURE, 'newer');
  await chmod(path.join(game.root, PICTURE), 0o444);
  expect((await service.restore(id)).failed).toEqual([{ path: PICTURE, reason: 'refused' }]);
  expect(await game.text(PICTURE)).toBe('newer');
});

it('keeps the game after it was opened', async () => {
  await service.dispose();
  start(0);
  await expect.poll(async () => (await service.list()).checkpoints.map(({ cause }) => cause)).toEqual(['start']);
});
