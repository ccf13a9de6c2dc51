import { execFile } from 'node:child_process';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createLogFile } from './log-file.ts';
import { createSessionLogs } from './session-logs.ts';

let root = '';
let file = '';
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'log-'));
  file = path.join(root, '.webgal_agent/audit.jsonl');
});
afterEach(() => rm(root, { recursive: true, force: true }));

function open(rotate?: { bytes: number; keep: number }) {
  const folder = createAgentFolder(root);
  return createLogFile({
    folder: (make) => (make ? folder.make('') : folder.find('')),
    name: 'audit.jsonl',
    ...(rotate && { rotate }),
  });
}

describe('the whole history', () => {
  it('contains every file, newest first, and is empty before the first line', async () => {
    const log = open({ bytes: 60, keep: 3 });
    const read = async () => {
      const files: unknown[][] = [];
      for await (const { lines } of log.history()) files.push(lines.map(({ entry }) => entry));
      return files;
    };
    expect(await read()).toEqual([]);
    for (let index = 0; index < 4; index += 1) await log.append({ index, text: 'x'.repeat(60) }, false);
    await log.append('last', false);
    const numbers = (await read()).map((entries) =>
      entries.map((entry) => (entry as { index?: number }).index ?? entry),
    );
    expect(numbers).toEqual([['last'], [3], [2], [1]]);
    await log.close();
  });
});

