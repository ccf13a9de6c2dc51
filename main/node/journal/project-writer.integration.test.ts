import { execFileSync } from 'node:child_process';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import type { Change, WriteLabel } from '../../core/ports/writer.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createPathResolver } from '../project-fs/path-resolver.ts';
import { createReader } from '../project-fs/project-files.ts';
import { createSnapshotStore } from '../snapshots/snapshot-store.ts';
import { createJournalSignature } from './journal-signature.ts';
import { createWriter } from './project-writer.ts';

const START = 'game/scene/start.txt';
const BEFORE = ':雨停之前;\n:第二行;\n';
const LABEL: WriteLabel = { origin: 'agent', group: 'turn-1', title: '加一段雨夜' };

let outside = '';
let root = '';

beforeEach(async () => {
  outside = await realpath(await mkdtemp(path.join(tmpdir(), 'writer-')));
  root = path.join(outside, 'project');
  await put(START, BEFORE);
});
// A write resolves before its cleanup is finished, which may create a file in the folder that is being removed.
afterEach(() => rm(outside, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 }));

const at = (file: string) => path.join(root, file);
async function put(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(at(file)), { recursive: true });
  await writeFile(at(file), content);
}
const disk = (file: string) => readFile(at(file), 'utf8');

function open(options: { retention?: number; visible?: string[] } = {}) {
  const folder = createAgentFolder(root);
  const resolver = createPathResolver(root, options.visible ? { visible: options.visible } : {});
  const signature = createJournalSignature(path.join(outside, 'home'));
  const { retention } = options;
  const snapshots = createSnapshotStore(folder, { signature, ...(retention !== undefined && { retention }) });
  const reader = createReader(root);
  const writer = createWriter({ resolver, folder, snapshots, signature });
  return {
    writer,
    snapshots,
    reader,
    /** Writes over the present text. */
    async write(file: string, text: string | null, label: Partial<WriteLabel> = {}) {
      const base = await reader.read(file).then(
        (found) => found.version,
        () => null,
      );
      const [written] = await writer.apply([{ path: file, text, base }], { ...LABEL, ...label });
      return written;
    },
  };
}

async function errorOf(promise: Promise<unknown>): Promise<{ code: string; details?: unknown }> {
  const error = await promise.then(
    (value) => value,
    (caught: unknown) => caught,
  );
  if (!(error instanceof AppError)) throw new Error(`no AppError but ${JSON.stringify(error)}`, { cause: error });
  return { code: error.code, ...(error.details && { details: error.details }) };
}

/** Returns all files of the project except the app's folder, to check that none was changed. */
async function readTree(): Promise<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const file = path.relative(root, path.join(entry.parentPath, entry.name));
    if (!file.startsWith('.webgal_agent')) tree[file] = entry.isFile() ? await disk(file) : '';
  }
  return tree;
}

