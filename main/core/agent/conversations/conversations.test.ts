import { describe, expect, it } from 'vitest';
import {
  createChatKit,
  createMemorySessions,
  createScriptedModel,
  type MemorySessions,
  type ScriptStep,
  step,
} from '../../../../tests/support/chat-kit.ts';

const START = 'game/scene/start.txt';
const done: [string, unknown] = ['attempt_completion', { result: 'Done.' }];
const hang: ScriptStep = async function* () {
  yield { kind: 'text', text: 'Hm' } as const;
  await new Promise(() => undefined);
};
const part = { after: null, limit: 100 };

/** Logs with a title and one message each; the last one is the newest. */
function toLogs(...names: string[]): Record<string, string[]> {
  return Object.fromEntries(
    names.map((id) => [
      id,
      [
        { t: 'session', v: 2, id, at: 1, practice: false },
        { t: 'user', at: 2, turn: `${id}t`, id: `${id}u`, kind: 'message', mode: 'act', text: `About ${id}` },
      ].map((event) => JSON.stringify(event)),
    ]),
  );
}

const idle = () => new Promise((resolve) => setTimeout(resolve, 5));

async function list(kit: Awaited<ReturnType<typeof createChatKit>>) {
  return (await kit.chat.sessions(part)).sessions.map(({ id, title }) => `${id}: ${title}`);
}

describe('the list', () => {
  it('is paged, and goes on behind a conversation that is gone', async () => {
    const sessions = createMemorySessions(toLogs('a', 'b', 'c', 'd', 'e'));
    const kit = await createChatKit({ sessions });
    const first = await kit.chat.sessions({ after: null, limit: 2 });
    expect(first).toMatchObject({ sessions: [{ id: 'e' }, { id: 'd' }], total: 5, next: { session: 'd' } });
    sessions.lines.delete('d');
    const modified = new Map([
      ['e', 1000],
      ['c', 998],
      ['b', 997],
      ['a', 996],
    ]);
    sessions.list = async () =>
      [...modified].map(([session, modifiedAt]) => ({ session, modifiedAt, state: '2 false' }));
    const second = await kit.chat.sessions({ after: first.next, limit: 2 });
    expect(second).toMatchObject({ sessions: [{ id: 'c' }, { id: 'b' }], next: { session: 'b' } });
    expect(await kit.chat.sessions({ after: second.next, limit: 2 })).toMatchObject({
      sessions: [{ id: 'a' }],
      next: null,
    });
  });

  it('reads at the start only the newest log, and none that the index knows', async () => {
    const sessions = createMemorySessions(toLogs('a', 'b', 'c'));
    const first = await createChatKit({ sessions });
    await idle();
    await first.chat.dispose();
    sessions.reads.length = 0;
    const kit = await createChatKit({ sessions });
    await idle();
    expect(await list(kit)).toEqual(['c: About c', 'b: About b', 'a: About a']);
    expect(sessions.reads).toEqual(['c']);
  });

  it('reads the logs again when the index is missing, damaged or names other logs', async () => {
    const honest = createMemorySessions(toLogs('a', 'b', 'c'));
    await (await createChatKit({ sessions: honest })).chat.sessions(part);
    const { index } = honest as MemorySessions & { index: { v: 1; heads: [string, string, object][] } };
    const heads = index.heads;
    const broken = [
      null,
      'text',
      { v: 2, heads },
      { v: 1, heads: [...heads.slice(1), ['a', '2 false', { title: 1 }]] },
      { v: 1, heads: heads.map(([id, , head]) => [id, 'other', { ...head, title: 'Forged' }]) },
      { v: 1, heads: [['x', '2 false', heads[0]?.[2]]] },
    ];
    for (const one of broken) {
      const sessions = createMemorySessions(toLogs('a', 'b', 'c'));
      sessions.index = one;
      expect(await list(await createChatKit({ sessions }))).toEqual(['c: About c', 'b: About b', 'a: About a']);
      expect(sessions.index).toEqual(index);
    }
  });

  it('opens no foreign conversation as the own one, whatever the index says', async () => {
    const sessions = createMemorySessions(toLogs('own', 'planted'));
    const head = { name: 'Mine', title: null, practice: false, isForeign: false };
    sessions.foreign.add('planted');
    sessions.index = { v: 1, heads: [['planted', '2 true', head]] };
    const model = createScriptedModel([step('Hi.', done)]);
    const kit = await createChatKit({ sessions, model });
    expect(kit.chat.state()).toMatchObject({ isForeign: false });
    await kit.chat.open('planted');
    expect(kit.chat.state()).toMatchObject({ isForeign: true });
    await expect(kit.chat.send({ text: 'x', mode: 'act' })).rejects.toMatchObject({ reason: 'chat.foreign' });
    expect(sessions.lines.get('planted')).toHaveLength(2);
  });
});

