import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LogEvent } from '../../main/core/agent/session/log-events.ts';
import { createSessionIndexFile } from '../../main/node/app-data/session-index-file.ts';
import { createJournalSignature } from '../../main/node/journal/journal-signature.ts';
import { createSessionLogs } from '../../main/node/logs/session-logs.ts';
import { createAgentFolder } from '../../main/node/project-fs/agent-folder.ts';
import { createChatKit, createMemorySessions, createScriptedModel, step } from '../support/chat-kit.ts';

/** The chat of the core over real logs, index and search thread. */
let root: string;
let home: string;
const opened: (() => Promise<void>)[] = [];
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'conversations-'));
  home = path.join(root, 'home');
});
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
});

const indexFile = () => path.join(home, 'conversations', 'game.json');
const part = { after: null, limit: 200 };

/** Opens the game like a new start; `reads` lists the logs that were read. */
async function start(options: Partial<Parameters<typeof createChatKit>[0]> = {}) {
  const logs = createSessionLogs(
    createAgentFolder(root),
    createJournalSignature(home),
    createSessionIndexFile(home, 'game'),
  );
  const reads: string[] = [];
  const sessions = Object.assign(createMemorySessions(), logs, {
    reads,
    open(session: string) {
      const file = logs.open(session);
      return {
        append: file.append,
        appendAll: file.appendAll,
        read: (take: (entry: unknown) => void) => {
          reads.push(session);
          return file.read(take);
        },
      };
    },
  });
  const kit = await createChatKit({ ...options, sessions });
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    await kit.chat.dispose();
    await logs.close();
  };
  opened.push(close);
  return { ...kit, reads, close };
}

async function writeLogs(count: number): Promise<void> {
  const logs = createSessionLogs(createAgentFolder(root), createJournalSignature(home));
  for (let index = 0; index < count; index += 1) {
    const id = toId(index);
    const turn = { at: index, turn: 't' };
    const events: LogEvent[] = [
      { t: 'session', v: 2, id, at: index, practice: false },
      { t: 'user', ...turn, id: 'u', kind: 'message', mode: 'act', text: `Request ${index}` },
    ];
    const file = logs.open(id);
    await file.appendAll(events, false);
    await logs.release(id);
  }
  await logs.close();
}

const toId = (index: number): string => `s${String(index).padStart(4, '0')}`;
const fileOf = (id: string) => path.join(root, '.webgal_agent', 'sessions', `${id}.jsonl`);

async function listAll({ chat }: Awaited<ReturnType<typeof start>>) {
  const all = [];
  for (let next: Parameters<typeof chat.sessions>[0]['after'] = null; ; ) {
    const found = await chat.sessions({ after: next, limit: 200 });
    all.push(...found.sessions);
    next = found.next;
    if (next === null) return all;
  }
}

it('opens a game of 1,000 conversations with one log and the index, and lists all of them', {
  timeout: 120_000,
}, async () => {
  await writeLogs(1000);
  const first = await start();
  expect(await listAll(first)).toHaveLength(1000);
  await first.close();

  const second = await start();
  const all = await listAll(second);
  expect(all).toHaveLength(1000);
  expect(all[0]).toMatchObject({ id: 's0999', title: 'Request 999', isForeign: false });
  expect(new Set(second.reads)).toEqual(new Set(['s0999']));
  await second.close();

  // One log is damaged, one was written meanwhile: only these are read again.
  await truncate(fileOf('s0500'), 20);
  await writeFile(fileOf('s0501'), `${await readFile(fileOf('s0501'), 'utf8')}{"t":"x"}\n`);
  const third = await start();
  const listed = await listAll(third);
  expect(listed.find(({ id }) => id === 's0501')).toMatchObject({ isForeign: true });
  expect(listed.length).toBeGreaterThanOrEqual(999);
  expect(new Set(third.reads)).toEqual(new Set(['s0999', 's0500', 's0501'].filter((id) => third.reads.includes(id))));
  expect(third.reads).toContain('s0501');
  await third.close();

  await writeFile(indexFile(), (await readFile(indexFile(), 'utf8')).slice(0, 5000));
  const fourth = await start();
  expect((await fourth.chat.sessions(part)).sessions[3]).toMatchObject({ isForeign: false });
});

