import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJournalSignature } from '../../journal/journal-signature.ts';
import { createAgentFolder } from '../../project-fs/agent-folder.ts';
import { createSessionLogs } from '../session-logs.ts';
import { createSessionTrash } from './session-trash.ts';
import { removeUnusedPictures } from './unused-pictures.ts';

const HOUR_MS = 60 * 60 * 1000;
let root: string;
let closes: (() => Promise<void>)[];
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'pictures-'));
  closes = [];
});
afterEach(async () => {
  await Promise.all(closes.map((close) => close()));
  await rm(root, { recursive: true, force: true });
});

const inRoot = (...parts: string[]) => path.join(root, '.webgal_agent', ...parts);
const namesIn = async (part: string) => (await readdir(inRoot(part)).catch(() => [])).sort();

function createLogs() {
  const logs = createSessionLogs(createAgentFolder(root), createJournalSignature(path.join(root, 'home')));
  closes.push(logs.close);
  return logs;
}

/** Stores a picture that was added `age` milliseconds ago. */
async function addPicture(text: string, age = 2 * HOUR_MS): Promise<string> {
  const id = createHash('sha256').update(text).digest('hex');
  await mkdir(inRoot('pictures'), { recursive: true });
  await writeFile(inRoot('pictures', id), text);
  const time = new Date(Date.now() - age);
  await utimes(inRoot('pictures', id), time, time);
  return id;
}

const scan = {
  places: [{ part: 'sessions', isLog: () => true }],
  now: Date.now(),
  signal: new AbortController().signal,
};
const naming = (...ids: string[]) => ({
  t: 'user',
  text: 'Look',
  pictures: ids.map((id) => ({ id, type: 'image/png' })),
});

it('removes the pictures that only an erased conversation has', async () => {
  const logs = createLogs();
  const [own, shared, inTrash, inForeign, other] = await Promise.all(
    ['own', 'shared', 'trash', 'foreign', 'other'].map((text) => addPicture(text)),
  );
  // The same picture twice, and an id on the border of two chunks of reading.
  await logs.open('one').append(naming(own ?? '', own ?? '', shared ?? '', inTrash ?? '', inForeign ?? ''), true);
  await logs.open('two').append({ text: 'x'.repeat(256 * 1024 - 110), id: shared }, true);
  await logs.open('three').append(naming(inTrash ?? ''), true);
  await writeFile(inRoot('sessions', 'planted.jsonl'), `not a line ${inForeign}`);
  for (const session of ['one', 'three']) await logs.discard(session);
  expect(await logs.listTrash()).toMatchObject([{ session: 'three' }, { session: 'one' }]);
  expect((await logs.listTrash())[1]?.bytes).toBeGreaterThan(300);

  await logs.erase('one');
  await expect.poll(() => namesIn('sessions-trash')).toHaveLength(1);
  expect(await namesIn('pictures')).toEqual([shared, inTrash, inForeign, other].sort());
  await expect(logs.erase('one')).rejects.toMatchObject({ code: 'E_NOT_FOUND', reason: 'chat.trashGone' });

  await logs.erase(null);
  await expect.poll(() => namesIn('sessions-trash')).toEqual([]);
  expect(await namesIn('pictures')).toEqual([shared, inForeign, other].sort());
});

it('finds an id at every place of two chunks', async () => {
  const id = await addPicture('border');
  const erased = path.join(root, 'erased');
  await writeFile(erased, id);
  await mkdir(inRoot('sessions'));
  for (let before = 256 * 1024 - 66; before <= 256 * 1024 + 2; before += 1) {
    await writeFile(inRoot('sessions', 'two.jsonl'), `${'-'.repeat(before)}${id}\n`);
    await removeUnusedPictures(createAgentFolder(root), { erased, ...scan });
    expect(await namesIn('pictures'), String(before)).toEqual([id]);
  }
  await writeFile(inRoot('sessions', 'two.jsonl'), `0${id}\n`);
  await removeUnusedPictures(createAgentFolder(root), { erased, ...scan });
  expect(await namesIn('pictures')).toEqual([]);
});

it('waits with a picture that was added a moment ago, and keeps no text meanwhile', async () => {
  const logs = createLogs();
  const id = await addPicture('new', 1000);
  await logs.open('one').append(naming(id), true);
  await logs.discard('one');
  await logs.erase('one');
  await expect
    .poll(async () => {
      const [name = ''] = await namesIn('sessions-trash');
      return readFile(inRoot('sessions-trash', name), 'utf8').catch(() => null);
    })
    .toBe(id);
  expect(await namesIn('pictures')).toEqual([id]);
  expect(await logs.listTrash()).toEqual([]);
  const later = createSessionTrash(createAgentFolder(root), () => Date.now() + 2 * HOUR_MS);
  closes.push(later.close);
  await later.purge();
  await expect.poll(() => namesIn('sessions-trash')).toEqual([]);
  expect(await namesIn('pictures')).toEqual([]);
});

it('removes nothing while the logs cannot be read', async () => {
  const id = await addPicture('one');
  const erased = path.join(root, 'erased');
  await writeFile(erased, id);
  const folder = createAgentFolder(root);
  const failing = {
    ...folder,
    find: (part: string) => (part === 'sessions' ? Promise.reject(new Error('EIO')) : folder.find(part)),
  };
  await expect(removeUnusedPictures(failing, { erased, ...scan })).rejects.toThrow('EIO');
  expect(await namesIn('pictures')).toEqual([id]);
});

it('follows no link', async () => {
  const logs = createLogs();
  const outside = path.join(root, 'outside');
  const linked = createHash('sha256').update('link').digest('hex');
  await writeFile(outside, 'outside');
  await mkdir(inRoot('pictures'), { recursive: true });
  await symlink(outside, inRoot('pictures', linked));
  await logs.open('one').append(naming(linked), true);
  await logs.discard('one');
  await symlink(outside, inRoot('sessions', 'link.jsonl'));
  await logs.erase('one');
  await expect.poll(() => namesIn('sessions-trash')).toEqual([]);
  expect([await namesIn('pictures'), await readFile(outside, 'utf8')]).toEqual([[linked], 'outside']);
});

it('goes on after a kill, so that a conversation and its pictures are there whole or not at all', async () => {
  const shared = await addPicture('shared');
  for (let kill = 0; kill < 5; kill += 1) {
    const logs = createLogs();
    await logs.open('live').append(naming(shared), true);
    const own = new Map<string, string>();
    for (let index = 0; index < 12; index += 1) {
      const id = await addPicture(`${kill} ${index}`);
      own.set(`talk${index}`, id);
      await logs.open(`talk${index}`).append(naming(id, shared), true);
      await logs.discard(`talk${index}`);
    }
    await logs.close();
    const child = fork(new URL('../../../../tests/support/attacks/erasing-program.ts', import.meta.url), [root], {
      stdio: 'ignore',
    });
    await new Promise((resolve) => child.once('message', resolve));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 12));
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;

    const after = createLogs();
    await after.purge();
    await expect
      .poll(async () => (await namesIn('sessions-trash')).filter((name) => name.endsWith('.erased')))
      .toEqual([]);
    const left = new Set((await after.listTrash()).map(({ session }) => session));
    const pictures = new Set(await namesIn('pictures'));
    expect(pictures.has(shared)).toBe(true);
    for (const [session, id] of own) expect([session, pictures.has(id)]).toEqual([session, left.has(session)]);
    await after.erase(null);
    await expect.poll(() => namesIn('sessions-trash')).toEqual([]);
    expect(await namesIn('pictures')).toEqual([shared]);
  }
}, 120_000);
