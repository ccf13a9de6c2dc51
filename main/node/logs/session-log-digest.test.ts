import { mkdtemp, readFile, realpath, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createLineChain } from './chain/line-chain.ts';
import { createSessionLogFile } from './session-log-file.ts';

/** Logs so long that digest lines divide them. */

let root: string;
let file: string;
const opened: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'session-log-')));
  file = path.join(root, 'one.jsonl');
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((log) => log.close()));
  await rm(root, { recursive: true, force: true });
});

const signature = () => createJournalSignature(path.join(root, 'home'));

function create(session = 'one') {
  const log = createSessionLogFile({ folder: async () => root, session, signature: signature() });
  opened.push(log);
  return log;
}

async function read(log = create()) {
  const entries: unknown[] = [];
  const result = await log.read((entry) => void entries.push(entry));
  return { entries, ...result };
}

const toEntries = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({ t: 'a', index: from + index, text: '雨停'.repeat(600) }));
const ENTRIES = toEntries(240);

async function write(entries: readonly unknown[] = ENTRIES) {
  const log = create();
  await log.appendAll(entries.slice(0, 50), true);
  for (const entry of entries.slice(50)) await log.append(entry, false);
  await log.close();
}

/** Writes a log as versions without digest lines did. */
async function writeOld(entries: readonly unknown[] = ENTRIES) {
  const chain = await createLineChain(signature(), 'session:one');
  const bodies = entries.map((entry) => JSON.stringify(entry));
  await writeFile(file, chain.sign(bodies, chain.start, null).lines);
}

const lines = async () => (await readFile(file, 'utf8')).trimEnd().split('\n');
const put = (all: readonly string[]) => writeFile(file, all.map((line) => `${line}\n`).join(''));
const isDigest = (line: string) => line.includes('"t":"digest"');
const OWN = { damaged: 0, isForeign: false };

it('are read without their digest lines, and continued', async () => {
  await write();
  expect((await lines()).filter(isDigest)).toHaveLength(3);
  const log = create();
  expect(await read(log)).toEqual({ entries: ENTRIES, ...OWN });
  const more = toEntries(80, 240);
  for (const entry of more) await log.append(entry, false);
  expect((await lines()).filter(isDigest)).toHaveLength(4);
  expect(await read(log)).toEqual({ entries: [...ENTRIES, ...more], ...OWN });
  expect(await read()).toEqual({ entries: [...ENTRIES, ...more], ...OWN });
});

it('of an older version are read, and get a digest line when they are continued', async () => {
  await writeOld();
  const log = create();
  expect(await read(log)).toEqual({ entries: ENTRIES, ...OWN });
  await log.append({ t: 'e' }, true);
  expect((await lines()).findIndex(isDigest)).toBe(ENTRIES.length + 1);
  expect(await read()).toEqual({ entries: [...ENTRIES, { t: 'e' }], ...OWN });
});

it('stay valid when two programs append to them in turns', async () => {
  await write();
  const [log, other] = [create(), create()];
  await read(log);
  await read(other);
  for (const entry of toEntries(80, 240)) await (entry.index % 3 === 0 ? log : other).append(entry, false);
  expect(await read()).toEqual({ entries: toEntries(320), ...OWN });
});

it('keep every whole line when truncated anywhere, and continue after it', async () => {
  await write();
  const whole = await readFile(file);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 4000, max: whole.length }), async (length) => {
      await writeFile(file, whole);
      await truncate(file, length);
      // Without its line break a line is incomplete.
      const kept = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
      const count = kept.filter((line) => line.endsWith('}}') && !isDigest(line)).length;
      const log = create();
      expect(await read(log)).toEqual({ entries: ENTRIES.slice(0, count), ...OWN });
      await log.append({ t: 'e' }, true);
      expect(await read()).toEqual({ entries: [...ENTRIES.slice(0, count), { t: 'e' }], ...OWN });
    }),
    // Also where only the line break of a line is gone.
    { numRuns: 10, examples: [[whole.indexOf('\n', 4000)], [whole.length - 1]] },
  );
});

describe('are foreign', () => {
  it('with any byte changed', async () => {
    await write();
    const whole = await readFile(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        await writeFile(file, bytes);
        const { entries, isForeign } = await read();
        // Without its line break the last line is incomplete.
        if (at === whole.length - 1) expect(entries).toEqual(ENTRIES.slice(0, -1));
        else expect(isForeign).toBe(true);
      }),
      { numRuns: 30 },
    );
  });

  const FORGERIES: Record<string, (all: string[]) => string[]> = {
    'without a line before a digest line': (all) => all.toSpliced(3, 1),
    'without a digest line': (all) => all.toSpliced(all.findIndex(isDigest), 1),
    'without what is before a digest line': (all) => all.slice(all.findIndex(isDigest)),
    'without what is between two digest lines': (all) => {
      const first = all.findIndex(isDigest);
      return [...all.slice(0, first + 1), ...all.slice(all.findIndex((line, at) => at > first && isDigest(line)))];
    },
    'with a line between a digest line and the one before': (all) => {
      const first = all.findIndex(isDigest);
      return all.toSpliced(first, 0, all[first - 1] ?? '');
    },
    'with a digest line twice': (all) => all.toSpliced(all.findIndex(isDigest), 0, all.find(isDigest) ?? ''),
    'that end with a digest line of an earlier place': (all) => [...all, all.find(isDigest) ?? ''],
  };
  it.each(Object.entries(FORGERIES))('%s', async (_, forge) => {
    await write();
    await put(forge(await lines()));
    expect(await read()).toMatchObject({ isForeign: true });
  });

  it('with a digest that is right, in a line without a valid mark', async () => {
    await write();
    const all = await lines();
    const place = all.findIndex(isDigest);
    const changed = all.slice(0, place).map((line) => line.replace('"index":10', '"index":20'));
    const digest = (await createLineChain(signature(), 'session:one')).toDigest();
    for (const line of changed) digest.add(`${line}\n`);
    await put([...changed, (all[place] ?? '').replace(/(sha256":")\w+/, `$1${digest.value()}`)]);
    expect(await read()).toMatchObject({ isForeign: true });
  });

  it('under another name', async () => {
    await write();
    await rename(file, path.join(root, 'two.jsonl'));
    expect(await read(create('two'))).toMatchObject({ isForeign: true });
  });

  it('and stay foreign after lines were appended here, whatever was known of them before', async () => {
    await write();
    const log = create();
    await read(log);
    const all = await lines();
    await put(all.with(10, (all[10] ?? '').replace('"index":10', '"index":20')));
    for (const entry of toEntries(100, 240)) await log.append(entry, false);
    expect(await read(log)).toMatchObject({ isForeign: true });
    expect(await read()).toMatchObject({ isForeign: true });
  });
});