describe('a write', () => {
  it('replaces the text, keeps the one before, and leaves no temp file', async () => {
    const { write, writer, snapshots } = open();
    const written = await write(START, ':新;\n');
    await writer.settle();
    expect(await disk(START)).toBe(':新;\n');
    expect(written).toEqual({
      path: START,
      version: (await open().reader.read(START)).version,
      snapshotId: expect.stringMatching(/^snap_\d{8}T\d{6}_[0-9a-f]{8}$/),
      bytes: 6,
    });
    const { snapshot, text } = await snapshots.read(written?.snapshotId ?? '');
    expect(text).toBe(BEFORE);
    expect(snapshot).toEqual({
      ...LABEL,
      id: written?.snapshotId,
      path: START,
      existed: true,
      timestamp: expect.any(Number),
      contentHash: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(Object.keys(await readTree())).toEqual(['game', 'game/scene', START]);
    expect((await readdir(at('.webgal_agent'), { recursive: true })).sort()).toEqual([
      '.gitignore',
      'journal',
      'snapshots',
      `snapshots/${written?.snapshotId}.meta.json`,
      `snapshots/${written?.snapshotId}.txt`,
      'tmp',
    ]);
  });

  it('creates missing folders, and undoing it removes the file', async () => {
    const { write, snapshots } = open();
    const made = await write('game/scene/new/ch1.txt', '日本 🌸 Привет\n');
    expect(await disk('game/scene/new/ch1.txt')).toBe('日本 🌸 Привет\n');
    expect(await snapshots.read(made?.snapshotId ?? '')).toMatchObject({ snapshot: { existed: false }, text: null });
    const removed = await write('game/scene/new/ch1.txt', null, { origin: 'restore' });
    expect(removed).toMatchObject({ version: null, bytes: 0 });
    expect(await readdir(at('game/scene/new'))).toEqual([]);
    expect((await snapshots.read(removed?.snapshotId ?? '')).text).toBe('日本 🌸 Привет\n');
  });

  it('without a change writes no file, and keeps a snapshot only for the assistant', async () => {
    await utimes(at(START), 1, 1);
    const { write, snapshots } = open();
    expect(await write(START, BEFORE, { origin: 'writer' })).toBeUndefined();
    expect(await snapshots.list()).toEqual([]);
    const written = await write(START, BEFORE);
    expect((await snapshots.list()).map((snapshot) => snapshot.id)).toEqual([written?.snapshotId]);
    expect((await stat(at(START))).mtimeMs).toBe(1000);
  });

  it('keeps mode, byte order mark and line endings', async () => {
    await put(START, '\uFEFFa:1;\r\nb:2;\r\nc:3;\n');
    await chmod(at(START), 0o750);
    await open().write(START, 'a:1;\nB:2;\nc:3;\nd:4;');
    expect(await disk(START)).toBe('\uFEFFa:1;\r\nB:2;\r\nc:3;\nd:4;');
    if (process.platform !== 'win32') expect((await stat(at(START))).mode & 0o777).toBe(0o750);
  });

  it('normalizes any text as line-endings.ts does, and undoing it restores the bytes', async () => {
    const { write, snapshots } = open();
    const text = fc.array(fc.constantFrom('a', '雨', ';', '\n', '\r\n', '\r', '\uFEFF', ' '), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(text, text, async (one, two) => {
        await put('t.txt', one.join(''));
        const written = await write('t.txt', two.join(''));
        const kept = await snapshots.read(written?.snapshotId ?? '');
        await write('t.txt', kept.text, { origin: 'restore' });
        expect(await disk('t.txt')).toBe(one.join(''));
      }),
      { numRuns: 40 },
    );
  });
});

describe('a write is refused', () => {
  it.each([
    ['GBK', Uint8Array.of(0xc4, 0xe3), 'x', 'E_ENCODING'],
    ['half a character', 'x', 'a\ud800b', 'E_ENCODING'],
    ['a read-only file', null, 'x', 'E_IO'],
  ])('for %s, and the file stays', async (_, content, text, code) => {
    await put('t.txt', content ?? 'old');
    if (content === null) await chmod(at('t.txt'), 0o444);
    const before = await readFile(at('t.txt'));
    const { version } = await open()
      .reader.read('t.txt')
      .catch(() => ({ version: 'x' }));
    expect((await errorOf(open().writer.apply([{ path: 't.txt', text, base: version }], LABEL))).code).toBe(code);
    expect(await readFile(at('t.txt'))).toEqual(before);
    expect(await open().snapshots.list()).toEqual([]);
  });

  it.each([
    '../x.txt',
    '/tmp/x.txt',
    '.git/hooks/x',
    '.webgal_agent/policies.json',
    'game/NUL',
    'out/x.txt',
    'out.txt',
    'inside.txt',
    'dangling.txt',
    'node/x.txt',
  ])('at %s', async (file) => {
    await writeFile(path.join(outside, 'target.txt'), 'theirs');
    await put('node_modules/x.txt', 'theirs');
    await symlink('..', at('out'));
    await symlink('../target.txt', at('out.txt'));
    await symlink('game/scene/start.txt', at('inside.txt'));
    await symlink('../new.txt', at('dangling.txt'));
    await symlink('node_modules', at('node'));
    const before = await readTree();
    const { writer } = open();
    for (const change of [
      { text: 'x', base: null },
      { text: null, base: 'x' },
    ]) {
      expect((await errorOf(writer.apply([{ path: file, ...change }], LABEL))).code).toBe('E_DENY_PATH');
    }
    expect(await readTree()).toEqual(before);
    expect((await readdir(outside)).sort()).toEqual(['project', 'target.txt']);
  });

  it('at a folder, a FIFO, under a file, or with a name that is too long', async () => {
    if (process.platform !== 'win32') execFileSync('mkfifo', [at('pipe')]);
    const { writer } = open();
    const codeAt = async (file: string) =>
      (await errorOf(writer.apply([{ path: file, text: 'x', base: null }], LABEL))).code;
    expect(await codeAt('game')).toBe('E_BAD_ARGS');
    expect(await codeAt('.')).toBe('E_BAD_ARGS');
    if (process.platform !== 'win32') expect(await codeAt('pipe')).toBe('E_DENY_PATH');
    expect(['E_IO', 'E_NOT_FOUND']).toContain(await codeAt(`${START}/x.txt`));
    expect(await codeAt(`game/${'a'.repeat(300)}.txt`)).toBe('E_IO');
    expect(await disk(START)).toBe(BEFORE);
  });

  it('outside of what is visible', async () => {
    const { writer } = open({ visible: ['game'] });
    expect((await errorOf(writer.apply([{ path: 'x.txt', text: 'x', base: null }], LABEL))).code).toBe('E_DENY_PATH');
  });

  it('when the folder of the app is a link that leads elsewhere', async () => {
    await mkdir(path.join(outside, 'elsewhere'));
    await symlink('../elsewhere', at('.webgal_agent'));
    expect((await errorOf(open().write(START, 'x'))).code).toBe('E_DENY_PATH');
    expect(await disk(START)).toBe(BEFORE);
    expect(await readdir(path.join(outside, 'elsewhere'))).toEqual([]);
  });

  it('when a file changed, appeared or vanished; then no file of the set is written', async () => {
    await put('game/config.txt', 'Game_name:x;\n');
    const { writer, reader, snapshots } = open();
    const bases = { start: (await reader.read(START)).version, config: (await reader.read('game/config.txt')).version };
    await put(START, 'user text');
    await put('game/scene/new.txt', 'other user text');
    await rm(at('game/config.txt'));
    const before = await readTree();
    const changes: Change[] = [
      { path: START, text: 'mine', base: bases.start },
      { path: 'game/scene/new.txt', text: 'mine', base: null },
      { path: 'game/config.txt', text: 'mine', base: bases.config },
      { path: 'game/scene/fine.txt', text: 'mine', base: null },
    ];
    expect(await errorOf(writer.apply(changes, LABEL))).toEqual({
      code: 'E_CONFLICT',
      details: { paths: [START, 'game/scene/new.txt', 'game/config.txt'] },
    });
    expect(await readTree()).toEqual(before);
    expect(await snapshots.list()).toEqual([]);
  });

  it('when one file is named twice', async () => {
    const { writer } = open();
    const changes = ['a.txt', './a.txt'].map((file) => ({ path: file, text: 'x', base: null }));
    expect((await errorOf(writer.apply(changes, LABEL))).code).toBe('E_BAD_ARGS');
  });
});

describe('a transaction', () => {
  it('is rolled back when it fails half way', async () => {
    await put('game/a.txt', 'a');
    const { writer, reader, snapshots } = open();
    // The second file cannot be created: a plain file is where its folder would be.
    await put('game/blocked', 'file');
    const before = await readTree();
    const error = await errorOf(
      writer.apply(
        [
          { path: 'game/a.txt', text: 'A', base: (await reader.read('game/a.txt')).version },
          { path: 'game/fresh/deep/b.txt', text: 'B', base: null },
          { path: 'game/blocked/c.txt', text: 'C', base: null },
        ],
        LABEL,
      ),
    );
    expect(['E_IO', 'E_NOT_FOUND']).toContain(error.code);
    expect(await readTree()).toEqual(before);
    expect(await snapshots.list()).toEqual([]);
    expect(await readdir(at('.webgal_agent/tmp'))).toEqual([]);
  });

  it('does not write through a hard link', async () => {
    await link(at(START), path.join(outside, 'twin.txt'));
    await open().write(START, 'new');
    expect(await readFile(path.join(outside, 'twin.txt'), 'utf8')).toBe(BEFORE);
  });

  it('waits for the one before: of many with the same base one succeeds and the others are refused', async () => {
    const { writer, reader } = open();
    const base = (await reader.read(START)).version;
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => writer.apply([{ path: START, text: `text ${index}`, base }], LABEL)),
    );
    expect(results.map((result) => result.status)).toEqual(['fulfilled', ...Array(19).fill('rejected')]);
    expect(await disk(START)).toBe('text 0');
  });

  it('resolves a linked folder of the project', async () => {
    await symlink('game/scene', at('scenes'));
    const { write, snapshots } = open();
    await write('scenes/start.txt', 'x');
    expect(await disk(START)).toBe('x');
    expect((await lstat(at('scenes'))).isSymbolicLink()).toBe(true);
    expect((await snapshots.list()).map((snapshot) => snapshot.path)).toEqual([START]);
  });
});

