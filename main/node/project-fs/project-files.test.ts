import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { anyCharacter } from '../../../tests/support/any-character.ts';
import { createReader } from './project-files.ts';

let outside = '';
let root = '';

beforeEach(async () => {
  outside = await realpath(await mkdtemp(path.join(tmpdir(), 'reader-')));
  root = path.join(outside, 'project');
  await put('game/scene/start.txt', ':雨停之前;\n');
  await writeFile(path.join(outside, 'secret.txt'), 'secret');
});
afterEach(() => rm(outside, { recursive: true, force: true }));

async function put(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.join(root, file)), { recursive: true });
  await writeFile(path.join(root, file), content);
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (value) => `ok ${JSON.stringify(value)}`,
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
}

const paths = (entries: { path: string }[]) => entries.map((entry) => entry.path);

describe('reading', () => {
  it('returns text, version and size as on the disk', async () => {
    await put('game/scene/bom.txt', '\uFEFFa:1;\r\nb:2;');
    expect(await createReader(root).read('game//scene/./bom.txt')).toEqual({
      path: 'game/scene/bom.txt',
      text: '\uFEFFa:1;\r\nb:2;',
      version: '1c519aa9d344b3fc3838a0cf2d42e7ea8bba83e677601069760c9540af345f27',
      bytes: 13,
    });
  });

  it.each([
    ['GBK', Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3)],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x61, 0x00)],
    ['a character cut off', Uint8Array.of(0x61, 0xe4, 0xbd)],
    ['an overlong slash', Uint8Array.of(0xc0, 0xaf)],
    ['an encoded surrogate', Uint8Array.of(0xed, 0xa0, 0x80)],
  ])('refuses %s', async (_, bytes) => {
    await put('game/scene/bad.txt', bytes);
    expect(await codeOf(createReader(root).read('game/scene/bad.txt'))).toBe('E_ENCODING');
  });

  it('reports a missing file, a folder, and a file that is too large', async () => {
    const reader = createReader(root);
    await put('large.txt', 'x'.repeat(2000));
    expect({
      missing: await codeOf(reader.read('game/scene/none.txt')),
      beneathFile: await codeOf(reader.read('game/scene/start.txt/x')),
      folder: await codeOf(reader.read('game')),
      root: await codeOf(reader.read('.')),
      large: await codeOf(reader.read('large.txt', { maxBytes: 1000 })),
      justRight: (await reader.read('large.txt', { maxBytes: 2000 })).bytes,
      longName: await codeOf(reader.read(`game/${'长'.repeat(300)}.txt`)),
      statLongName: await reader.stat(`game/${'长'.repeat(300)}.txt`),
      statMissing: await reader.stat('game/none'),
      statFile: await reader.stat('game/scene/start.txt'),
      statFolder: await reader.stat('game/scene/'),
    }).toEqual({
      missing: 'E_NOT_FOUND',
      beneathFile: 'E_NOT_FOUND',
      folder: 'E_BAD_ARGS',
      root: 'E_BAD_ARGS',
      large: 'E_TOO_LARGE',
      justRight: 2000,
      longName: 'E_NOT_FOUND',
      statLongName: null,
      statMissing: null,
      statFile: { path: 'game/scene/start.txt', bytes: 15, isDirectory: false },
      statFolder: { path: 'game/scene', bytes: 0, isDirectory: true },
    });
  });

  it('follows links that stay inside and refuses those that lead out or to a forbidden place', async () => {
    await put('.git/config', 'x');
    await put('node_modules/a/index.js', 'x');
    const link = (target: string, name: string) => symlink(target, path.join(root, name));
    await link('game/scene', 'inside');
    await link('game/scene/start.txt', 'inside.txt');
    await link('../secret.txt', 'out.txt');
    await link('..', 'out');
    await link(outside, 'absolute');
    await link('.git', 'git');
    await link('node_modules/a/index.js', 'module.js');
    await link('loop', 'loop');
    await link('nowhere', 'dangling');
    const reader = createReader(root);
    expect({
      inside: (await reader.read('inside/start.txt')).text,
      insideFile: (await reader.read('inside.txt')).text,
      out: await codeOf(reader.read('out.txt')),
      outFolder: await codeOf(reader.read('out/secret.txt')),
      outStat: await codeOf(reader.stat('out/secret.txt')),
      outList: await codeOf(reader.list('out')),
      absolute: await codeOf(reader.read('absolute/secret.txt')),
      git: await codeOf(reader.read('git/config')),
      module: await codeOf(reader.read('module.js')),
      loop: await codeOf(reader.read('loop')),
      dangling: await codeOf(reader.read('dangling')),
      list: paths(await reader.list('.', { recursive: true })),
    }).toEqual({
      inside: ':雨停之前;\n',
      insideFile: ':雨停之前;\n',
      out: 'E_DENY_PATH',
      outFolder: 'E_DENY_PATH',
      outStat: 'E_DENY_PATH',
      outList: 'E_DENY_PATH',
      absolute: 'E_DENY_PATH',
      git: 'E_DENY_PATH',
      module: 'E_DENY_PATH',
      loop: 'E_DENY_PATH',
      dangling: 'E_NOT_FOUND',
      list: ['game', 'game/scene', 'game/scene/start.txt', 'inside', 'inside.txt', 'inside/start.txt'],
    });
  });

  it.skipIf(process.platform === 'win32')('neither blocks on a FIFO nor reads a device', async () => {
    execFileSync('mkfifo', [path.join(root, 'game/pipe.txt')]);
    await symlink('/dev/zero', path.join(root, 'game/zero.txt'));
    const reader = createReader(root);
    expect(await codeOf(reader.read('game/pipe.txt'))).toBe('E_DENY_PATH');
    expect(await codeOf(reader.stat('game/pipe.txt'))).toBe('E_DENY_PATH');
    expect(await codeOf(reader.read('game/zero.txt'))).toBe('E_DENY_PATH');
    expect(paths(await reader.list('game'))).toEqual(['game/scene']);
  });

  it('reads whole texts or none while folder and link are swapped', async () => {
    await symlink(outside, path.join(root, 'evil'));
    await put('real/secret.txt', 'harmless');
    const reader = createReader(root);
    let busy = true;
    const attack = (async () => {
      while (busy) {
        await rename(path.join(root, 'real'), path.join(root, 'kept')).catch(() => undefined);
        await rename(path.join(root, 'evil'), path.join(root, 'real')).catch(() => undefined);
        await rename(path.join(root, 'real'), path.join(root, 'evil')).catch(() => undefined);
        await rename(path.join(root, 'kept'), path.join(root, 'real')).catch(() => undefined);
      }
    })();
    const seen = new Set<string>();
    for (let turn = 0; turn < 300; turn += 1) {
      seen.add(
        await reader.read('real/secret.txt').then(
          (file) => file.text,
          (error: unknown) => (error instanceof AppError ? error.code : String(error)),
        ),
      );
    }
    busy = false;
    await attack;
    expect([...seen].filter((one) => !['harmless', 'E_NOT_FOUND', 'E_DENY_PATH'].includes(one))).toEqual([]);
  });
});

