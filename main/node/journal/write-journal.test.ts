import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toVersion } from '../files/strict-text.ts';
import { createAgentFolder } from '../project-fs/agent-folder.ts';
import { createPathResolver } from '../project-fs/path-resolver.ts';
import { createSnapshotStore } from '../snapshots/snapshot-store.ts';
import type { JournalEntry } from './journal-record.ts';
import { createJournalSignature } from './journal-signature.ts';
import { createWriteJournal } from './write-journal.ts';
import { createWriteLock } from './write-lock.ts';

const ONE = 'game/scene/one.txt';
const TWO = 'game/scene/two.txt';
const TEMP = `${'0'.repeat(24)}.tmp`;
const LABEL = { origin: 'agent' as const, group: 'turn', title: 'Two files' };
const version = (text: string) => toVersion(Buffer.from(text));

let outside = '';
let root = '';
const at = (file: string) => path.join(root, file);
const journals = () => readdir(at('.webgal_agent/journal'));

beforeEach(async () => {
  outside = await realpath(await mkdtemp(path.join(tmpdir(), 'journal-')));
  root = path.join(outside, 'project');
  for (const folder of ['game/scene', '.webgal_agent/journal', '.webgal_agent/tmp']) {
    await mkdir(at(folder), { recursive: true });
  }
  await writeFile(at(ONE), 'one, present');
  await writeFile(at(TWO), 'two, present');
});
afterEach(() => rm(outside, { recursive: true, force: true }));

function open(home = 'home') {
  const folder = createAgentFolder(root);
  const signature = createJournalSignature(path.join(outside, home));
  const snapshots = createSnapshotStore(folder, { signature });
  const resolver = createPathResolver(root);
  const lock = createWriteLock(folder);
  return { snapshots, journal: createWriteJournal({ resolver, folder, snapshots, signature, lock }) };
}

/** Creates entries of a committed write of `one` and an uncommitted one of `two`. */
function toEntries(options: { mode?: number; temp?: boolean; stamp?: JournalEntry['stamp'] } = {}): JournalEntry[] {
  const { mode = 0o644, temp = false, stamp = null } = options;
  const shared = { bytes: 12, mode, stamp };
  return [
    {
      ...shared,
      path: ONE,
      text: 'one, before',
      before: version('one, before'),
      after: version('one, present'),
      temp: null,
    },
    {
      ...shared,
      path: TWO,
      text: 'two, present',
      before: version('two, present'),
      after: version('two, after'),
      temp: temp ? { name: TEMP, beside: false } : null,
    },
  ];
}

async function readKept({ snapshots }: ReturnType<typeof open>) {
  const kept = await snapshots.list();
  return Promise.all(kept.map(async ({ id, path: file }) => [file, (await snapshots.read(id)).text]));
}

const texts = async () => [await readFile(at(ONE), 'utf8'), await readFile(at(TWO), 'utf8')];

/** Makes a file older than any transaction in progress. */
async function age(name: string): Promise<void> {
  await utimes(at(`.webgal_agent/journal/${name}`), 1_000, 1_000);
}

describe('a journal that was not written here', () => {
  const body = { pid: 1, host: 'elsewhere', at: 0, label: LABEL, entries: toEntries({ mode: 0o4777, temp: true }) };
  const text = JSON.stringify(body);
  const signed = (mark: string) =>
    `${JSON.stringify({ v: 3, bytes: Buffer.byteLength(text), mark })}\n${text}\n${mark}\n`;

  it.each([
    ['without a mark', JSON.stringify({ v: 1, ...body })],
    ['with an empty mark', signed('')],
    ['with a forged mark', signed('0'.repeat(64))],
    ['with an invalid mark', signed('secret')],
    ['with another format', '[1]'],
  ])('%s changes no file and is set aside', async (_name, content) => {
    await writeFile(at('.webgal_agent/tmp/') + TEMP, 'two, after');
    await writeFile(at('.webgal_agent/journal/x.json'), content);
    await age('x.json');
    const opened = open();
    await opened.journal.recover();
    expect(await texts()).toEqual(['one, present', 'two, present']);
    expect([await journals(), await readKept(opened)]).toEqual([['x.json.foreign'], []]);
  });

  it('is one of another installation, or one of this installation that was altered', async () => {
    const other = open('other');
    const own = open();
    const names = [await other.journal.open(LABEL, toEntries()), await own.journal.open(LABEL, toEntries())];
    for (const { journal } of [other, own]) for (const name of names) journal.abandon(name);
    const file = at(`.webgal_agent/journal/${names[1]}`);
    await writeFile(file, (await readFile(file, 'utf8')).replace('one, before', 'one, EVIL  '));
    for (const name of names) await age(name);
    await open().journal.recover();
    expect(await texts()).toEqual(['one, present', 'two, present']);
    expect((await journals()).sort()).toEqual(names.map((name) => `${name}.foreign`).sort());
  });

  it('may be a folder, even under the name it would be set aside as: the game opens', async () => {
    await mkdir(at('.webgal_agent/journal/x.json'));
    await mkdir(at('.webgal_agent/journal/x.json.foreign/full'), { recursive: true });
    await age('x.json');
    await open().journal.recover();
    expect(await journals()).toEqual(['x.json', 'x.json.foreign']);
  });

  it('is not touched while another program may still use it', async () => {
    await open('other').journal.open(LABEL, toEntries());
    const before = await journals();
    await open().journal.recover();
    expect(await journals()).toEqual(before);
  });
});

