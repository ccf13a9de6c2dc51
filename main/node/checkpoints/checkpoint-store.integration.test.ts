import { chmod, mkdir, readdir, readFile, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Checkpoint } from '../../../shared/model/checkpoint.ts';
import { createInlineTasks } from '../../../tests/support/games/inline-tasks.ts';
import { createProjectFolder, type ProjectFolder } from '../../../tests/support/games/project-folder.ts';
import type { Checkpoints } from '../../core/ports/stores/checkpoints.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createPathResolver } from '../project-fs/path-resolver.ts';
import { createCheckpointStore } from './checkpoint-store.ts';
import type { TaskContext } from './checkpoint-task.ts';

const LIMITS = { automatic: 5, bytes: 1e9 };
const work = () => ({ signal: new AbortController().signal });
const PICTURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 3]);

let game: ProjectFolder;
let store = '';
const opened: Checkpoints[] = [];

function open(options: { maxFileBytes?: number; onReport?: TaskContext['report'] } = {}): Checkpoints {
  const checkpoints = createCheckpointStore({
    ...{ store, root: game.root, resolver: createPathResolver(game.root), agentFolder: createAgentFolder(game.root) },
    ...{ signature: game.signature, tasks: createInlineTasks(store, options.onReport) },
    ...(options.maxFileBytes !== undefined && { maxFileBytes: options.maxFileBytes }),
  });
  opened.push(checkpoints);
  return checkpoints;
}

const keep = (checkpoints: Checkpoints, name = 'kept'): Promise<Checkpoint> =>
  checkpoints.create({ name, cause: 'user', limits: LIMITS }, work());

/** Restores the named files without the writer of texts; all that differ by default. */
async function putBack(checkpoints: Checkpoints, id: string, paths?: string[]) {
  const before = await checkpoints.create({ name: '', cause: 'restore', limits: LIMITS }, work());
  const { changes } = await checkpoints.compare(before.id, id, work());
  const wanted = changes.filter((change) => (paths ? paths.includes(change.path) : true));
  const staged = await checkpoints.stage(wanted, work());
  const failed = [...staged.failed, ...(await staged.commit())];
  return { before, failed, wanted };
}

async function readAll(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(game.root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const listed = path.relative(game.root, file).normalize('NFC');
    if (entry.isFile() && !listed.startsWith('.webgal_agent'))
      found[listed] = (await readFile(file)).toString('base64');
  }
  return found;
}

async function listObjects(): Promise<string[]> {
  const names = await readdir(path.join(store, 'objects'), { recursive: true });
  return names.filter((name) => /[0-9a-f]{64}$/.test(name)).map((name) => path.join(store, 'objects', name));
}

beforeEach(async () => {
  game = await createProjectFolder({
    'game/scene/start.txt': '雪乃:你好;\n',
    'game/figure/a.png': PICTURE,
    'game/empty.txt': '',
  });
  store = `${game.root}-store`;
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  await game.dispose();
  await rm(store, { recursive: true, force: true });
});