describe('a log', () => {
  it('keeps entries in order, each on its own line', async () => {
    const log = open();
    expect(await log.read()).toEqual({ entries: [], damaged: 0 });
    const entries = Array.from({ length: 50 }, (_, index) => ({ index, text: 'a\nb\r\n\u2028"雨' }));
    await Promise.all(entries.map((entry) => log.append(entry, entry.index % 3 === 0)));
    expect(await log.read()).toEqual({ entries, damaged: 0 });
    await log.close();
    const later = open();
    await later.append('again', true);
    await later.close();
    expect(await open().read()).toEqual({ entries: [...entries, 'again'], damaged: 0 });
  });

  it('keeps every whole line when truncated anywhere, and continues after it', async () => {
    const lines = Array.from({ length: 6 }, (_, index) => ({ index, text: '雨停'.repeat(index) }));
    await fc.assert(
      fc.asyncProperty(fc.nat(300), async (length) => {
        await rm(file, { force: true });
        const log = open();
        for (const line of lines) await log.append(line, false);
        await log.close();
        const size = (await readFile(file)).length;
        const cut = Math.min(length, size);
        await truncate(file, cut);
        const whole = (await readFile(file)).toString().split('\n').length - 1;
        expect(await open().read()).toEqual({ entries: lines.slice(0, whole), damaged: 0 });
        const after = open();
        await after.append('next', true);
        await after.close();
        expect(await open().read()).toEqual({ entries: [...lines.slice(0, whole), 'next'], damaged: 0 });
      }),
      { numRuns: 40 },
    );
  });

  it('finds the last whole line before a torn one of any length', async () => {
    await mkdir(path.dirname(file));
    await writeFile(file, `{"a":1}\n{"b":"${'x'.repeat(200_000)}`);
    const log = open();
    await log.append({ c: 1 }, true);
    await log.close();
    expect(await readFile(file, 'utf8')).toBe('{"a":1}\n{"c":1}\n');
  });

  it('writes a batch atomically', async () => {
    const log = open();
    await Promise.all([log.appendAll([1, 2], false), log.append(3, true), log.appendAll([], false)]);
    await log.close();
    expect(await readFile(file, 'utf8')).toBe('1\n2\n3\n');
  });

  // A limit on the file size stands in for a full disk: the write stops in the middle in the same way.
  it.skipIf(process.platform === 'win32')('keeps no line of a batch that failed when the disk is full', async () => {
    const script = `
      const { createLogFile } = await import(${JSON.stringify(new URL('./log-file.ts', import.meta.url).href)});
      const log = createLogFile({ folder: async () => ${JSON.stringify(root)}, name: 'full.jsonl' });
      await log.append('before', true);
      const bundle = Array.from({ length: 100 }, (_, index) => ({ index, text: 'x'.repeat(50) }));
      const failure = await log.appendAll(bundle, true).then(() => 'none', (error) => error.code);
      await log.append('after', true);
      await log.close();
      console.log(failure);`;
    const limited = `trap '' XFSZ; ulimit -f 4; exec "$0" --input-type=module -e "$1"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script]);
    expect(stdout.trim()).toBe('E_IO');
    expect(await readFile(path.join(root, 'full.jsonl'), 'utf8')).toBe('"before"\n"after"\n');
  });

  it('skips damaged lines and counts them', async () => {
    await mkdir(path.dirname(file));
    await writeFile(file, '{"a":1}\nnonsense\n\n{"b":\n{"c":1}\n');
    expect(await open().read()).toEqual({ entries: [{ a: 1 }, { c: 1 }], damaged: 2 });
  });

  it('is rotated when it is large, and removes the oldest file', async () => {
    const log = open({ bytes: 100, keep: 2 });
    for (let index = 0; index < 40; index += 1) await log.append({ index, text: 'x'.repeat(20) }, false);
    await log.close();
    const folder = path.dirname(file);
    expect((await readdir(folder)).filter((name) => name !== 'audit.jsonl').sort()).toEqual([
      '.gitignore',
      'audit.1.jsonl',
      'audit.2.jsonl',
    ]);
    // From oldest to newest they are the end of what was written, without a gap.
    const kept = await Promise.all(
      ['audit.2.jsonl', 'audit.1.jsonl', 'audit.jsonl'].map((name) =>
        readFile(path.join(folder, name), 'utf8').catch(() => ''),
      ),
    );
    const indexes = kept
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).index);
    expect(indexes).toEqual(Array.from({ length: indexes.length }, (_, index) => 40 - indexes.length + index));
    expect(indexes.length).toBeGreaterThan(4);
  });
});

describe('conversations', () => {
  it('are listed newest first, without other files', async () => {
    const logs = createSessionLogs(createAgentFolder(root), createJournalSignature(path.join(root, 'home')));
    expect(await logs.list()).toEqual([]);
    await logs.open('one').append({ v: 1 }, true);
    await logs.open('two').append({ v: 2 }, true);
    const folder = path.join(root, '.webgal_agent/sessions');
    await appendFile(path.join(folder, 'notes.txt'), 'x');
    await mkdir(path.join(folder, 'folder.jsonl'));
    await utimes(path.join(folder, 'two.jsonl'), 1, 1);
    await utimes(path.join(folder, 'one.jsonl'), 2, 2);
    expect(await logs.list()).toMatchObject([
      { session: 'one', modifiedAt: 2000 },
      { session: 'two', modifiedAt: 1000 },
    ]);
    await logs.close();
  });

  it.each(['../x', 'a/b', '', '.hidden', 'a'.repeat(101), 'a.b'])('reject an id such as %j', (id) => {
    expect(() =>
      createSessionLogs(createAgentFolder(root), createJournalSignature(path.join(root, 'home'))).open(id),
    ).toThrow(AppError);
  });
});

describe('lines that have to be kept', () => {
  const openRetaining = () => {
    const folder = createAgentFolder(root);
    return createLogFile({
      folder: (make) => (make ? folder.make('') : folder.find('')),
      name: 'audit.jsonl',
      rotate: { bytes: 60, keep: 2 },
      retains: (line) => (line as { keeps?: boolean }).keeps === true,
    });
  };
  const readAll = async (log: ReturnType<typeof openRetaining>) => {
    const found: unknown[] = [];
    for await (const { lines } of log.history()) found.push(...lines.map(({ entry }) => (entry as { n: number }).n));
    return found;
  };
  const text = 'x'.repeat(60);

  it('stay when the oldest file is removed, in their order, and the others go', async () => {
    const log = openRetaining();
    for (let n = 1; n <= 8; n += 1) await log.append({ n, keeps: n === 2 || n === 3, text }, false);
    await log.append({ n: 9, text: '' }, false);
    expect(await readAll(log)).toEqual([9, 8, 7, 3, 2]);
    expect((await readdir(path.dirname(file))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    await log.close();
  });

  it('are never written through a link that lies in the way', async () => {
    const log = openRetaining();
    await log.append({ n: 1, keeps: true, text }, false);
    await writeFile(path.join(root, 'user.txt'), 'user');
    await symlink(path.join(root, 'user.txt'), path.join(path.dirname(file), 'audit.2.jsonl.tmp'));
    for (let n = 2; n <= 4; n += 1) await log.append({ n, text }, false);
    expect(await readFile(path.join(root, 'user.txt'), 'utf8')).toBe('user');
    expect(await readAll(log)).toContain(1);
    await log.close();
  });
});
