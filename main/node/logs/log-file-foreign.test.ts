import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createLineSignature } from './line-signature.ts';
import { createLogFile } from './log-file.ts';
import { createSessionLogs } from './session-logs.ts';

/** What a game may contain in a log's place to prevent recording. */

const isWindows = process.platform === 'win32';
let root = '';
let place = '';
let log: ReturnType<typeof createLogFile>;

const create = (rotate = { bytes: 60, keep: 2 }) =>
  createLogFile({ folder: async () => path.dirname(place), name: path.basename(place), rotate });

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'log-'));
  await mkdir(path.join(root, '.webgal_agent', 'sessions'), { recursive: true });
  place = path.join(root, '.webgal_agent', 'audit.jsonl');
  await writeFile(path.join(root, 'user.txt'), 'user\n');
  log = create();
});
afterEach(async () => {
  await log.close();
  await rm(root, { recursive: true, force: true });
});

const OBSTACLES: Record<string, (file: string) => Promise<unknown> | unknown> = {
  'a folder': (file) => mkdir(path.join(file, 'full'), { recursive: true }),
  ...(!isWindows && {
    'a link to a file of the user': (file) => symlink(path.join(root, 'user.txt'), file),
    'a dangling link': (file) => symlink(path.join(root, 'none'), file),
    'a link to a folder': (file) => symlink(root, file),
    'a link to itself': (file) => symlink(file, file),
    'a pipe': (file) => execFileSync('mkfifo', [file]),
  }),
};

const names = async () => (await readdir(path.dirname(place))).filter((name) => name !== 'sessions').sort();

describe.each(Object.keys(OBSTACLES))('%s', (kind) => {
  it('in the log’s place is set aside, reported once, and replaced by a new log', async () => {
    await OBSTACLES[kind]?.(place);
    const { setAside } = await log.ready();
    expect(setAside).toMatch(/^audit\.jsonl\.[0-9a-f]{8}\.foreign$/);
    expect(await log.ready()).toEqual({ setAside: null });
    await log.append({ a: 1 }, true);
    expect(await log.read()).toEqual({ entries: [{ a: 1 }], damaged: 0 });
    expect(await names()).toEqual(['audit.jsonl', setAside]);
    expect(await readFile(path.join(root, 'user.txt'), 'utf8')).toBe('user\n');
  });

  it('that replaces an open log is set aside too', async () => {
    await log.append({ a: 1 }, true);
    await rm(place);
    await OBSTACLES[kind]?.(place);
    await log.append({ a: 2 }, true);
    expect((await log.read()).entries).toEqual([{ a: 2 }]);
    expect((await log.ready()).setAside).toMatch(/\.foreign$/);
  });

  it('in the place of a rotated file blocks neither appends nor reads', async () => {
    await OBSTACLES[kind]?.(path.join(path.dirname(place), 'audit.1.jsonl'));
    await OBSTACLES[kind]?.(path.join(path.dirname(place), 'audit.2.jsonl'));
    const lines = Array.from({ length: 12 }, (_, index) => ({ text: 'a line of some length', index }));
    for (const line of lines) await log.append(line, true);
    const read: unknown[] = [];
    for await (const { lines } of log.history()) for (const { entry } of lines) read.unshift(entry);
    expect(read).toEqual(lines.slice(-read.length));
    expect(read.length).toBeGreaterThanOrEqual(4);
    expect((await names()).filter((name) => !name.endsWith('.foreign'))).toEqual(
      expect.arrayContaining(['audit.1.jsonl', 'audit.2.jsonl']),
    );
  });

  it('in the place of a conversation’s log is set aside', async () => {
    const file = path.join(root, '.webgal_agent', 'sessions', 'one.jsonl');
    await OBSTACLES[kind]?.(file);
    const sessions = createSessionLogs(createAgentFolder(root), createJournalSignature(path.join(root, 'home')));
    await sessions.open('one').append({ a: 1 }, true);
    const entries: unknown[] = [];
    const read = await sessions.open('one').read((entry) => void entries.push(entry));
    expect({ entries, ...read }).toEqual({ entries: [{ a: 1 }], damaged: 0, isForeign: false });
    expect((await sessions.list()).map(({ session }) => session)).toEqual(['one']);
    await sessions.close();
  });
});

it('a rotated file that is no log is counted and hides no line', async () => {
  await mkdir(path.join(path.dirname(place), 'audit.1.jsonl'));
  await log.append({ a: 1 }, true);
  const read: unknown[] = [];
  for await (const one of log.history()) read.push(one);
  expect(read).toEqual([
    { lines: [{ entry: { a: 1 }, isForeign: true }], damaged: 0 },
    { lines: [], damaged: 1 },
  ]);
});

describe('a signed log', () => {
  const signed = (home = 'home') => {
    const signature = createJournalSignature(path.join(root, home));
    const toSignature = () => createLineSignature(signature, 'audit.jsonl');
    return createLogFile({
      folder: async () => path.dirname(place),
      name: path.basename(place),
      signature: toSignature,
    });
  };
  const readAll = async (one: ReturnType<typeof signed>) => {
    const found: string[] = [];
    for await (const { lines, damaged } of one.history()) {
      found.push(...lines.map(({ entry, isForeign }) => `${isForeign ? 'foreign' : 'own'} ${JSON.stringify(entry)}`));
      if (damaged > 0) found.push(`damaged ${damaged}`);
    }
    return found.map((line) => line.replace(/,"mark":"[0-9a-f]{64}"/, ''));
  };

  it('distinguishes its own lines from earlier, added, changed and foreign ones', async () => {
    const forged = JSON.stringify({ a: 'forged' });
    const mark = 'f'.repeat(64);
    await writeFile(place, `${forged}\n${forged.slice(0, -1)},"mark":"${mark}"}\n`);
    const one = signed();
    await one.append({ a: 1 }, true);
    await one.close();
    const other = signed('elsewhere');
    await other.append({ a: 2 }, true);
    await other.close();
    const again = signed();
    await again.append({ a: 3 }, false);
    expect(await readAll(again)).toEqual([
      'own {"a":3}',
      'foreign {"a":2}',
      'own {"a":1}',
      'foreign {"a":"forged"}',
      'foreign {"a":"forged"}',
    ]);
    await writeFile(place, (await readFile(place, 'utf8')).replace('{"a":3', '{"a":4'));
    expect((await readAll(again))[0]).toBe('foreign {"a":4}');
    await again.close();
  });

  it('does not trust a line that claims to be written by the app', async () => {
    await writeFile(place, `${JSON.stringify({ a: 1, isForeign: false, mark: '' })}\n`);
    const one = signed();
    for await (const { lines } of one.history()) expect(lines.map(({ isForeign }) => isForeign)).toEqual([true]);
    await one.close();
  });
});

it('is not ready while its folder is a file, and ready after that is fixed', async () => {
  const folder = path.join(root, '.webgal_agent');
  const real = createAgentFolder(root);
  log = createLogFile({ folder: (make) => (make ? real.make('') : real.find('')), name: 'audit.jsonl' });
  await rm(folder, { recursive: true });
  await writeFile(folder, 'no folder');
  await expect(log.ready()).rejects.toMatchObject({ code: 'E_DENY_PATH' });
  await expect(log.append({ a: 1 }, true)).rejects.toMatchObject({ code: 'E_DENY_PATH' });
  await rm(folder);
  expect(await log.ready()).toEqual({ setAside: null });
  await log.append({ a: 2 }, true);
  expect(await log.read()).toEqual({ entries: [{ a: 2 }], damaged: 0 });
});
