import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  readFile,
  realpath,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJournalSignature } from '../journal/journal-signature.ts';
import { createSessionLogFile } from './session-log-file.ts';

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

function create(session = 'one', home = 'home') {
  const signature = createJournalSignature(path.join(root, home));
  const log = createSessionLogFile({ folder: async () => root, session, signature });
  opened.push(log);
  return log;
}

async function read(log = create()) {
  const entries: unknown[] = [];
  const result = await log.read((entry) => void entries.push(entry));
  return { entries, ...result };
}

const ENTRIES = [{ t: 'a' }, { t: 'b', text: '雨\n"}' }, { t: 'c' }, { t: 'd' }];

async function write(entries: readonly unknown[] = ENTRIES) {
  const log = create();
  await log.append(entries[0], true);
  await log.appendAll(entries.slice(1), true);
  await log.close();
}

const lines = async () => (await readFile(file, 'utf8')).trimEnd().split('\n');
const put = (all: readonly string[]) => writeFile(file, all.map((line) => `${line}\n`).join(''));

describe('a log of this installation', () => {
  it('can be read, and continued by another process', async () => {
    await write();
    const log = create();
    await log.append({ t: 'e' }, true);
    expect(await read(log)).toEqual({ entries: [...ENTRIES, { t: 'e' }], damaged: 0, isForeign: false });
    expect(await read()).toMatchObject({ isForeign: false });
  });

  it('continues after lines that another process added meanwhile', async () => {
    const [log, other] = [create(), create()];
    await log.append({ t: 'a' }, true);
    await other.append({ t: 'b' }, true);
    await log.append({ t: 'c' }, true);
    expect(await read()).toEqual({ entries: [{ t: 'a' }, { t: 'b' }, { t: 'c' }], damaged: 0, isForeign: false });
  });

  it.each([1, 20, 90])('loses only a last line that a crash cut %i bytes short', async (missing) => {
    await write();
    await truncate(file, (await readFile(file)).length - missing);
    expect(await read()).toEqual({ entries: ENTRIES.slice(0, 3), damaged: 0, isForeign: false });
    const log = create();
    await log.append({ t: 'e' }, true);
    expect(await read(log)).toEqual({ entries: [...ENTRIES.slice(0, 3), { t: 'e' }], damaged: 0, isForeign: false });
  });

  it('continues after a line of several chunks', async () => {
    const long = { text: 'x'.repeat(700_000) };
    await write([{ t: 'a' }, long]);
    const log = create();
    await log.append({ t: 'b' }, true);
    expect(await read(log)).toEqual({ entries: [{ t: 'a' }, long, { t: 'b' }], damaged: 0, isForeign: false });
  });
});

describe('a log is foreign', () => {
  const FORGERIES: Record<string, () => Promise<unknown>> = {
    'without signatures': () => put(ENTRIES.map((entry) => JSON.stringify(entry))),
    'with signatures of another installation': async () => {
      const log = create('one', 'elsewhere');
      await log.appendAll(ENTRIES, true);
      await log.close();
    },
    'under another name': async () => {
      await write();
      await rename(file, path.join(root, 'two.jsonl'));
      await rename(path.join(root, 'two.jsonl'), file);
      const log = create('two');
      await log.appendAll(ENTRIES, true);
      await log.close();
      await rename(path.join(root, 'two.jsonl'), file);
    },
    'with a line changed': async () => {
      await write();
      await put((await lines()).map((line) => line.replace('"t":"b"', '"t":"B"')));
    },
    'with two lines in another order': async () => {
      await write();
      const [a = '', b = '', c = '', d = ''] = await lines();
      await put([a, c, b, d]);
    },
    'without a line in the middle': async () => {
      await write();
      await put((await lines()).toSpliced(1, 1));
    },
    'without its first line': async () => {
      await write();
      await put((await lines()).slice(1));
    },
    'with a line twice': async () => {
      await write();
      const all = await lines();
      await put([...all, all[3] ?? '']);
    },
    'with a line added': async () => {
      await write();
      await appendFile(file, '{"t":"e"}\n');
    },
    'with an empty line': async () => {
      await write();
      await appendFile(file, '\n');
    },
    'with a line cut in the middle': async () => {
      await write();
      await put((await lines()).map((line, index) => (index === 1 ? line.slice(0, -4) : line)));
    },
    empty: () => writeFile(file, ''),
    'of one endless line': () => writeFile(file, `{"t":"${'x'.repeat(100_000)}"}\n`),
  };
  it.each(Object.entries(FORGERIES))('%s', async (_, forge) => {
    await forge();
    const { isForeign, entries } = await read();
    expect(isForeign).toBe(true);
    expect(entries.length).toBeLessThanOrEqual(ENTRIES.length + 1);
  });

  it('and is not appended to when it has no signatures', async () => {
    await put(['{"t":"a"}']);
    await expect(create().append({ t: 'b' }, true)).rejects.toMatchObject({ reason: 'chat.foreign' });
    expect(await readFile(file, 'utf8')).toBe('{"t":"a"}\n');
  });

  it('and stays foreign after lines were appended here', async () => {
    await write();
    const all = await lines();
    await put(all.with(1, (all[1] ?? '').replace('"t":"b"', '"t":"B"')));
    await create().append({ t: 'e' }, true);
    expect(await read()).toMatchObject({ isForeign: true });
  });
});

it('reads only the beginning of a foreign log of any size', async () => {
  const handle = await open(file, 'w');
  const line = `${JSON.stringify({ t: 'a', text: 'x'.repeat(1000) })}\n`;
  for (let count = 0; count < 64; count += 1) await handle.write(line.repeat(1000));
  await handle.close();
  const { entries, isForeign } = await read();
  expect(isForeign).toBe(true);
  expect(entries.length).toBeGreaterThan(1000);
  expect(entries.length).toBeLessThan(4000);
});

it('reads no further than thousands of empty lines', async () => {
  await writeFile(file, `{"t":"a"}\n${'\n'.repeat(100_000)}{"t":"b"}\n`);
  expect(await read()).toMatchObject({ isForeign: true, entries: [{ t: 'a' }] });
});

it('takes no line that is nested too deeply', async () => {
  await writeFile(file, `{"t":"a"}\n{"t":${'['.repeat(1000)}${']'.repeat(1000)}}\n{"t":"b"}\n`);
  expect(await read()).toEqual({ entries: [{ t: 'a' }, { t: 'b' }], damaged: 1, isForeign: true });
});

it('is empty before its first line', async () => {
  expect(await read()).toEqual({ entries: [], damaged: 0, isForeign: false });
  await mkdir(path.join(root, 'folder'));
});