describe('a journal of this installation', () => {
  it('is undone with permission bits only, and the present text is kept', async () => {
    const opened = open();
    opened.journal.abandon(await opened.journal.open(LABEL, toEntries({ mode: 0o4777 })));
    await open().journal.recover();
    expect(await texts()).toEqual(['one, before', 'two, present']);
    if (process.platform !== 'win32') expect((await stat(at(ONE))).mode & 0o7777).toBe(0o777);
    expect([await journals(), await readKept(open())]).toEqual([[], [[ONE, 'one, present']]]);
  });

  it('of a transaction that is done is not undone, although a file has its old text again', async () => {
    const opened = open();
    const name = await opened.journal.open(LABEL, toEntries());
    await opened.journal.finish(name);
    opened.journal.abandon(name);
    await open().journal.recover();
    expect(await texts()).toEqual(['one, present', 'two, present']);
    expect([await journals(), await readKept(open())]).toEqual([[], []]);
  });

  it('is finished when complete, and the present text is kept', async () => {
    await writeFile(at('.webgal_agent/tmp/') + TEMP, 'two, after');
    const opened = open();
    opened.journal.abandon(await opened.journal.open(LABEL, toEntries({ temp: true })));
    await open().journal.recover();
    expect(await texts()).toEqual(['one, present', 'two, after']);
    expect([await journals(), await readKept(open())]).toEqual([[], [[TWO, 'two, present']]]);
  });
});

describe('a write whose new name was never synced', () => {
  /** Creates an entry where `one` changes from one text to another, all of it in the journal. */
  const toRedo = (from: string, to: string, changedAt: bigint): JournalEntry => ({
    path: ONE,
    text: from,
    before: version(from),
    after: version(to),
    bytes: to.length,
    mode: 0o640,
    temp: { name: TEMP, beside: false },
    stamp: null,
    redo: { text: to, changedAt: String(changedAt) },
  });
  const changedAt = async () => (await stat(at(ONE), { bigint: true })).mtimeNs;

  async function leave(...entries: JournalEntry[]): Promise<void> {
    const { journal } = open();
    for (const entry of entries) journal.abandon(await journal.open(LABEL, [entry]));
  }

  it('is repeated, and the present text is kept', async () => {
    await leave(toRedo('one, present', 'one, new', await changedAt()));
    await open().journal.recover();
    expect(await texts()).toEqual(['one, new', 'two, present']);
    if (process.platform !== 'win32') expect((await stat(at(ONE))).mode & 0o777).toBe(0o640);
    expect([await journals(), await readKept(open())]).toEqual([[], [[ONE, 'one, present']]]);
  });

  it('is repeated in order, for any number of writes', async () => {
    const first = await changedAt();
    const chain = ['one, present', ...Array.from({ length: 9 }, (_, index) => `one, ${index}`), 'one, present', 'end'];
    const entries = chain.slice(1).map((to, index) => toRedo(chain[index] ?? '', to, first + BigInt(index)));
    await leave(...entries);
    await open().journal.recover();
    expect([await texts(), await journals()]).toEqual([['end', 'two, present'], []]);
  });

  it('is not repeated over a text that was restored since, nor over any other', async () => {
    await leave(toRedo('one, present', 'one, new', (await changedAt()) - 1n));
    await leave(toRedo('one, before', 'one, new', await changedAt()));
    await open().journal.recover();
    expect([await texts(), await journals()]).toEqual([['one, present', 'two, present'], []]);
  });

  it('is not repeated when its text is not the announced one', async () => {
    const entry = toRedo('one, present', 'one, new', await changedAt());
    await leave({ ...entry, redo: { text: 'other', changedAt: entry.redo?.changedAt ?? '' } });
    await open().journal.recover();
    expect([await texts(), await journals()]).toEqual([['one, present', 'two, present'], []]);
  });
});

