import { describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import {
  type ChatKit,
  createChatKit,
  createMemoryPictures,
  createMemorySessions,
  createScriptedModel,
  createTestClock,
  createTestSpending,
  NO_SKILL_FILES,
  NO_TRANSACTIONS,
  type ScriptStep,
  step,
} from '../../../tests/support/chat-kit.ts';
import { createActionQueue } from '../action-queue.ts';
import { createSkills } from '../skills/skills.ts';
import { createChat } from './chat.ts';

/** What the user has in view. */
const VIEW = {
  path: 'game/scene/start.txt',
  line: 1,
  selection: '',
  stage: { scene: 'game/scene/rain.txt', line: 4, problems: 2 },
};

const START = 'game/scene/start.txt';
const OTHER = 'game/scene/other.txt';
const write = (path: string, content: string): [string, unknown] => ['write_to_file', { path, content }];
const done = (result = 'Done.'): [string, unknown] => ['attempt_completion', { result }];
const hang: ScriptStep = async function* () {
  yield { kind: 'text', text: 'Hm' } as const;
  await new Promise(() => undefined);
};

async function propose(steps: readonly ScriptStep[], ...first: [string, unknown][]) {
  const model = createScriptedModel([step('', ...first, done()), ...steps]);
  const kit = await createChatKit({ model });
  await kit.chat.send({ text: 'Rain, please', mode: 'act' });
  await kit.settled();
  const id = kit.proposals.current()?.id ?? '';
  const lastUser = () => String(model.requests.at(-1)?.messages.findLast(({ role }) => role === 'user')?.content);
  return { ...kit, model, id, lastUser };
}

describe('deciding', () => {
  it('accepts: writes the text, links the card to its history group, tells the model which files', async () => {
    const kit = await propose([step('ok')], write(START, 'new'), write(OTHER, 'other'));
    const result = await kit.chat.accept({ id: kit.id });
    expect(result).toMatchObject({ status: 'applied', files: [{ path: OTHER }, { path: START }] });
    expect(kit.disk.files.get(START)).toBe('new');
    const group = result.status === 'applied' ? result.group : '';
    expect(kit.items('review')).toMatchObject([{ state: 'accepted', group }]);
    expect(kit.chat.state()?.phase).toBe('idle');
    await kit.chat.send({ text: 'Thanks', mode: 'act' });
    await kit.settled();
    expect(kit.lastUser()).toContain(`Written to the files: ["${OTHER}","${START}"]`);
  });

  it('accepts some files: the others wait on a new card', async () => {
    const kit = await propose([step('ok')], write(START, 'new'), write(OTHER, 'other'));
    await kit.chat.accept({ id: kit.id, paths: [START] });
    expect(kit.disk.files.has(OTHER)).toBe(false);
    expect(kit.items('review')).toMatchObject([
      { state: 'accepted' },
      { state: 'pending', files: [{ path: OTHER, added: 1, removed: 0 }] },
    ]);
    expect(kit.chat.state()?.phase).toBe('review');
    await kit.chat.send({ text: 'And?', mode: 'act' });
    await kit.settled();
    expect(kit.lastUser()).toContain(`Written to the files: ["${START}"]`);
    expect(kit.lastUser()).toContain(`still waiting for the user as your drafts: ["${OTHER}"]`);
  });

  it('writes nothing when the file changed meanwhile, and keeps the proposal open', async () => {
    const kit = await propose([], write(START, 'new'));
    kit.disk.files.set(START, 'edited');
    expect(await kit.chat.accept({ id: kit.id })).toEqual({ status: 'conflict', conflicts: [START] });
    expect(kit.disk.files.get(START)).toBe('edited');
    expect(kit.items('review')).toMatchObject([{ state: 'pending' }]);
    expect(await kit.chat.accept({ id: kit.id, overwrite: [START] })).toMatchObject({ status: 'applied' });
    expect(kit.disk.files.get(START)).toBe('new');
  });

  it('rejects without feedback: changes nothing and starts no turn', async () => {
    const kit = await propose([], write(START, 'new'));
    await kit.chat.reject({ id: kit.id, feedback: '  ' });
    expect(kit.items('review')).toMatchObject([{ state: 'rejected' }]);
    expect(kit.chat.state()?.phase).toBe('idle');
    expect(kit.disk.files.get(START)).toBe('A:hi;\nend;\n');
    expect(kit.model.requests).toHaveLength(1);
  });

  it('rejects with feedback: tells the model that no file was modified', async () => {
    const kit = await propose([step('', write(START, 'shorter'), done())], write(START, 'new'));
    await kit.chat.reject({ id: kit.id, feedback: 'Shorter, please', context: VIEW });
    await kit.settled();
    expect(kit.lastUser()).toMatch(/stage\W+scene\W+game\/scene\/rain\.txt/);
    expect(kit.items('review')).toMatchObject([
      { state: 'rejected', feedback: 'Shorter, please' },
      { state: 'pending' },
    ]);
    expect(kit.lastUser()).toContain('NO file was modified');
    expect(kit.lastUser()).toContain('Shorter, please');
    expect(kit.proposals.current()).toMatchObject({ files: [{ before: 'A:hi;\nend;\n', after: 'shorter' }] });
  });

  it('treats a message instead of a decision as a request to revise', async () => {
    const kit = await propose(
      [step('', ['read_file', { path: START }]), step('', write(OTHER, 'more'), done())],
      write(START, 'new'),
    );
    await kit.chat.send({ text: 'Add another scene', mode: 'act' });
    await kit.settled();
    expect(kit.items('review')).toMatchObject([{ state: 'replaced' }, { state: 'pending' }]);
    expect(String(kit.model.requests[1]?.messages.at(-1)?.content)).toContain('nothing of it is on disk');
    expect(JSON.stringify(kit.model.requests[2]?.messages.at(-1))).toContain('"content":"new"');
    await kit.chat.accept({ id: kit.id });
    expect([...kit.disk.files]).toEqual([
      [START, 'new'],
      [OTHER, 'more'],
    ]);
  });

  it('removes a proposal whose drafts were reverted by the model', async () => {
    const kit = await propose([step('', write(START, 'A:hi;\nend;\n'), done('Taken back.'))], write(START, 'new'));
    await kit.chat.send({ text: 'No, as it was', mode: 'act' });
    await kit.settled();
    expect(kit.items('review')).toMatchObject([{ state: 'replaced' }]);
    expect(kit.chat.state()?.phase).toBe('idle');
  });

  it('decides once when the user clicks repeatedly', async () => {
    const kit = await propose([], write(START, 'new'));
    const clicks = await Promise.allSettled([
      kit.chat.accept({ id: kit.id }),
      kit.chat.accept({ id: kit.id }),
      kit.chat.reject({ id: kit.id, feedback: '' }),
    ]);
    expect(clicks.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(clicks[1]).toMatchObject({ reason: { code: 'E_NOT_FOUND', reason: 'proposal.gone' } });
  });

  it('refuses to decide or to start while the assistant works', async () => {
    const kit = await propose([hang], write(START, 'new'));
    await kit.chat.send({ text: 'More', mode: 'act' });
    await expect(kit.chat.accept({ id: kit.id })).rejects.toMatchObject({ code: 'E_CONFLICT', reason: 'chat.busy' });
    await expect(kit.chat.send({ text: 'x', mode: 'act' })).rejects.toMatchObject({ reason: 'chat.busy' });
    await kit.chat.stop();
    expect(await kit.chat.accept({ id: kit.id })).toMatchObject({ status: 'applied' });
  });
});

describe('a proposal of the user', () => {
  async function toRename({ disk }: Pick<ChatKit, 'disk'>) {
    const { version } = await disk.reader.read(START);
    return { title: 'A is B now', changes: [{ path: START, version, text: 'B:hi;\nend;\n' }] };
  }

  async function rename() {
    const model = createScriptedModel([step('ok')]);
    const kit = await createChatKit({ model });
    await kit.scripts.propose(await toRename(kit));
    return { ...kit, model, id: kit.proposals.current()?.id ?? '' };
  }

  it('is accepted without an entry in the conversation', async () => {
    const kit = await rename();
    expect(await kit.chat.accept({ id: kit.id })).toMatchObject({ status: 'applied', files: [{ path: START }] });
    expect(kit.disk.files.get(START)).toBe('B:hi;\nend;\n');
    expect([kit.chat.state()?.items, kit.sessions.lines.size]).toEqual([[], 0]);
  });

  it('is discarded without an entry in the conversation', async () => {
    const kit = await rename();
    await kit.chat.reject({ id: kit.id, feedback: '' });
    expect([kit.proposals.current(), kit.disk.files.get(START), kit.sessions.lines.size]).toEqual([
      null,
      'A:hi;\nend;\n',
      0,
    ]);
  });

  it('blocks drafts and session changes until it is decided', async () => {
    const kit = await rename();
    for (const attempt of [kit.chat.send({ text: 'Rain', mode: 'act' }), kit.chat.create(), kit.chat.startTour()]) {
      await expect(attempt).rejects.toMatchObject({ code: 'E_CONFLICT', reason: 'proposal.byUser' });
    }
    expect(kit.proposals.current()).toMatchObject({ id: kit.id, state: 'review' });
    await kit.chat.accept({ id: kit.id });
    await kit.chat.send({ text: 'Rain', mode: 'act' });
    await kit.settled();
    expect(kit.model.requests).toHaveLength(1);
  });

  it('is refused while the assistant works', async () => {
    const kit = await createChatKit({ model: createScriptedModel([hang]) });
    await kit.chat.send({ text: 'Go', mode: 'act' });
    await expect(kit.scripts.propose(await toRename(kit))).rejects.toMatchObject({ reason: 'chat.busy' });
    await kit.chat.stop();
    await kit.scripts.propose(await toRename(kit));
    expect(kit.proposals.current()).toMatchObject({ author: 'user', state: 'review' });
  });

  it('waits for a turn that starts, and for a session that opens', async () => {
    const kit = await createChatKit({ model: createScriptedModel([hang]) });
    const change = await toRename(kit);
    const sent = kit.chat.send({ text: 'Go', mode: 'act' });
    await expect(kit.scripts.propose(change)).rejects.toMatchObject({ reason: 'chat.busy' });
    await sent;
    const created = kit.chat.create();
    await kit.scripts.propose(change);
    await created;
    expect(kit.proposals.current()).toMatchObject({ author: 'user', state: 'review' });
  });
});

describe('a full disk', () => {
  it('does not report a completed acceptance as failed', async () => {
    const kit = await propose([step('ok')], write(START, 'new'));
    kit.sessions.fill(1);
    expect(await kit.chat.accept({ id: kit.id })).toMatchObject({ status: 'applied', files: [{ path: START }] });
    expect(kit.disk.files.get(START)).toBe('new');
    expect(kit.payloads('app.noticed')).toMatchObject([{ level: 'error', reason: 'chat.notKept' }]);
    expect(kit.items('review')).toMatchObject([{ state: 'accepted' }]);
    expect(kit.chat.state()?.phase).toBe('idle');

    kit.sessions.fill(Number.POSITIVE_INFINITY);
    await kit.chat.send({ text: 'Thanks', mode: 'act' });
    await kit.settled();
    expect(kit.lastUser()).toContain(`Written to the files: ["${START}"]`);
    const again = await createChatKit({ sessions: kit.sessions, disk: kit.disk, ids: 'again' });
    expect(again.chat.state()?.items).toEqual(kit.chat.state()?.items);
  });

  it('keeps the remaining files on a card when only some were accepted', async () => {
    const kit = await propose([], write(START, 'new'), write(OTHER, 'other'));
    kit.sessions.fill(1);
    await kit.chat.accept({ id: kit.id, paths: [START] });
    kit.sessions.fill(Number.POSITIVE_INFINITY);
    expect(kit.items('review')).toMatchObject([{ state: 'accepted' }, { state: 'pending', files: [{ path: OTHER }] }]);
    expect(await kit.chat.accept({ id: kit.id })).toMatchObject({ status: 'applied', files: [{ path: OTHER }] });
    const again = await createChatKit({ sessions: kit.sessions, disk: kit.disk, ids: 'again' });
    expect(again.items('review')).toMatchObject([{ state: 'accepted' }, { state: 'accepted' }]);
  });

  it('keeps the card when a message cannot be stored', async () => {
    const kit = await propose([], write(START, 'new'));
    const before = kit.chat.state();
    kit.sessions.fill(0);
    await expect(kit.chat.send({ text: 'More', mode: 'act' })).rejects.toMatchObject({ code: 'E_IO' });
    expect(kit.chat.state()).toEqual(before);
    kit.sessions.fill(Number.POSITIVE_INFINITY);
    expect(await kit.chat.accept({ id: kit.id })).toMatchObject({ status: 'applied' });
  });
});

describe('stopping', () => {
  it('cancels a message whose turn has not started yet', async () => {
    const model = createScriptedModel([hang, step('ok')]);
    const kit = await createChatKit({ model });
    const sent = kit.chat.send({ text: 'x', mode: 'act' });
    await kit.chat.stop();
    await sent;
    expect(kit.chat.state()?.phase).toBe('idle');
    expect(kit.items('user')).toMatchObject([{ text: 'x' }]);
    expect(kit.items('end')).toMatchObject([{ reason: 'stopped' }]);
    expect(model.requests).toEqual([]);
  });

  it('does not cancel messages sent afterwards', async () => {
    const kit = await createChatKit({ model: createScriptedModel([step('ok')]) });
    await Promise.all([kit.chat.stop(), kit.chat.send({ text: 'x', mode: 'act' })]);
    await kit.settled();
    expect(kit.items('end')).toMatchObject([{ reason: 'done' }]);
  });

  it('cancels the turn that a rejection starts', async () => {
    const kit = await propose([hang], write(START, 'new'));
    const rejected = kit.chat.reject({ id: kit.id, feedback: 'Shorter' });
    await kit.chat.stop();
    await rejected;
    expect(kit.items('end').at(-1)).toMatchObject({ reason: 'stopped' });
    expect(kit.model.requests).toHaveLength(1);
  });
});

describe('questions', () => {
  const ask = step('', ['ask_followup_question', { question: 'Day or night?' }]);

  it('accepts one answer and continues in the same mode', async () => {
    const model = createScriptedModel([ask, step('Night it is.')]);
    const kit = await createChatKit({ model });
    await kit.chat.send({ text: 'Rain', mode: 'plan' });
    await kit.settled();
    const question = kit.items('question')[0]?.id ?? '';
    await kit.chat.answer(question, { text: 'At night', options: [], context: VIEW });
    await kit.settled();
    expect(String(model.requests[1]?.messages.at(-1)?.content)).toMatch(/stage\W+scene\W+game\/scene\/rain\.txt/);
    expect(kit.items('question')).toMatchObject([{ answer: 'At night' }]);
    expect(String(model.requests[1]?.messages.at(-1)?.content)).toContain('mode="plan" kind="answer"');
    await expect(kit.chat.answer(question, { text: 'again', options: [] })).rejects.toMatchObject({
      reason: 'chat.questionGone',
    });
  });

  it('treats an ordinary message as the answer', async () => {
    const kit = await createChatKit({ model: createScriptedModel([ask, step('Fine.')]) });
    await kit.chat.send({ text: 'Rain', mode: 'act' });
    await kit.settled();
    await kit.chat.send({ text: 'At night', mode: 'act' });
    await kit.settled();
    expect(kit.items('question')).toMatchObject([{ answer: 'At night' }]);
    expect(kit.chat.state()?.phase).toBe('idle');
  });
});

describe('sessions', () => {
  it('creates no file before the first message, and uses it as the title', async () => {
    const kit = await createChatKit({ model: createScriptedModel([step('ok')]) });
    await kit.chat.create();
    expect((await kit.chat.sessions({ after: null, limit: 100 })).sessions).toEqual([]);
    expect(kit.chat.state()).toMatchObject({ title: 'New chat', phase: 'idle', items: [], practice: false });
    await kit.chat.send({ text: '\n  Rain at the sea  \nplease', mode: 'act' });
    await kit.settled();
    expect((await kit.chat.sessions({ after: null, limit: 100 })).sessions).toMatchObject([
      { title: 'Rain at the sea' },
    ]);
  });

  it('removes the proposal when a session is left, and restores it on return', async () => {
    const kit = await propose([], write(START, 'new'));
    const first = kit.chat.state()?.session ?? '';
    await kit.chat.create();
    expect(kit.proposals.current()).toBeNull();
    expect(kit.chat.state()?.phase).toBe('idle');
    await kit.chat.open(first);
    expect(kit.chat.state()?.phase).toBe('review');
    expect(await kit.chat.accept({ id: kit.id })).toMatchObject({ status: 'applied' });
    await expect(kit.chat.open('../../etc')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it('stops the turn when the session is left or the chat is disposed', async () => {
    const kit = await createChatKit({ model: createScriptedModel([hang, hang]) });
    await kit.chat.send({ text: 'x', mode: 'act' });
    await kit.chat.startTour();
    expect(kit.chat.state()).toMatchObject({ practice: true, title: 'Guided tour', items: [] });
    await kit.chat.send({ text: 'y', mode: 'act' });
    await kit.chat.dispose();
    const ends = [...kit.sessions.lines.values()].map((lines) => JSON.parse(lines.at(-1) ?? '{}'));
    expect(ends).toMatchObject([
      { t: 'turn.end', reason: 'stopped' },
      { t: 'turn.end', reason: 'stopped' },
    ]);
  });

  it('skips damaged lines and reports their number', async () => {
    const kit = await propose([], write(START, 'new'));
    const [id, lines] = [...kit.sessions.lines][0] ?? ['', []];
    const spoilt = [...lines.slice(0, 3), '{"t":"turn.st', '{"t":"future"}', ...lines.slice(3)];
    const again = await createChatKit({ sessions: createMemorySessions({ [id]: spoilt }), disk: kit.disk, ids: 'b' });
    expect(again.payloads('app.noticed')).toMatchObject([{ reason: 'chat.damaged', details: { count: 2 } }]);
    expect(again.chat.state()?.phase).toBe('review');
  });

  it('opens the game when its log cannot be read, or cannot be written', async () => {
    const kit = await propose([], write(START, 'new'));
    const unreadable = createMemorySessions(Object.fromEntries(kit.sessions.lines));
    const refuse = () => Promise.reject(new AppError('E_DENY_PATH', 'a link'));
    unreadable.open = () => ({ append: refuse, appendAll: refuse, read: refuse });
    const fresh = await createChatKit({ sessions: unreadable, ids: 'b' });
    expect(fresh.chat.state()).toMatchObject({ items: [], phase: 'idle' });
    expect(fresh.payloads('app.noticed')).toMatchObject([{ reason: 'chat.unreadable' }]);
    expect((await fresh.chat.sessions({ after: null, limit: 100 })).sessions).toEqual([]);

    const [id, lines] = [...kit.sessions.lines][0] ?? ['', []];
    const readOnly = createMemorySessions({ [id]: lines.slice(0, -1) });
    readOnly.fill();
    const shown = await createChatKit({ sessions: readOnly, ids: 'c' });
    expect(shown.items('user')).toHaveLength(1);
    expect(shown.chat.state()?.phase).toBe('idle');
    expect(shown.payloads('app.noticed')).toMatchObject([{ reason: 'chat.notResumed', details: { code: 'E_IO' } }]);
  });

  it('does not write to a conversation that another program has open, and reports it', async () => {
    const kit = await propose([], write(START, 'new'));
    const [id, lines] = [...kit.sessions.lines][0] ?? ['', []];
    const sessions = createMemorySessions({ [id]: lines });
    sessions.elsewhere.add(id);
    const second = await createChatKit({ sessions, model: createScriptedModel([step('hello')]), ids: 'b' });
    expect(second.chat.state()).toMatchObject({ items: [], isNewestElsewhere: true });
    expect(kit.chat.state()).not.toHaveProperty('isNewestElsewhere');
    expect(second.chat.state()).toMatchObject({ items: [], phase: 'idle' });
    await expect(second.chat.open(id)).rejects.toMatchObject({ code: 'E_CONFLICT', reason: 'chat.elsewhere' });
    await second.chat.send({ text: 'Hi', mode: 'act' });
    await second.settled();
    expect(second.items('user')).toHaveLength(1);
    expect(sessions.lines.get(id)).toEqual(lines);
    // Free again after the other program has closed it.
    sessions.elsewhere.clear();
    await second.chat.open(id);
    expect(second.chat.state()?.phase).toBe('review');
    // A lease that was lost meanwhile changes nothing.
    sessions.elsewhere.add(id);
    const proposal = second.proposals.current()?.id ?? '';
    await expect(second.chat.accept({ id: proposal })).rejects.toMatchObject({ reason: 'chat.elsewhere' });
    await expect(second.chat.send({ text: 'More', mode: 'act' })).rejects.toMatchObject({ reason: 'chat.elsewhere' });
    expect(second.disk.files.get(START)).not.toBe('new');
  });

  it('rejects paths in a log that no tool may write to', async () => {
    const kit = await propose([], write(START, 'new'));
    const [id, lines] = [...kit.sessions.lines][0] ?? ['', []];
    const forged = lines.map((line) => line.replaceAll(START, '../../.bashrc'));
    const again = await createChatKit({ sessions: createMemorySessions({ [id]: forged }), ids: 'b' });
    expect(again.proposals.current()).toBeNull();
    expect(again.proposals.texts().size).toBe(0);
    expect(again.chat.state()?.phase).toBe('idle');
  });

  it('stores no message when there is no model', async () => {
    const kit = await createChatKit();
    const chat = await createChat({
      ...{
        sessions: kit.sessions,
        pictures: createMemoryPictures(),
        mentionSource: async () => ({ reader: kit.proposals.reader, engine: {} }),
        proposals: kit.proposals,
        disk: kit.disk.reader,
        transactions: NO_TRANSACTIONS,
        plans: { validateSteps: async (steps) => [...steps] },
        actions: createActionQueue(),
        clock: createTestClock('x'),
        emit: () => undefined,
      },
      tools: {
        list: () => [],
        displayOf: () => 'other',
        describe: () => ({ summary: { 'zh-CN': '', en: '' }, paths: [] }),
        run: async () => ({ ok: true, milliseconds: 0 }),
      },
      models: {
        current: () => Promise.reject(new Error('none')),
        fast: () => Promise.reject(new Error('none')),
        test: () => Promise.reject(new Error('none')),
      },
      locale: () => 'zh-CN',
      practice: () => createScriptedModel([]),
      ...createTestSpending(createTestClock('y')),
      allowAlways: async () => {},
      notePicturesRefused: async () => {},
      readBriefing: async () => ({
        title: 't',
        locale: 'en',
        storyLanguage: null,
        bible: null,
        scopes: [],
        notes: [],
        skills: [],
      }),
      skills: createSkills(NO_SKILL_FILES),
    });
    await expect(chat.send({ text: 'x', mode: 'act' })).rejects.toThrow('none');
    expect(chat.state()).toMatchObject({ title: '新对话', items: [], phase: 'idle' });
  });
});

describe('chat updates for pages', () => {
  it('sends updates whose rows and pieces rebuild the chat', async () => {
    const slow: ScriptStep = async function* () {
      for (const text of ['Once ', 'upon ', 'a ', 'time']) {
        yield { kind: 'text', text } as const;
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
      yield* step('Once upon a time').slice(1);
    };
    const kit = await createChatKit({ model: createScriptedModel([slow, step('', write(START, 'x'), done())]) });
    await kit.chat.send({ text: 'Tell', mode: 'act', context: { path: START, line: 2, selection: '' } });
    // Not `settled`: reading the state would publish early.
    await expect
      .poll(() => kit.payloads('chat.updated'))
      .toContainEqual(expect.objectContaining({ phase: expect.stringMatching(/^(idle|review)$/) }));
    const rows = new Map<string, { text?: string }>();
    const seqs: number[] = [];
    for (const { event, payload } of kit.heard) {
      if (event === 'chat.updated') {
        const update = payload as { seq: number; items: { id: string; text?: string }[] };
        seqs.push(update.seq);
        for (const item of update.items) rows.set(item.id, item);
      }
      if (event === 'chat.streamed') {
        const { item, text } = payload as { item: string; text: string };
        const row = rows.get(item);
        expect(row).toBeDefined();
        rows.set(item, { ...row, text: `${row?.text}${text}` });
      }
    }
    const state = kit.chat.state();
    expect([...rows.values()]).toEqual(state?.items);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(kit.payloads('chat.streamed').length).toBeGreaterThan(0);
    expect(kit.payloads('chat.streamed').length).toBeLessThan(4);
    expect(kit.items('user')).toMatchObject([{ context: `${START}:2` }]);
  });
});