describe('hostile paths', () => {
  const part = fc.oneof(
    fc.constantFrom(
      '..',
      '.',
      '',
      'game',
      'scene',
      'start.txt',
      '.git',
      '.GIT',
      '.webgal_agent',
      'node_modules',
      'NUL',
    ),
    fc.constantFrom(
      'out',
      'evil ',
      'a.',
      'C:',
      'GIT~1',
      '~',
      '%2e%2e',
      '\u0000',
      '..\\..',
      '\u2025',
      '．．',
      'ﬀ',
      'e\u0301',
    ),
    fc.string({ maxLength: 6, unit: anyCharacter }),
  );

  it('always give an AppError or a place inside the project', async () => {
    await symlink('..', path.join(root, 'out'));
    const reader = createReader(root);
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('/', '\\'),
        async (parts, by) => {
          const input = parts.join(by);
          const calls = [reader.read(input), reader.stat(input), reader.list(input, { recursive: true })];
          for (const result of await Promise.all(calls.map((one) => one.catch((error: unknown) => error)))) {
            if (result instanceof Error) expect(result).toBeInstanceOf(AppError);
            expect(JSON.stringify(result instanceof Error ? { ...result, cause: undefined } : result)).not.toMatch(
              /secret/,
            );
            if (result instanceof AppError) expect(result.message).not.toContain(outside);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    '/etc/passwd',
    '../secret.txt',
    'game/../../secret.txt',
    'C:\\x',
    'c:/x',
    '\\\\host\\share',
    'game\\..\\..\\x',
    '.git/config',
    'a/.GIT/x',
    '.env',
    '.env.local',
    '.Git',
    'node_modules/x',
    '.webgal_agent/audit.jsonl',
    'game/con.txt',
    'game/x.',
    'x ',
    'game/x::$DATA',
    'GIT~1/config',
    'a\u0000b',
    '',
    'file:///etc/passwd',
    '\ud800',
  ])('%j is denied', async (input) => {
    expect(await codeOf(createReader(root).read(input))).toBe('E_DENY_PATH');
  });
});

describe('listing', () => {
  it('is sorted, has sizes, and leaves out names that no path can have', async () => {
    for (const name of ['z', 'a', 'B', 'ch/1', 'ch-0']) await put(`game/scene/${name}.txt`, 'x');
    for (const name of ['.git/x', '.env', 'node_modules/x', '.webgal_agent/x', 'a:b', 'tail.', 'con'])
      await put(name, 'x');
    const reader = createReader(root);
    expect(await reader.list('game/scene')).toEqual([
      { path: 'game/scene/B.txt', bytes: 1, isDirectory: false },
      { path: 'game/scene/a.txt', bytes: 1, isDirectory: false },
      { path: 'game/scene/ch', bytes: 0, isDirectory: true },
      { path: 'game/scene/ch-0.txt', bytes: 1, isDirectory: false },
      { path: 'game/scene/start.txt', bytes: 15, isDirectory: false },
      { path: 'game/scene/z.txt', bytes: 1, isDirectory: false },
    ]);
    expect(paths(await reader.list('.'))).toEqual(['game']);
    expect(paths(await reader.list('game', { recursive: true })).slice(-4)).toEqual([
      'game/scene/ch-0.txt',
      'game/scene/ch/1.txt',
      'game/scene/start.txt',
      'game/scene/z.txt',
    ]);
    expect(await codeOf(reader.list('game/none'))).toBe('E_NOT_FOUND');
    expect(await codeOf(reader.list('game/scene/z.txt'))).toBe('E_NOT_FOUND');
    expect(await codeOf(reader.list('.', { signal: AbortSignal.abort() }))).toBe('E_TIMEOUT');
  });

  it('does not enter links to an ancestor folder', async () => {
    await mkdir(path.join(root, 'game/figure'), { recursive: true });
    for (const [name, target] of Object.entries({ up: '..', top: '../..', self: '.', beside: '../scene' }))
      await symlink(target, path.join(root, 'game/figure', name));
    const found = paths(await createReader(root).list('game/figure', { recursive: true }));
    expect(found).toEqual([
      'game/figure/beside',
      'game/figure/beside/start.txt',
      'game/figure/self',
      'game/figure/top',
      'game/figure/up',
    ]);
  });

  it('refuses a folder of too many entries, or lists the upper levels and reports that', async () => {
    for (const stray of ['a', 'zz'])
      for (let index = 0; index < 8; index += 1) await put(`game/${stray}/deep/${index}.txt`, 'x');
    const reader = createReader(root);
    const options = { recursive: true, maxEntries: 6 };
    expect(await codeOf(reader.list('game', options))).toBe('E_TOO_LARGE');
    const told: number[] = [];
    const found = paths(await reader.list('game', { ...options, onLeftOut: (count) => told.push(count) }));
    const near = ['game/a', 'game/a/deep', 'game/scene', 'game/scene/start.txt', 'game/zz', 'game/zz/deep'];
    expect([found, told]).toEqual([near, [6]]);
  });

  it('ends when links form a cycle', async () => {
    for (const name of ['a', 'b', 'c']) {
      await put(`${name}/file.txt`, 'x');
      for (const other of ['a', 'b', 'c']) await symlink(`../${other}`, path.join(root, name, `to-${other}`));
    }
    const found = paths(await createReader(root).list('.', { recursive: true }));
    expect(found).toContain('a/to-b/file.txt');
    expect(found).toContain('a/to-b/to-c');
    expect(found).not.toContain('a/to-b/to-c/file.txt');
  });

  it.skipIf(process.platform !== 'linux')('finds decomposed names as on the disk of a Mac', async () => {
    await put('game/scene/ガ.txt'.normalize('NFD'), 'x');
    const reader = createReader(root);
    expect(paths(await reader.list('game/scene'))).toContain('game/scene/ガ.txt'.normalize('NFC'));
    expect((await reader.read('game/scene/ガ.txt')).text).toBe('x');
  });

  it('shows only what is visible', async () => {
    await put('diary.txt', 'x');
    await symlink('../diary.txt', path.join(root, 'game/diary.txt'));
    const reader = createReader(root, { visible: ['game'] });
    expect(paths(await reader.list('.', { recursive: true }))).toEqual(['game', 'game/scene', 'game/scene/start.txt']);
    expect(await codeOf(reader.read('diary.txt'))).toBe('E_DENY_PATH');
    expect(await codeOf(reader.read('game/diary.txt'))).toBe('E_DENY_PATH');
  });

  it('reports that a project is gone', async () => {
    expect(await codeOf(createReader(path.join(outside, 'nowhere')).list('.'))).toBe('E_NOT_FOUND');
  });
});