describe('a key', () => {
  it('answers the same call again, also after a restart, and refuses another text', async () => {
    const label = { ...LABEL, idempotencyKey: 'k1' };
    const change = { path: 'game/scene/t.txt', text: 'x\n', base: null };
    const { writer: before } = open();
    const first = await before.apply([change], label);
    await before.settle();
    await put('game/scene/t.txt', 'changed since');
    const { writer, snapshots } = open();
    expect(await writer.apply([change], label)).toEqual(first);
    expect(await disk('game/scene/t.txt')).toBe('changed since');
    expect(await snapshots.list()).toHaveLength(1);
    expect((await errorOf(writer.apply([{ ...change, text: 'y\n' }], label))).code).toBe('E_BAD_ARGS');
    expect(await disk('game/scene/t.txt')).toBe('changed since');
    await writer.apply([{ ...change, path: 'game/scene/u.txt' }], label);
    expect(await disk('game/scene/u.txt')).toBe('x\n');
  });

  it('identifies the request, not the resulting text', async () => {
    const { write } = open();
    await put('log.txt', 'one\n');
    const label = { idempotencyKey: 'k', request: 'append two' };
    const first = await write('log.txt', 'one\ntwo\n', label);
    expect(await write('log.txt', 'one\ntwo\ntwo\n', label)).toEqual(first);
    expect(await disk('log.txt')).toBe('one\ntwo\n');
    expect((await errorOf(write('log.txt', 'x', { ...label, request: 'overwrite' }))).code).toBe('E_BAD_ARGS');
  });

  it('of a failed write answers no call', async () => {
    const { writer } = open();
    const label = { ...LABEL, idempotencyKey: 'k' };
    await errorOf(writer.apply([{ path: START, text: 'x', base: null }], label));
    await writer.apply([{ path: START, text: 'x', base: (await open().reader.read(START)).version }], label);
    expect(await disk(START)).toBe('x');
  });
});