describe('the files of a journal', () => {
  const entries = () => toEntries({ mode: 0o644 });
  const idle = (pid: number, host = hostname()) => `${JSON.stringify({ v: 3, idle: { pid, host } })}\n`;
  const put = (name: string, content: string) => writeFile(at(`.webgal_agent/journal/${name}`), content);

  it('are reused without leftovers for recovery, and removed when cleared', async () => {
    const { journal } = open();
    const first = await journal.open(LABEL, toEntries({ temp: true }));
    const second = await journal.open(LABEL, entries());
    expect(second).not.toBe(first);
    await journal.close(first);
    // Shorter than the one before it: the rest of the longer record is ignored.
    expect(await journal.open({ ...LABEL, title: '' }, entries().slice(0, 1))).toBe(first);
    await journal.cancel(first);
    await journal.close(second);
    await open().journal.recover();
    expect([await texts(), (await journals()).sort()]).toEqual([
      ['one, present', 'two, present'],
      [first, second].sort(),
    ]);
    await journal.clear();
    expect(await journals()).toEqual([]);
  });

  it('are ignored when truncated during a write', async () => {
    const { journal } = open();
    await journal.close(await journal.open(LABEL, toEntries({ temp: true })));
    const name = await journal.open(LABEL, entries());
    const file = at(`.webgal_agent/journal/${name}`);
    const whole = await readFile(file);
    journal.abandon(name);
    for (const length of [0, 1, 60, 300]) {
      await writeFile(file, Buffer.concat([whole.subarray(0, length)], whole.length));
      await age(name);
      await open().journal.recover();
      expect([length, await texts(), await journals()]).toEqual([length, ['one, present', 'two, present'], []]);
    }
  });

  it('are created again when another program removed them', async () => {
    const { journal } = open();
    const first = await journal.open(LABEL, entries());
    await journal.close(first);
    await rm(at('.webgal_agent/journal'), { recursive: true });
    const second = await journal.open(LABEL, entries());
    expect([first === second, await journals()]).toEqual([false, [second]]);
    journal.abandon(second);
  });

  it('of a large write are not kept', async () => {
    const { journal } = open();
    const large = entries().map((entry) => ({ ...entry, text: 'x'.repeat(2_000_000) }));
    const name = await journal.open(LABEL, large);
    expect(await journals()).toEqual([name]);
    await journal.close(name);
    expect(await journals()).toEqual([]);
  });

  it('that wait for the next write stay as long as their process runs', async () => {
    await put('mine.json', idle(process.pid));
    await put('running.json', idle(process.ppid));
    await put('gone.json', idle(2 ** 22 + 1));
    await put('elsewhere.json', idle(1, 'elsewhere'));
    await put('silent.json', idle(1, 'elsewhere'));
    await age('silent.json');
    await open().journal.recover();
    expect((await journals()).sort()).toEqual(['elsewhere.json', 'running.json']);
  });
});

describe('temp files that a killed process left', () => {
  const FOLDERS = ['.webgal_agent', '.webgal_agent/tmp', '.webgal_agent/snapshots', '.webgal_agent/transactions'];
  const left = async () => (await Promise.all(FOLDERS.map((folder) => readdir(at(folder))))).flat().sort();

  it('are removed at the end of a session, not at its start, where thousands of snapshots would be read', async () => {
    const young = `${'1'.repeat(24)}.tmp`;
    const own = 'snap_20260101T000000_00000001.txt';
    for (const folder of FOLDERS) await mkdir(at(folder), { recursive: true });
    for (const folder of FOLDERS)
      for (const name of [TEMP, `.${TEMP}`, young, own]) await writeFile(at(`${folder}/${name}`), '');
    for (const folder of FOLDERS)
      for (const name of [TEMP, `.${TEMP}`, own]) await utimes(at(`${folder}/${name}`), 1_000, 1_000);
    const before = await left();
    const { journal } = open();
    await journal.recover();
    expect(await left()).toEqual(before);
    await journal.clear();
    expect(await left()).toEqual(before.filter((name) => !name.endsWith(TEMP)));
  });
});