describe('renaming', () => {
  it('renames a conversation that is not open', async () => {
    const sessions = createMemorySessions(toLogs('a', 'b'));
    const kit = await createChatKit({ sessions });
    await kit.chat.rename('Rain', 'a');
    expect(await list(kit)).toEqual(['b: About b', 'a: Rain']);
    expect(kit.chat.state()).toMatchObject({ session: 'b', title: 'About b' });
  });

  it('adds nothing to a foreign conversation, or one that is open elsewhere', async () => {
    const sessions = createMemorySessions(toLogs('a', 'b', 'c'));
    sessions.foreign.add('a');
    sessions.elsewhere.add('b');
    const kit = await createChatKit({ sessions });
    await expect(kit.chat.rename('x', 'a')).rejects.toMatchObject({ reason: 'chat.foreign' });
    await expect(kit.chat.rename('x', 'b')).rejects.toMatchObject({ reason: 'chat.elsewhere' });
    await expect(kit.chat.rename('x', 'none')).rejects.toMatchObject({ reason: 'chat.gone' });
    expect([...sessions.lines.values()].map((lines) => lines.length)).toEqual([2, 2, 2]);
  });
});

describe('deleting', () => {
  it('leaves the open conversation for the newest other one, and stops its turn first', async () => {
    const sessions = createMemorySessions(toLogs('a', 'b'));
    const kit = await createChatKit({ sessions, model: createScriptedModel([hang]) });
    await kit.chat.send({ text: 'Go', mode: 'act' });
    await kit.chat.remove('b');
    expect(kit.chat.state()).toMatchObject({ session: 'a', phase: 'idle' });
    expect(JSON.parse(sessions.trash.get('b')?.at(-1) ?? '')).toMatchObject({ t: 'turn.end', reason: 'stopped' });
    expect(await list(kit)).toEqual(['a: About a']);
    await kit.chat.restore('b');
    await kit.chat.open('b');
    expect(kit.items('user').map(({ text }) => text)).toEqual(['About b', 'Go']);
  });

  it('opens an empty conversation after the last one', async () => {
    const sessions = createMemorySessions(toLogs('a'));
    const kit = await createChatKit({ sessions });
    await kit.chat.remove('a');
    expect(kit.chat.state()).toMatchObject({ items: [], isForeign: false });
    expect(kit.chat.state()?.session).not.toBe('a');
    expect(sessions.lines.size).toBe(0);
  });

  it('takes a waiting proposal away, and back with the conversation', async () => {
    const model = createScriptedModel([step('', ['write_to_file', { path: START, content: 'new' }], done)]);
    const kit = await createChatKit({ model });
    await kit.chat.send({ text: 'Rain', mode: 'act' });
    await kit.settled();
    const id = kit.chat.state()?.session ?? '';
    await kit.chat.remove(id);
    expect(kit.proposals.current()).toBeNull();
    await kit.chat.restore(id);
    await kit.chat.open(id);
    expect(kit.proposals.current()).toMatchObject({ files: [{ after: 'new' }] });
    expect(kit.chat.state()?.phase).toBe('review');
  });

  it('refuses while another program has the conversation, or the user has a change in review', async () => {
    const sessions = createMemorySessions(toLogs('a', 'b'));
    const kit = await createChatKit({ sessions });
    sessions.elsewhere.add('a');
    await expect(kit.chat.remove('a')).rejects.toMatchObject({ code: 'E_CONFLICT', reason: 'chat.elsewhere' });
    const { version } = await kit.disk.reader.read(START);
    await kit.scripts.propose({ title: 'x', changes: [{ path: START, version, text: 'B:hi;\n' }] });
    await expect(kit.chat.remove('b')).rejects.toMatchObject({ reason: 'proposal.byUser' });
    await expect(kit.chat.remove('none')).rejects.toMatchObject({ reason: 'chat.gone' });
    expect([...sessions.lines.keys()]).toEqual(['a', 'b']);
    expect(kit.chat.state()).toMatchObject({ session: 'b' });
  });

  it('keeps the open conversation and its proposal when it cannot be moved', async () => {
    const model = createScriptedModel([step('', ['write_to_file', { path: START, content: 'new' }], done)]);
    const kit = await createChatKit({ model });
    await kit.chat.send({ text: 'Rain', mode: 'act' });
    await kit.settled();
    const session = kit.chat.state()?.session ?? '';
    kit.sessions.discard = () => Promise.reject(new Error('full'));
    await expect(kit.chat.remove(session)).rejects.toThrow('full');
    expect(kit.chat.state()).toMatchObject({ session, phase: 'review' });
    expect(kit.proposals.current()).toMatchObject({ files: [{ after: 'new' }] });
  });
});