it('takes no index from the game', async () => {
  await writeLogs(1);
  const id = 'planted';
  await writeFile(fileOf(id), `${JSON.stringify({ t: 'session', v: 2, id, at: 1, practice: false })}\n`);
  const first = await start();
  await first.chat.sessions(part);
  await first.close();
  // The newest log is foreign, and an index in the game says otherwise.
  const forged = (await readFile(indexFile(), 'utf8')).replaceAll('"isForeign":true', '"isForeign":false');
  for (const folder of ['', 'sessions']) {
    await writeFile(path.join(root, '.webgal_agent', folder, 'game.json'), forged);
    await writeFile(path.join(root, '.webgal_agent', folder, 'index.json'), forged);
  }
  const second = await start();
  expect(second.chat.state()?.session).toBe('s0000');
  const foreign = Object.fromEntries((await listAll(second)).map((one) => [one.id, one.isForeign]));
  expect(foreign).toEqual({ s0000: false, planted: true });
  await second.close();

  // Not even one in the app's folder makes a foreign log the user's own.
  await writeFile(indexFile(), forged);
  const third = await start();
  await third.chat.open(id).catch(() => undefined);
  expect(third.chat.state()).not.toMatchObject({ session: id, isForeign: false });
});

it('finds rows that the chat shows, and deletes, restores and renames on the disk', async () => {
  const done: [string, unknown] = ['attempt_completion', { result: '灯塔の光が見える' }];
  const kit = await start({ model: createScriptedModel([step('The LIGHTHOUSE is dark.', done)]), ids: 'a' });
  await kit.chat.send({ text: '看一看灯塔', mode: 'act' });
  await kit.settled();
  const id = kit.chat.state()?.session ?? '';
  const rows = new Set(kit.chat.state()?.items.map((item) => item.id));
  for (const [text, by] of [
    ['灯塔', 'user'],
    ['lighthouse', 'assistant'],
    ['灯塔の光', 'assistant'],
  ] as const) {
    const { hits } = await kit.chat.search({ text, after: null });
    const hit = hits.find((one) => one.row !== null);
    expect(hit).toMatchObject({ session: id, by });
    expect(rows).toContain(hit?.row);
  }
  await kit.chat.create();
  await kit.chat.rename('The tower', id);
  expect(await listAll(kit)).toMatchObject([{ id, title: 'The tower' }]);
  await kit.chat.remove(id);
  expect(await listAll(kit)).toEqual([]);
  expect(await kit.chat.search({ text: '灯塔', after: null })).toMatchObject({ hits: [], total: 0 });
  await kit.chat.restore(id);
  await kit.chat.open(id);
  expect(kit.chat.state()).toMatchObject({ title: 'The tower', isForeign: false });
  expect(kit.items('user')).toMatchObject([{ text: '看一看灯塔' }]);
});

it('does not delete a conversation that another program has open', async () => {
  const model = () => createScriptedModel([step('Hi.'), step('Hi.')]);
  const one = await start({ model: model(), ids: 'a' });
  await one.chat.send({ text: 'First', mode: 'act' });
  await one.settled();
  const id = one.chat.state()?.session ?? '';
  const other = await start({ model: model(), ids: 'b' });
  await expect(other.chat.remove(id)).rejects.toMatchObject({ code: 'E_CONFLICT', reason: 'chat.elsewhere' });
  await one.chat.send({ text: 'Second', mode: 'act' });
  await one.settled();
  expect(one.items('user')).toHaveLength(2);
  await one.close();
  await other.chat.remove(id);
  expect(await listAll(other)).toEqual([]);
});
