import { afterEach, describe, expect, it } from 'vitest';
import { toMergedText } from '../../../shared/model/merge.ts';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import { createActionQueue } from '../action-queue.ts';
import type { Draft } from '../services.ts';
import { createScriptService } from './script-service.ts';
import { createBaseTexts } from './unsaved/base-texts.ts';
import { createBuffers } from './unsaved/buffers.ts';

const SCENE = 'game/scene/start.txt';

let game: ProjectFolder | undefined;

afterEach(async () => {
  await game?.dispose();
  game = undefined;
});

async function start(files: Record<string, string | Uint8Array>) {
  const folder = await createProjectFolder(files);
  game = folder;
  return { folder, ...createScripts(folder) };
}

/** Creates the service that reads and saves scripts, as for a newly opened game. */
function createScripts(folder: ProjectFolder) {
  const time = { now: Date.UTC(2026, 0, 1) };
  let ids = 0;
  const news: string[] = [];
  const buffers = createBuffers();
  const proposed: (readonly Draft[])[] = [];
  const scripts = createScriptService({
    bases: createBaseTexts(),
    workspace: folder,
    buffers,
    proposals: { propose: async (_title, drafts) => void proposed.push(drafts) },
    actions: createActionQueue(),
    clock: {
      now: () => time.now,
      id() {
        ids += 1;
        return `id${ids}`;
      },
    },
    emit: (event) => news.push(event),
    locale: () => 'en',
  });
  return { scripts, buffers, proposed, time, news };
}

describe('reading files', () => {
  it('reads the given files only, or lists all if one is a folder or has an unportable name', async () => {
    const { scripts } = await start({
      [SCENE]: ':hi;',
      'game/bgm/s.mp3': 'abc',
      'readme.txt': 'x',
      'game/bgm/a\u0085.mp3': '',
    });
    const scene = { path: SCENE, kind: 'scene', bytes: 4 };
    const gone = 'game/scene/gone.txt';
    expect(await scripts.listing([SCENE, gone, 'readme.txt', '../x'])).toEqual({
      ...{ files: [scene], unportable: [], isWhole: false },
    });
    const whole = await scripts.listing();
    expect([whole.isWhole, whole.files.length, whole.unportable.length]).toEqual([true, 2, 1]);
    expect(await scripts.listing(['game/bgm'])).toEqual(whole);
  });

  it('lists the files of the game with their kinds', async () => {
    const { scripts } = await start({
      [SCENE]: ':hi;',
      'game/bgm/s.mp3': 'abc',
      'readme.txt': 'x',
      'game/config.txt': '',
    });
    expect(await scripts.files()).toEqual([
      { path: 'game/bgm/s.mp3', kind: 'bgm', bytes: 3 },
      { path: 'game/config.txt', kind: 'config', bytes: 0 },
      { path: SCENE, kind: 'scene', bytes: 4 },
    ]);
  });

  it('reports once that a game has more files than are listed', async () => {
    const { folder, scripts, news } = await start({ [SCENE]: ':hi;' });
    const { list } = folder.reader;
    folder.reader.list = (path, options) => {
      if (path === 'game') options?.onLeftOut?.(1);
      return list(path, options);
    };
    expect(await scripts.files()).toHaveLength(1);
    await scripts.files();
    expect(news).toEqual(['app.noticed']);
  });

  it('returns the readable scenes and the errors of the others', async () => {
    const { scripts } = await start({
      [SCENE]: '\uFEFFa;\r\nb;\r\n',
      'game/scene/sub/二.txt': 'x',
      'game/scene/gbk.txt': new Uint8Array([0xd6, 0xd0]),
    });
    const { scenes, unreadable } = await scripts.scenes([SCENE, 'game/scene/gbk.txt', 'game/scene/sub/二.txt']);
    expect(scenes.map(({ path, text }) => [path, text])).toEqual([
      [SCENE, 'a;\nb;\n'],
      ['game/scene/sub/二.txt', 'x'],
    ]);
    expect(unreadable).toEqual([
      { path: 'game/scene/gbk.txt', error: expect.objectContaining({ code: 'E_ENCODING' }) },
    ]);
  });
});

