import { fork } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJournalSignature } from '../../journal/journal-signature.ts';
import { createAgentFolder } from '../../project-fs/agent-folder.ts';
import { createSessionLogs } from '../session-logs.ts';
import { createSessionTrash } from './session-trash.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'trash-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const createLogs = () => createSessionLogs(createAgentFolder(root), createJournalSignature(path.join(root, 'home')));
const namesIn = (part: string) => readdir(path.join(root, '.webgal_agent', part)).catch(() => []);

it('moves a log to the trash and back, unchanged and still signed', async () => {
  const logs = createLogs();
  await logs.claim('one');
  await logs.open('one').append({ t: 'title', text: 'Rain' }, true);
  const before = await logs.find('one');
  await logs.discard('one');
  expect([await namesIn('sessions'), await logs.list()]).toEqual([[], []]);
  expect(await namesIn('sessions-trash')).toHaveLength(1);
  await expect(logs.discard('one')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  await logs.restore('one');
  expect(await namesIn('sessions-trash')).toEqual([]);
  expect((await logs.find('one'))?.modifiedAt).toBe(before?.modifiedAt);
  const entries: unknown[] = [];
  expect(await logs.open('one').read((entry) => entries.push(entry))).toEqual({ damaged: 0, isForeign: false });
  expect(entries).toEqual([{ t: 'title', text: 'Rain' }]);
  await expect(logs.restore('one')).rejects.toMatchObject({ code: 'E_NOT_FOUND', reason: 'chat.trashGone' });
  await logs.close();
});

it('replaces no log that is there again', async () => {
  const logs = createLogs();
  await logs.open('one').append({ v: 1 }, true);
  await logs.discard('one');
  await logs.open('one').append({ v: 2 }, true);
  await expect(logs.restore('one')).rejects.toMatchObject({ code: 'E_CONFLICT', reason: 'chat.restoreTaken' });
  const entries: unknown[] = [];
  await logs.open('one').read((entry) => entries.push(entry));
  expect(entries).toEqual([{ v: 2 }]);
  expect(await namesIn('sessions-trash')).toHaveLength(1);
  await logs.close();
});

it('purges logs after 30 days and beyond 200, the oldest first', async () => {
  const folder = createAgentFolder(root);
  const sessions = await folder.make('sessions');
  let now = Date.now() - 31 * DAY_MS;
  const trash = createSessionTrash(folder, () => now);
  const put = async (session: string) => {
    const file = path.join(sessions, `${session}.jsonl`);
    await writeFile(file, session);
    await trash.put(file, session);
  };
  await put('old');
  now = Date.now() - 29 * DAY_MS;
  for (let index = 0; index < 201; index += 1) {
    now += 1;
    await put(`s${index}`);
  }
  now = Date.now();
  await trash.purge();
  await expect.poll(() => namesIn('sessions-trash')).toHaveLength(200);
  const names = await namesIn('sessions-trash');
  expect(names.some((name) => name.includes('.old.') || name.includes('.s0.'))).toBe(false);
});

it('keeps what was deleted last, whatever files a game brings', async () => {
  const folder = createAgentFolder(root);
  const [sessions, directory] = [await folder.make('sessions'), await folder.make('sessions-trash')];
  for (let index = 0; index < 220; index += 1) {
    const planted = path.join(directory, `${9e15 + index}.planted${index}.jsonl`);
    await writeFile(planted, '');
    await utimes(planted, 4e9, 4e9);
  }
  await writeFile(path.join(directory, 'other.txt'), '');
  // Both times have the resolution of the system's clock.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const trash = createSessionTrash(folder);
  const file = path.join(sessions, 'mine.jsonl');
  await writeFile(file, 'mine');
  await trash.put(file, 'mine');
  await trash.purge();
  await trash.take('mine', file);
  expect(await readFile(file, 'utf8')).toBe('mine');
  expect(await namesIn('sessions-trash')).toContain('other.txt');
});

it('loses nothing when the program is killed while it deletes and brings back', async () => {
  const logs = createLogs();
  await logs.open('one').append({ t: 'title', text: 'Rain' }, true);
  await logs.close();
  const bytes = await readFile(path.join(root, '.webgal_agent', 'sessions', 'one.jsonl'));
  for (let kill = 0; kill < 6; kill += 1) {
    const child = fork(new URL('../../../../tests/support/attacks/deleting-program.ts', import.meta.url), [root], {
      stdio: 'ignore',
    });
    await new Promise((resolve) => child.once('message', resolve));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 15));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
    const places = ['sessions', 'sessions-trash'].map((part) => path.join(root, '.webgal_agent', part));
    const files = (
      await Promise.all(
        places.map(async (place) =>
          (
            await readdir(place).catch(() => [])
          )
            .filter((name) => name.endsWith('one.jsonl'))
            .map((name) => path.join(place, name)),
        ),
      )
    ).flat();
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(await readFile(file)).toEqual(bytes);
    const after = createLogs();
    if ((await after.list()).length === 0) await after.restore('one');
    expect(await after.open('one').read(() => undefined)).toEqual({ damaged: 0, isForeign: false });
    await after.close();
  }
}, 120_000);