describe('a checkpoint', () => {
  it('brings back a deleted picture and leaves files that came later', async () => {
    const checkpoints = open();
    const { id } = await keep(checkpoints);
    await game.remove('game/figure/a.png');
    await game.put('game/figure/later.png', 'later');
    const { failed } = await putBack(checkpoints, id, ['game/figure/a.png']);
    expect(failed).toEqual([]);
    expect(await readFile(path.join(game.root, 'game/figure/a.png'))).toEqual(PICTURE);
    expect(await game.text('game/figure/later.png')).toBe('later');
  });

  it('restores the bytes of any tree after any change', async () => {
    const name = fc.constantFrom(
      'a.png',
      'b.bin',
      'が.png',
      'が.png'.normalize('NFD'),
      `${'長'.repeat(60)}.mp3`,
      'sub/c.ogg',
      'sub/d.webp',
    );
    const bytes = fc.uint8Array({ maxLength: 300 });
    const tree = fc.dictionary(name, bytes, { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(tree, tree, async (before, after) => {
        const put = async (files: Record<string, Uint8Array>) => {
          await game.remove('game').catch(() => undefined);
          for (const [file, content] of Object.entries(files))
            await game.put(`game/x/${file.normalize('NFC')}`, content);
        };
        await put(before);
        const wanted = await readAll();
        const checkpoints = open();
        const { id } = await keep(checkpoints);
        await put(after);
        const there = await readAll();
        const { before: present, failed } = await putBack(checkpoints, id);
        expect(failed).toEqual([]);
        expect(await readAll()).toEqual(wanted);
        // The restore can be undone, too.
        expect((await putBack(checkpoints, present.id)).failed).toEqual([]);
        expect(await readAll()).toEqual(there);
      }),
      { numRuns: 40 },
    );
  });

  it('names files by their composed form and finds decomposed ones', async () => {
    await game.put(`game/figure/${'が.png'.normalize('NFD')}`, 'old');
    const checkpoints = open();
    const { id } = await keep(checkpoints);
    await game.put(`game/figure/${'が.png'.normalize('NFD')}`, 'new bytes');
    expect((await putBack(checkpoints, id)).failed).toEqual([]);
    expect(await readdir(path.join(game.root, 'game/figure'))).toEqual(['a.png', 'が.png'.normalize('NFD')].sort());
    expect(Object.values(await readAll())).toContain(Buffer.from('old').toString('base64'));
  });

  it('leaves out links, unreadable and too large files, and says so', async () => {
    await game.put('game/bgm/large.mp3', Buffer.alloc(5000));
    await symlink('/etc/passwd', path.join(game.root, 'game/link.txt'));
    await symlink('/etc', path.join(game.root, 'game/folder'));
    const checkpoints = open({ maxFileBytes: 4000 });
    const { leftOut } = await keep(checkpoints);
    expect(leftOut.some.map(({ path: one, reason }) => `${one} ${reason}`).sort()).toEqual([
      'game/bgm/large.mp3 tooLarge',
      'game/folder link',
      'game/link.txt link',
    ]);
    for (const file of await listObjects()) expect(await readFile(file, 'utf8')).not.toContain('root:');
  });

  it.skipIf(process.getuid?.() === 0)(
    'leaves out a file without access (skipped for root, who has access)',
    async () => {
      await chmod(path.join(game.root, 'game/figure/a.png'), 0);
      const { leftOut } = await keep(open());
      expect(leftOut.some).toEqual([{ path: 'game/figure/a.png', reason: 'access' }]);
    },
  );

  it('does not contain what is off limits', async () => {
    for (const file of ['.git/config', '.webgal_agent/notes', 'game/.env', 'node_modules/a/index.js'])
      await game.put(file, 'secret');
    const checkpoints = open();
    const { id, files } = await keep(checkpoints);
    expect(files).toBe(3);
    expect(await checkpoints.find(id, 'game/scene/start.txt')).not.toBeNull();
  });

  it('detects a file that changes while it is read, and one that vanishes', async () => {
    const large = path.join(game.root, 'game/video.mp4');
    await game.put('game/video.mp4', Buffer.alloc(3 * 1024 * 1024, 1));
    const fs = await import('node:fs');
    let changes = 0;
    const checkpoints = open({
      onReport: (_files, _total, bytes) => {
        if (bytes > 1024 * 1024) fs.writeFileSync(large, Buffer.alloc(3 * 1024 * 1024, ++changes));
      },
    });
    const { leftOut } = await keep(checkpoints);
    expect(leftOut.some).toEqual([{ path: 'game/video.mp4', reason: 'changing' }]);
    const again = open({ onReport: () => fs.rmSync(path.join(game.root, 'game/figure/a.png'), { force: true }) });
    await game.put('game/scene/start.txt', 'changed');
    expect((await keep(again)).leftOut.count).toBe(0);
  });

  it('notices a change that keeps size and date', async () => {
    const file = path.join(game.root, 'game/figure/a.png');
    await utimes(file, 1_000_000, 1_000_000);
    const checkpoints = open();
    const { id } = await keep(checkpoints);
    const other = Buffer.from(PICTURE).fill(7, 8);
    await writeFile(file, other);
    await utimes(file, 1_000_000, 1_000_000);
    const { changes } = await checkpoints.compare(id, null, work());
    expect(changes.map(({ path: one }) => one)).toEqual(['game/figure/a.png']);
  });

  it('keeps nothing twice, and no automatic checkpoint of an unchanged game', async () => {
    await game.put('game/figure/copy.png', PICTURE);
    const checkpoints = open();
    const first = await keep(checkpoints);
    expect(await listObjects()).toHaveLength(4);
    const same = await checkpoints.create({ name: '', cause: 'start', limits: LIMITS }, work());
    expect(same.id).toBe(first.id);
    await keep(checkpoints, 'again');
    expect((await checkpoints.list()).checkpoints.map(({ name }) => name)).toEqual(['again', 'kept']);
    expect(await listObjects()).toHaveLength(4);
  });

  it('is not made when cancelled or beyond the limit', async () => {
    const checkpoints = open();
    const stopped = AbortSignal.abort();
    await expect(
      checkpoints.create({ name: '', cause: 'user', limits: LIMITS }, { signal: stopped }),
    ).rejects.toMatchObject({ code: 'E_TIMEOUT' });
    await game.put('game/bgm/long.mp3', Buffer.alloc(100_000, 3));
    await expect(
      checkpoints.create({ name: '', cause: 'user', limits: { automatic: 5, bytes: 50_000 } }, work()),
    ).rejects.toMatchObject({ code: 'E_TOO_LARGE', reason: 'checkpoint.full' });
    expect((await checkpoints.list()).checkpoints).toEqual([]);
    expect(await listObjects()).toEqual([]);
  });
});

describe('restoring', () => {
  it('skips damaged bytes, names the file, and stores them anew when they come back', async () => {
    const checkpoints = open();
    const { id } = await keep(checkpoints);
    const file = await checkpoints.find(id, 'game/figure/a.png');
    const object = (await listObjects()).find((one) => one.endsWith(file?.hash ?? '-')) ?? '';
    await truncate(object, 5);
    await game.remove('game/figure/a.png');
    await game.put('game/empty.txt', 'x');
    const { failed } = await putBack(checkpoints, id);
    expect(failed).toEqual([{ path: 'game/figure/a.png', reason: 'damaged' }]);
    expect(await game.text('game/empty.txt')).toBe('');
    expect(await game.text('game/figure/a.png')).toBeNull();
    await game.put('game/figure/a.png', PICTURE);
    await keep(checkpoints, 'again');
    await game.remove('game/figure/a.png');
    expect((await putBack(checkpoints, id)).failed).toEqual([]);
    expect(await readFile(path.join(game.root, 'game/figure/a.png'))).toEqual(PICTURE);
  });

  it('leaves a file alone that changed since the present was kept', async () => {
    const checkpoints = open();
    const { id } = await keep(checkpoints);
    await game.put('game/figure/a.png', 'second');
    const before = await checkpoints.create({ name: '', cause: 'restore', limits: LIMITS }, work());
    const { changes } = await checkpoints.compare(before.id, id, work());
    const staged = await checkpoints.stage(changes, work());
    await game.put('game/figure/a.png', 'third one');
    expect(await staged.commit()).toEqual([{ path: 'game/figure/a.png', reason: 'changed' }]);
    expect(await game.text('game/figure/a.png')).toBe('third one');
  });

  it('refuses a link in place of the file or its folder', async () => {
    const checkpoints = open();
    const { id } = await keep(checkpoints);
    const outside = `${game.root}-outside`;
    await mkdir(outside);
    await rm(path.join(game.root, 'game/figure'), { recursive: true });
    await symlink(outside, path.join(game.root, 'game/figure'));
    const { failed } = await putBack(checkpoints, id);
    expect(failed).toEqual([{ path: 'game/figure/a.png', reason: 'refused' }]);
    expect(await readdir(outside)).toEqual([]);
    await rm(outside, { recursive: true });
  });

  it.skipIf(process.getuid?.() === 0)(
    'reports a folder without access and changes nothing (skipped for root, who has access)',
    async () => {
      const checkpoints = open();
      const { id } = await keep(checkpoints);
      await game.put('game/figure/a.png', 'new');
      await chmod(path.join(game.root, 'game/figure'), 0o555);
      expect((await putBack(checkpoints, id)).failed).toEqual([{ path: 'game/figure/a.png', reason: 'refused' }]);
      await chmod(path.join(game.root, 'game/figure'), 0o755);
      expect(await game.text('game/figure/a.png')).toBe('new');
    },
  );

  it('leaves no temporary files, whether it is committed or discarded', async () => {
    const checkpoints = open();
    const { id } = await keep(checkpoints);
    await game.remove('game/figure');
    await putBack(checkpoints, id);
    await game.put('game/figure/a.png', 'new');
    const before = await keep(checkpoints);
    const { changes } = await checkpoints.compare(before.id, id, work());
    await (await checkpoints.stage(changes, work())).discard();
    await checkpoints.close();
    const names = await readdir(game.root, { recursive: true });
    expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(await game.text('game/figure/a.png')).toBe('new');
  });
});

describe('the store', () => {
  it('removes the oldest automatic checkpoints beyond the limits, and never those of the user', async () => {
    const checkpoints = open();
    const ids: string[] = [];
    for (const [index, cause] of (['user', 'start', 'start', 'start', 'user', 'start'] as const).entries()) {
      await game.put('game/figure/a.png', Buffer.alloc(10_000, index + 1));
      ids.push((await checkpoints.create({ name: '', cause, limits: LIMITS }, work())).id);
    }
    const left = async () => (await checkpoints.list()).checkpoints.map(({ id }) => ids.indexOf(id));
    await checkpoints.prune({ automatic: 3, bytes: 1e9 }, []);
    expect(await left()).toEqual([5, 4, 3, 2, 0]);
    await checkpoints.prune({ automatic: 3, bytes: 35_000 }, [ids[2] ?? '']);
    expect(await left()).toEqual([4, 2, 0]);
    expect(await checkpoints.usage()).toBeLessThan(35_000);
    await checkpoints.prune({ automatic: 1, bytes: 1 }, []);
    expect(await left()).toEqual([4, 0]);
    for (const id of [ids[4], ids[0]]) {
      expect((await putBack(checkpoints, id ?? '')).failed).toEqual([]);
      expect((await readFile(path.join(game.root, 'game/figure/a.png')))[0]).toBe(ids.indexOf(id ?? '') + 1);
    }
  });

  it('loses no checkpoint to a run that was stopped, and no pinned one to a run that needs room', async () => {
    const checkpoints = open();
    const limits = { automatic: 5, bytes: 50_000 };
    const create = (pinned: string[], signal = work().signal) =>
      checkpoints.create({ name: '', cause: 'start', limits, pinned }, { signal });
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      await game.put('game/figure/a.png', Buffer.alloc(10_000, index + 1));
      ids.push((await create([])).id);
    }
    const left = async () => (await checkpoints.list()).checkpoints.map(({ id }) => ids.indexOf(id)).reverse();
    await game.put('game/figure/a.png', Buffer.alloc(20_000, 9));
    await expect(create([], AbortSignal.abort())).rejects.toMatchObject({ code: 'E_TIMEOUT' });
    expect(await left()).toEqual([0, 1, 2, 3]);
    ids.push((await create([ids[0] ?? ''])).id);
    expect(await left()).toEqual([0, 3, 4]);
  });

  it('never removes what a checkpoint needs while two programs work on it', async () => {
    const [one, other] = [open(), open()];
    const kept: { id: string; fill: number }[] = [];
    for (let round = 1; round <= 8; round += 1) {
      await game.put('game/figure/a.png', Buffer.alloc(2000, round));
      const [made] = await Promise.all([keep(one, String(round)), other.prune({ automatic: 1, bytes: 1 }, [])]);
      kept.push({ id: made.id, fill: round });
      if (round % 3 === 0) {
        const gone = kept.shift();
        const removal = other.remove(gone?.id ?? '');
        // The same bytes again, which the other program is removing.
        await game.put('game/figure/a.png', Buffer.alloc(2000, gone?.fill));
        const again = await keep(one, 'again');
        await removal;
        kept.push({ id: again.id, fill: gone?.fill ?? 0 });
      }
    }
    for (const { id, fill } of kept) {
      const file = await other.find(id, 'game/figure/a.png');
      expect((await other.read(file ?? { hash: '', bytes: 0 }))[0]).toBe(fill);
    }
  });

  it('skips records that are torn or come from elsewhere, and keeps what they need', async () => {
    const checkpoints = open();
    const { id } = await keep(checkpoints);
    await game.put('game/figure/a.png', 'another');
    await keep(checkpoints, 'second');
    const record = path.join(store, 'states', `${id}.json`);
    const text = await readFile(record, 'utf8');
    await writeFile(record, text.replace('kept', 'forged'));
    await writeFile(path.join(store, 'states', 'kept_0000000000001_00000000.json'), text.slice(0, 30));
    const objects = (await listObjects()).length;
    const again = open();
    expect((await again.list()).checkpoints.map(({ name }) => name)).toEqual(['second']);
    expect((await again.list()).damaged).toBe(2);
    await again.prune({ automatic: 1, bytes: 1 }, []);
    expect(await listObjects()).toHaveLength(objects);
    await expect(again.compare(id, null, work())).rejects.toMatchObject({ reason: 'checkpoint.gone' });
  });

  it('reads everything again when its memory of the files is torn', async () => {
    const { id } = await keep(open());
    const cache = path.join(store, 'stat-cache');
    const text = await readFile(cache, 'utf8');
    // Valid JSON with another hash, and files that count as settled.
    const torn = text.replace(/"hash":"./g, '"hash":"0').replaceAll('"isSettled":false', '"isSettled":true');
    await writeFile(cache, torn);
    await rename(store, `${store}-moved`);
    store = `${store}-moved`;
    const checkpoints = open();
    expect((await checkpoints.compare(id, null, work())).changes).toEqual([]);
  });

  it('sorts a checkpoint that is made after the clock was set back as the newest', async () => {
    const checkpoints = open();
    const { id } = await keep(checkpoints, 'first');
    const late = id.replace(/\d{13}/, '9999999999998');
    const record = path.join(store, 'states', `${id}.json`);
    const text = (await readFile(record, 'utf8')).split('\n')[0]?.replace(id, late) ?? '';
    await writeFile(path.join(store, 'states', `${late}.json`), `${text}\n${await game.signature.toMark(text)}\n`);
    await keep(checkpoints, 'second');
    expect((await checkpoints.list()).checkpoints[0]?.name).toBe('second');
  });
});