describe('merging unsaved text with the disk', () => {
  it('keeps both changes by merging with the common base', async () => {
    const { scripts, folder } = await start({ [SCENE]: '\uFEFFa;\r\nb;\r\n' });
    const { version } = await scripts.read(SCENE);
    await folder.put(SCENE, '\uFEFFa;\r\nb;\r\nend;\r\n');
    const { theirs, parts } = await scripts.merge({ path: SCENE, text: 'top;\na;\nb;\n', version, base: null });
    expect(parts.every(({ kind }) => kind === 'merged')).toBe(true);
    await scripts.save({ path: SCENE, text: toMergedText(parts), version: theirs.version });
    expect(await folder.text(SCENE)).toBe('\uFEFFtop;\r\na;\r\nb;\r\nend;\r\n');
  });

  it('uses the text of the last save as base', async () => {
    const { scripts, folder } = await start({ [SCENE]: 'a;\n' });
    const read = await scripts.read(SCENE);
    const { version } = await scripts.save({ path: SCENE, text: 'a;\nb;\n', version: read.version });
    await folder.put(SCENE, 'a;\nb;\nend;\n');
    const { parts } = await scripts.merge({ path: SCENE, text: 'top;\na;\nb;\n', version, base: null });
    expect(toMergedText(parts)).toBe('top;\na;\nb;\nend;\n');
  });

  it('uses the base sent by the page after a restart of the app', async () => {
    const { scripts: before, folder } = await start({ [SCENE]: '\uFEFFa;\r\nb;\r\n' });
    const { text, version } = await before.read(SCENE);
    await folder.put(SCENE, '\uFEFFa;\r\nb;\r\nend;\r\n');
    const { scripts } = createScripts(folder);
    const mine = { path: SCENE, text: 'top;\na;\nb;\n', version };
    expect((await scripts.merge({ ...mine, base: null })).parts.some(({ kind }) => kind === 'conflict')).toBe(true);
    expect(toMergedText((await scripts.merge({ ...mine, base: text })).parts)).toBe('top;\na;\nb;\nend;\n');
  });

  it('returns both texts as a conflict if the same lines changed or the base is unknown', async () => {
    const { scripts, folder } = await start({ [SCENE]: 'a;\n' });
    const { version } = await scripts.read(SCENE);
    await folder.put(SCENE, 'theirs;\n');
    const conflict = { kind: 'conflict', mine: ['mine;'], theirs: ['theirs;'] };
    for (const known of [version, null, 'unknown']) {
      expect((await scripts.merge({ path: SCENE, text: 'mine;\n', version: known, base: null })).parts).toContainEqual(
        conflict,
      );
    }
  });

  it('fails if the file was deleted', async () => {
    const { scripts, folder } = await start({ [SCENE]: 'a;\n' });
    const { version } = await scripts.read(SCENE);
    await folder.remove(SCENE);
    await expect(scripts.merge({ path: SCENE, text: 'b;', version, base: null })).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
    });
  });
});

