import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAgentFolder } from './agent-folder.ts';
import { createJournalSeal } from './journal-seal.ts';
import { createPathResolver } from './path-resolver.ts';
import { createSnapshotStore } from './snapshot-store.ts';
import { toVersion } from './strict-text.ts';
import { createWriteJournal, type JournalEntry } from './write-journal.ts';

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
  const snapshots = createSnapshotStore(folder);
  const resolver = createPathResolver(root);
  const seal = createJournalSeal(path.join(outside, home));
  return { snapshots, journal: createWriteJournal({ resolver, folder, snapshots, seal }) };
}

/** A write of `one` that happened beside one of `two` that did not. */
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

/** Older than anything another process could be in the middle of. */
async function age(name: string): Promise<void> {
  await utimes(at(`.webgal_agent/journal/${name}`), 1_000, 1_000);
}

describe('a journal that was not written here', () => {
  const body = { pid: 1, host: 'elsewhere', at: 0, label: LABEL, entries: toEntries({ mode: 0o4777, temp: true }) };
  const sealed = (mark: string) => ({ v: 2, body: JSON.stringify(body), mark });

  it.each([
    ['without a mark', { v: 1, ...body }],
    ['with an empty mark', sealed('')],
    ['with a mark of its own', sealed('0'.repeat(64))],
    ['with a mark that is none', sealed('secret')],
    ['that is something else', [1]],
  ])('%s changes nothing and is set aside', async (_name, content) => {
    await writeFile(at('.webgal_agent/tmp/') + TEMP, 'two, after');
    await writeFile(at('.webgal_agent/journal/x.json'), JSON.stringify(content));
    await age('x.json');
    const opened = open();
    await opened.journal.recover();
    expect(await texts()).toEqual(['one, present', 'two, present']);
    expect([await journals(), await readKept(opened)]).toEqual([['x.json.foreign'], []]);
  });

  it('is one that another installation wrote, and one of ours that was altered', async () => {
    const other = open('other');
    const names = [await other.journal.open(LABEL, toEntries())];
    names.push(await open().journal.open(LABEL, toEntries()));
    const file = at(`.webgal_agent/journal/${names[1]}`);
    await writeFile(file, (await readFile(file, 'utf8')).replace('one, before', 'EVIL'));
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

  it('is left alone while another program may still be at it', async () => {
    await open('other').journal.open(LABEL, toEntries());
    const before = await journals();
    await open().journal.recover();
    expect(await journals()).toEqual(before);
  });
});

describe('a journal of ours', () => {
  it('is taken back with no more than permissions, and what stood there is kept', async () => {
    const opened = open();
    opened.journal.abandon(await opened.journal.open(LABEL, toEntries({ mode: 0o4777 })));
    await open().journal.recover();
    expect(await texts()).toEqual(['one, before', 'two, present']);
    if (process.platform !== 'win32') expect((await stat(at(ONE))).mode & 0o7777).toBe(0o777);
    expect([await journals(), await readKept(open())]).toEqual([[], [[ONE, 'one, present']]]);
  });

  it('is finished where all is there for it, and what stood there is kept', async () => {
    await writeFile(at('.webgal_agent/tmp/') + TEMP, 'two, after');
    const opened = open();
    opened.journal.abandon(await opened.journal.open(LABEL, toEntries({ temp: true })));
    await open().journal.recover();
    expect(await texts()).toEqual(['one, present', 'two, after']);
    expect([await journals(), await readKept(open())]).toEqual([[], [[TWO, 'two, present']]]);
  });
});