describe('an editing session', () => {
  const session = { origin: 'writer', group: 'session-1' } as const;

  it('keeps the text before it once, until another write changes the file', async () => {
    const { write, snapshots } = open();
    const texts = async () =>
      Promise.all((await snapshots.list()).map(async ({ id }) => (await snapshots.read(id)).text));
    const first = await write(START, '1', session);
    for (const text of ['2', '3']) expect((await write(START, text, session))?.snapshotId).toBe(first?.snapshotId);
    expect(await texts()).toEqual([BEFORE]);
    await write(START, 'agent', { group: 'turn-2' });
    await write(START, '4', session);
    await write(START, '5', session);
    expect(await texts()).toEqual(['agent', '3', BEFORE]);
    await put(START, 'from outside');
    await write(START, '6', session);
    await write(START, '7', { ...session, group: 'session-2' });
    expect(await texts()).toEqual(['6', 'from outside', 'agent', '3', BEFORE]);
  });

  it('never pushes out the text that the assistant replaced', async () => {
    const { write, snapshots } = open({ retention: 3 });
    await write(START, 'agent');
    for (let turn = 0; turn < 6; turn += 1)
      await write(START, `user ${turn}`, { ...session, group: `session-${turn}` });
    await write('other.txt', 'x');
    const count = async () => (await snapshots.list({ pathPrefix: START })).map((snapshot) => snapshot.origin);
    await expect.poll(count).toEqual(['writer', 'writer', 'writer', 'agent']);
  });
});

it('reports a file that another program removes at the same time as a conflict or as written', async () => {
  const { writer } = open();
  const remover = new Worker(
    `const fs = require('node:fs'), { workerData } = require('node:worker_threads');
    for (;;) { fs.writeFileSync(workerData, ''); fs.rmSync(workerData, { force: true }); }`,
    { eval: true, workerData: at('game/scene/flicker.txt') },
  );
  try {
    const resolver = createPathResolver(root);
    // The resolver answers in microseconds, a write in milliseconds.
    for (let round = 0; round < 5_000; round += 1) await resolver.resolveForWriting('game/scene/flicker.txt');
    const change = { path: 'game/scene/flicker.txt', text: 'mine', base: null };
    const outcomes = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      outcomes.add(
        await writer.apply([change], LABEL).then(
          () => 'written',
          (error: unknown) => (error instanceof AppError ? error.code : String(error)),
        ),
      );
    }
    expect([...outcomes].filter((outcome) => !['written', 'E_CONFLICT'].includes(outcome))).toEqual([]);
  } finally {
    await remover.terminate();
  }
});