describe('saving a file', () => {
  it('keeps the byte order mark and the line endings and returns the new version', async () => {
    const { scripts, folder, news } = await start({ [SCENE]: '\uFEFFa;\r\nb;\r\n' });
    const { version } = await scripts.read(SCENE);
    const saved = await scripts.save({ path: SCENE, text: 'a;\nnew;\nb;\n', version });
    expect(await folder.text(SCENE)).toBe('\uFEFFa;\r\nnew;\r\nb;\r\n');
    expect([saved.version, news]).toEqual([(await scripts.read(SCENE)).version, ['history.changed']]);
    await scripts.save({ path: SCENE, text: 'a;\n', version: saved.version });
    expect(await folder.text(SCENE)).toBe('\uFEFFa;\r\n');
  });

  it('creates a new file and rejects a path that exists by now', async () => {
    const { scripts, folder } = await start({ [SCENE]: 'a' });
    const request = { path: 'game/scene/new.txt', text: 'b;\n', version: null };
    await scripts.save(request);
    await expect(scripts.save({ ...request, text: 'c' })).rejects.toMatchObject({ code: 'E_CONFLICT' });
    expect(await folder.text('game/scene/new.txt')).toBe('b;\n');
  });

  it('does not overwrite a file that changed on disk meanwhile', async () => {
    const { scripts, folder, news } = await start({ [SCENE]: 'a' });
    const { version } = await scripts.read(SCENE);
    await folder.put(SCENE, 'theirs');
    await expect(scripts.save({ path: SCENE, text: 'mine', version })).rejects.toMatchObject({
      code: 'E_CONFLICT',
      details: { paths: [SCENE] },
    });
    expect([await folder.text(SCENE), news]).toEqual(['theirs', []]);
  });

  it('creates no history entry if nothing changed', async () => {
    const { scripts, folder, news } = await start({ [SCENE]: 'a' });
    const { version } = await scripts.read(SCENE);
    expect(await scripts.save({ path: SCENE, text: 'a', version })).toEqual({ version });
    expect([await folder.snapshots.list(), news]).toEqual([[], []]);
  });

  it('groups the saves of a file within ten minutes to one history entry', async () => {
    const { scripts, folder, time } = await start({ [SCENE]: '0', 'game/scene/b.txt': '0' });
    let version = (await scripts.read(SCENE)).version;
    for (const [minutes, text] of [
      [0, '1'],
      [9, '2'],
      [10, '3'],
    ] as const) {
      time.now = Date.UTC(2026, 0, 1, 0, minutes);
      ({ version } = await scripts.save({ path: SCENE, text, version }));
    }
    await scripts.save({
      path: 'game/scene/b.txt',
      text: '1',
      version: (await scripts.read('game/scene/b.txt')).version,
    });
    await scripts.save({ path: 'game/scene/new.txt', text: '', version: null });
    const groups = new Set(
      (await folder.snapshots.list()).map(({ path, group, title }) => `${path} ${group} ${title}`),
    );
    expect([...groups].sort()).toEqual([
      'game/scene/b.txt edit_id3 Edited b.txt',
      'game/scene/new.txt edit_id4 Created new.txt',
      `${SCENE} edit_id1 Edited start.txt`,
      `${SCENE} edit_id2 Edited start.txt`,
    ]);
  });

  it('ends an edit session if the file was changed otherwise', async () => {
    const { folder, scripts } = await start({ [SCENE]: '0;' });
    const save = async (text: string) => {
      const { version } = await scripts.read(SCENE);
      await scripts.save({ path: SCENE, text, version });
    };
    await save('0;1;');
    await save('0;1;2;');
    const { version } = await scripts.read(SCENE);
    const rename = { origin: 'writer' as const, group: 'rename', title: 'Renamed' };
    await folder.writer.apply([{ path: SCENE, text: 'renamed;1;2;', base: version }], rename);
    await save('renamed;1;2;3;');
    await save('renamed;1;2;3;4;');
    const kept = await folder.snapshots.list();
    const texts = await Promise.all(kept.map(async ({ id }) => (await folder.snapshots.read(id)).text));
    expect(texts).toEqual(['renamed;1;2;', '0;1;2;', '0;']);
    expect(new Set(kept.map(({ group }) => group)).size).toBe(3);
  });

  it('removes the saved text from the buffers but keeps text typed since', async () => {
    const { scripts, buffers } = await start({ [SCENE]: 'a' });
    buffers.set(SCENE, 'b');
    const { version } = await scripts.save({ path: SCENE, text: 'b', version: (await scripts.read(SCENE)).version });
    expect([...buffers.all()]).toEqual([]);
    buffers.set(SCENE, 'c, typed on');
    await scripts.save({ path: SCENE, text: 'c', version });
    expect([...buffers.all()]).toEqual([[SCENE, 'c, typed on']]);
  });
});