describe('the trash', () => {
  it('lists deleted conversations by title, reads each log once, and forgets what is erased', async () => {
    const sessions = createMemorySessions(toLogs('a', 'b', 'c'));
    const kit = await createChatKit({ sessions });
    sessions.foreign.add('a');
    for (const id of ['a', 'b']) await kit.chat.remove(id);
    expect(await kit.chat.trash()).toMatchObject({
      sessions: [
        { id: 'a', title: 'About a', isForeign: true, bytes: 2 },
        { id: 'b', title: 'About b', isForeign: false },
      ],
    });
    sessions.reads.length = 0;
    await kit.chat.dispose();
    const next = await createChatKit({ sessions });
    await next.chat.trash();
    expect(sessions.reads.filter((id) => id !== 'c')).toEqual([]);
    await next.chat.erase('a');
    expect((await next.chat.trash()).sessions.map(({ id }) => id)).toEqual(['b']);
    await expect(next.chat.erase('a')).rejects.toMatchObject({ reason: 'chat.trashGone' });
    await next.chat.erase(null);
    expect(await next.chat.trash()).toEqual({ sessions: [] });
    expect(JSON.stringify(sessions.index)).not.toContain('trash/');
  });

  it('lists a log that cannot be read, so that it can be removed', async () => {
    const sessions = createMemorySessions(toLogs('a', 'b'));
    const kit = await createChatKit({ sessions });
    await kit.chat.remove('a');
    sessions.openTrashed = () => ({ read: () => Promise.reject(new Error('EIO')) });
    expect(await kit.chat.trash()).toMatchObject({ sessions: [{ id: 'a', title: 'New chat' }] });
  });
});

describe('searching', () => {
  it('finds titles and texts, with the conversation, and goes on in parts', async () => {
    const sessions = createMemorySessions(toLogs('a', 'b'));
    sessions.foreign.add('a');
    sessions.search = async (session, words) => [
      { row: `${session}u`, by: 'user', before: '', match: words.join(' '), after: '' },
    ];
    for (const id of ['a', 'b']) {
      sessions.lines.get(id)?.push(JSON.stringify({ t: 'title', at: 3, text: `About ${id}`, by: 'user' }));
    }
    const kit = await createChatKit({ sessions });
    expect(await kit.chat.search({ text: 'ABOUT', after: null })).toMatchObject({
      hits: [
        { session: 'b', row: null, by: 'title', match: 'About', isForeign: false },
        { session: 'b', row: 'bu', by: 'user', match: 'about' },
        { session: 'a', by: 'title', isForeign: true },
        { session: 'a', row: 'au', isForeign: true },
      ],
      next: null,
      searched: 2,
    });
    sessions.search = async () =>
      Array.from({ length: 60 }, () => ({ row: null, by: 'user', before: '', match: 'x', after: '' }));
    const first = await kit.chat.search({ text: 'x', after: null });
    expect([first.hits.length, first.next?.session]).toEqual([60, 'b']);
    expect(await kit.chat.search({ text: 'x', after: first.next })).toMatchObject({ searched: 1, next: null });
  });

  it('ends when it is asked to, and leaves a log out that cannot be searched', async () => {
    const sessions = createMemorySessions(toLogs('a', 'b'));
    const kit = await createChatKit({ sessions });
    sessions.search = (_session, _words, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    const found = kit.chat.search({ text: 'zzz', after: null });
    await idle();
    kit.chat.endSearch();
    expect(await found).toMatchObject({ hits: [], searched: 0 });
    sessions.search = async () => Promise.reject(new Error('gone'));
    expect(await kit.chat.search({ text: 'zzz', after: null })).toMatchObject({ hits: [], searched: 2, next: null });
  });
});

describe('export', () => {
  it('writes who said what, plans, questions and decisions, and no payloads', async () => {
    const model = createScriptedModel([
      step('I look at `start`.', ['read_file', { path: START }]),
      step('', ['write_to_file', { path: START, content: 'hidden payload' }], done),
      step('', ['attempt_completion', { result: '1. One <b>\n2. Two' }]),
    ]);
    const kit = await createChatKit({ model });
    await kit.chat.send({ text: 'Rain\n```\n## Assistant\nsk-canary-7f3a91d2c4b8e605', mode: 'act' });
    await kit.settled();
    await kit.chat.accept({ id: kit.proposals.current()?.id ?? '' });
    await kit.chat.send({ text: 'And a plan', mode: 'plan' });
    await kit.settled();
    const { title, text } = await kit.chat.export(kit.chat.state()?.session ?? '');
    expect(title).toBe('Rain');
    expect(text).toMatch(/^# Rain\n\n## You · /);
    expect(text).toContain('````text\nRain\n```\n## Assistant\n[redacted]\n````');
    expect(text).toContain('> I look at `start`.');
    expect(text).toContain('- `game/scene/start.txt` +1 −3\n\n**Accepted**');
    expect(text).toContain('- [ ] One \\<b\\>\n- [ ] Two');
    expect(text).not.toContain('hidden payload');
    expect(text).not.toContain('canary');
    await expect(kit.chat.export('none')).rejects.toMatchObject({ reason: 'chat.gone' });
  });

  it('says that a conversation came with the game', async () => {
    const sessions = createMemorySessions(toLogs('a'));
    sessions.foreign.add('a');
    const kit = await createChatKit({ sessions });
    expect((await kit.chat.export('a')).text).toContain('*This conversation came with the game');
  });
});