describe('changing several files', () => {
  const TWO = 'game/scene/two.txt';
  const MOVED = 'game/scene/zwei.txt';

  it('keeps the line endings of each file, including a renamed one', async () => {
    const { scripts, folder, proposed, news } = await start({
      [SCENE]: 'changeScene:two.txt;\r\n',
      [TWO]: '\uFEFFa;\r\nb;\r\n',
    });
    const [one, two] = [await scripts.read(SCENE), await scripts.read(TWO)];
    const changes = [
      { path: SCENE, text: 'changeScene:zwei.txt;\n', version: one.version },
      { path: TWO, text: null, version: two.version },
      { path: MOVED, text: two.text, version: null, from: TWO },
    ];
    await scripts.propose({ title: 'zwei', changes });
    expect(proposed[0]).toEqual([
      { path: SCENE, base: one.version, before: 'changeScene:two.txt;\r\n', text: 'changeScene:zwei.txt;\r\n' },
      { path: TWO, base: two.version, before: '\uFEFFa;\r\nb;\r\n', text: null },
      { path: MOVED, base: null, before: null, text: '\uFEFFa;\r\nb;\r\n', from: TWO },
    ]);
    expect([await folder.text(SCENE), await folder.text(MOVED), news]).toEqual(['changeScene:two.txt;\r\n', null, []]);
  });

  it('fails if one of the files changed meanwhile', async () => {
    const { scripts, folder, proposed } = await start({ [SCENE]: 'a', [TWO]: 'a' });
    const [one, two] = [await scripts.read(SCENE), await scripts.read(TWO)];
    await folder.put(TWO, 'theirs');
    const changes = [
      { path: SCENE, text: 'b', version: one.version },
      { path: TWO, text: 'b', version: two.version },
    ];
    const refused = { code: 'E_CONFLICT', details: { paths: [TWO] } };
    await expect(scripts.propose({ title: 'x', changes })).rejects.toMatchObject(refused);
    expect(proposed).toEqual([]);
  });
});

describe('editing unsaved text', () => {
  const edit = { edits: [{ at: 1, removed: 0, text: 'b' }], length: 2, revision: 'page 1' };

  it('applies edits to the text on disk first, then to the unsaved text', async () => {
    const { scripts, buffers } = await start({ [SCENE]: '\uFEFFa' });
    const { version } = await scripts.read(SCENE);
    expect(scripts.editBuffer({ path: SCENE, ...edit, base: version, version })).toBe(true);
    const next = { edits: [{ at: 0, removed: 1, text: 'xy' }], length: 3, revision: 'page 2' };
    expect(scripts.editBuffer({ path: SCENE, ...next, base: 'page 1', version })).toBe(true);
    expect(buffers.unsaved()).toEqual([{ path: SCENE, text: 'xyb', version }]);
  });

  it('saves the unsaved text at a revision, and writes nothing at another one', async () => {
    const { folder, scripts, buffers } = await start({ [SCENE]: 'a' });
    const { version } = await scripts.read(SCENE);
    scripts.editBuffer({ path: SCENE, ...edit, base: version, version });
    expect(await scripts.saveBuffer({ path: SCENE, revision: 'page 0', version })).toEqual({ version: null });
    expect(await folder.text(SCENE)).toBe('a');
    const saved = await scripts.saveBuffer({ path: SCENE, revision: 'page 1', version });
    expect(await folder.text(SCENE)).toBe('ab');
    expect(saved.version).toBe((await scripts.read(SCENE)).version);
    expect(buffers.unsaved()).toEqual([]);
    expect(await scripts.saveBuffer({ path: SCENE, revision: 'page 1', version: saved.version })).toEqual({
      version: null,
    });
    buffers.set(SCENE, 'abc', { version, revision: 'page 2' });
    const stale = scripts.saveBuffer({ path: SCENE, revision: 'page 2', version });
    await expect(stale).rejects.toMatchObject({ code: 'E_CONFLICT' });
  });

  it('rejects edits of an unknown base', async () => {
    const { scripts, buffers } = await start({ [SCENE]: 'a' });
    const { version } = await scripts.read(SCENE);
    const ask = (change: object) => scripts.editBuffer({ path: SCENE, ...edit, base: version, version, ...change });
    expect([ask({ base: 'page 0' }), ask({ length: 3 }), ask({ base: 'v', version: 'v' })]).toEqual([
      false,
      false,
      false,
    ]);
    expect(buffers.unsaved()).toEqual([]);
    buffers.set(SCENE, 'typed elsewhere', { version, revision: 'other 1' });
    expect([ask({}), ask({ base: 'page 1' })]).toEqual([false, false]);
    expect(buffers.unsaved()).toEqual([{ path: SCENE, text: 'typed elsewhere', version }]);
  });
});
