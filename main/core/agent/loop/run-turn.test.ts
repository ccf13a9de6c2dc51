import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type ChatKit,
  type ChatKitOptions,
  createChatKit,
  createScriptedModel,
  createTestTools,
  fail,
  type ScriptStep,
  step,
} from '../../../../tests/support/chat-kit.ts';
import type { ModelEvent } from '../../ports/models.ts';

const START = 'game/scene/start.txt';
const write = (content: string): [string, unknown] => ['write_to_file', { path: START, content }];
const done = (result = 'Done.'): [string, unknown] => ['attempt_completion', { result }];

async function play(
  steps: readonly ScriptStep[],
  options: ChatKitOptions & { mode?: 'plan' | 'act' } = {},
): Promise<ChatKit & { model: ReturnType<typeof createScriptedModel> }> {
  const model = createScriptedModel(steps);
  const kit = await createChatKit({ ...options, model });
  await kit.chat.send({ text: 'Please', mode: options.mode ?? 'act' });
  await kit.settled();
  return Object.assign(kit, { model });
}

afterEach(() => {
  vi.useRealTimers();
});

const endings = (kit: ChatKit) => kit.items('end').map(({ reason }) => reason);

describe('a turn', () => {
  it('drafts, reports, and waits for review without writing to the disk', async () => {
    const kit = await play([
      step('Reading.', ['read_file', { path: START }]),
      step('', write('A:hi;\n:rain;\nend;\n')),
      step('', done('Some rain.')),
    ]);
    expect(endings(kit)).toEqual(['review']);
    expect(kit.chat.state()).toMatchObject({ phase: 'review', sessionUsage: { input: 30, cached: 12, output: 6 } });
    expect(kit.items('completion')).toMatchObject([{ text: 'Some rain.' }]);
    expect(kit.items('review')).toMatchObject([{ state: 'pending', files: [{ path: START, added: 1, removed: 0 }] }]);
    expect(kit.disk.files.get(START)).toBe('A:hi;\nend;\n');
    expect(kit.proposals.current()?.summary).toBe('Some rain.');
    expect(kit.model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ output: { type: 'json', value: { content: 'A:hi;\nend;\n' } } }],
    });
  });

  it('ends with a plain answer', async () => {
    const kit = await play([step('It has one scene.')]);
    expect(endings(kit)).toEqual(['done']);
    expect(kit.items('assistant')).toMatchObject([{ text: 'It has one scene.', streaming: false }]);
  });

  it('offers only reading tools while planning, and refuses the others', async () => {
    const kit = await play([step('', write('x')), step('', done('1. Look\n2. Write'))], { mode: 'plan' });
    expect(kit.model.requests[0]?.tools.map(({ name }) => name)).not.toContain('write_to_file');
    expect(kit.items('tool')).toMatchObject([{ state: 'refused', error: { code: 'E_POLICY_VIOLATION' } }]);
    expect(kit.items('plan')).toMatchObject([{ state: 'ready', steps: [{ summary: 'Look' }, { summary: 'Write' }] }]);
    expect(kit.proposals.current()).toBeNull();
  });

  it('reads a plan from a plain answer and keeps the text around it', async () => {
    const kit = await play([step('I would do this:\n1. Look\n2. Write\nShall I?')], { mode: 'plan' });
    expect(kit.items('plan')).toMatchObject([{ text: '', steps: [{ summary: 'Look' }, { summary: 'Write' }] }]);
    expect(kit.items('assistant')).toMatchObject([{ text: 'I would do this:\nShall I?' }]);
  });

  it('stops at a question and runs no later call', async () => {
    const kit = await play([step('', ['ask_followup_question', { question: 'Day or night?' }], write('x'))]);
    expect(endings(kit)).toEqual(['answer']);
    expect(kit.chat.state()?.phase).toBe('answer');
    expect(kit.items('question')).toMatchObject([{ text: 'Day or night?', answer: null }]);
    expect(kit.proposals.current()).toBeNull();
  });

  it('shows the question first when it asks and drafts', async () => {
    const kit = await play([step('', write('new'), ['ask_followup_question', { question: 'So?' }])]);
    expect(kit.chat.state()?.phase).toBe('answer');
    expect(kit.items('review')).toMatchObject([{ state: 'pending' }]);
    const id = kit.proposals.current()?.id ?? '';
    expect(await kit.chat.accept({ id })).toMatchObject({ status: 'applied' });
    expect(kit.disk.files.get(START)).toBe('new');
  });

  it('shows calls by what their tools declare, and a failed text as a call', async () => {
    const kit = await play([
      step('', ['read_file', { path: START }], write('new'), ['display', { content: 'hm' }]),
      step('', ['display', 'junk']),
      step('', done()),
    ]);
    expect(kit.items('tool').map(({ tool, action, state }) => [tool, action, state])).toEqual([
      ['read_file', 'read', 'done'],
      ['write_to_file', 'drafted', 'done'],
      ['display', 'other', 'failed'],
    ]);
  });
});

describe('guards', () => {
  it('stops after forty steps, not counting as many that only report progress', async () => {
    const read = Array.from({ length: 50 }, (_, index) => step('', ['read_file', { path: `missing${index}` }]));
    const told = Array.from({ length: 20 }, (_, index) =>
      step('', ['display', { content: `${index}`, level: 'progress' }]),
    );
    const kit = await play([...told, ...read]);
    expect(kit.model.requests).toHaveLength(60);
    expect(endings(kit)).toEqual(['steps']);
    const endless = await play(
      Array.from({ length: 50 }, (_, index) => step('', ['display', { content: `${index}` }])),
    );
    expect(endless.model.requests).toHaveLength(40);
    expect(endings(endless)).toEqual(['steps']);
  });

  it('detects a loop by call and result, whatever the order of the arguments', async () => {
    const kit = await play([
      step('', ['read_file', { path: START, a: 1 }]),
      step('', ['read_file', { a: 1, path: START }]),
      step('', ['read_file', { path: START, a: 1 }]),
      step('', ['read_file', { path: START, a: 1 }]),
      step('never'),
    ]);
    expect(endings(kit)).toEqual(['repeat']);
    const notices = kit.model.requests.map(
      ({ messages }) => JSON.stringify(messages).split('You called read_file').length - 1,
    );
    expect(notices).toEqual([0, 0, 0, 1]);
  });

  it('lets a model go on that stops to repeat itself once it was told', async () => {
    const read = step('', ['read_file', { path: START, a: 1 }]);
    const kit = await play([read, read, read, step('', done())]);
    expect(endings(kit)).toEqual(['done']);
  });

  it('detects no loop when a draft was made in between', async () => {
    const read: [string, unknown] = ['display', { content: 'hm' }];
    const kit = await play([
      step('', read, write('1'), read, write('2')),
      step('', read, write('3'), read, write('4')),
      step('', done()),
    ]);
    expect(endings(kit)).toEqual(['review']);
  });

  it('stops after the third step of nothing but invalid calls', async () => {
    const broken: ModelEvent = {
      kind: 'call',
      call: { id: 'x', name: 'read_file', input: undefined, invalid: 'not JSON' },
    };
    const junk = (): ModelEvent[] => [broken, ...step('').slice(-1)];
    const kit = await play([junk(), step('', ['no_such_tool', {}]), junk(), step('never')]);
    expect(endings(kit)).toEqual(['junk']);
    const many = (): ModelEvent[] => [broken, broken, broken, broken, ...step('').slice(-1)];
    expect(endings(await play([many(), many(), step('', done())]))).toEqual(['done']);
  });

  it('stops at the time limit', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const received = Promise.withResolvers<void>();
    const hang: ScriptStep = async function* () {
      yield { kind: 'text', text: 'Hm' } as const;
      received.resolve();
      await new Promise(() => undefined);
    };
    const kit = await createChatKit({ model: createScriptedModel([hang]), limits: { milliseconds: 60_000 } });
    await kit.chat.send({ text: 'Please', mode: 'act' });
    await received.promise;
    await vi.advanceTimersByTimeAsync(59_999);
    expect(endings(kit)).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await expect.poll(() => kit.chat.state()?.phase).toBe('idle');
    expect(endings(kit)).toEqual(['time']);
    expect(kit.items('assistant')).toMatchObject([{ text: 'Hm', streaming: false }]);
  });
});

describe('failures', () => {
  it('retries once when nothing was received and the failure is retryable', async () => {
    const kit = await play([fail('cutOff', true), step('There.')]);
    expect(endings(kit)).toEqual(['done']);
    const twice = await play([fail('cutOff', true), fail('cutOff', true), step('never')]);
    expect(twice.model.requests).toHaveLength(2);
    expect(twice.items('end')).toMatchObject([{ reason: 'error', error: { reason: 'model.cutOff' } }]);
  });

  it('repeats a step several times while the service is busy', async () => {
    const kit = await play([fail('rate', true), fail('overloaded', true), fail('rate', true), step('There.')]);
    expect(endings(kit)).toEqual(['done']);
    const steps = Array.from({ length: 9 }, () => fail('rate', true));
    const never = await play(steps, { limits: { retries: 2 } });
    expect(never.model.requests).toHaveLength(3);
    expect(never.items('end')).toMatchObject([{ reason: 'error', error: { reason: 'model.rate' } }]);
  });

  it('shows the wait until the service is asked again, which a stop ends at once', async () => {
    const busy: ScriptStep = [
      { kind: 'error', problem: 'rate', detail: 'Slow down.', retryable: true, retryAfter: 60_000 },
    ];
    const model = createScriptedModel([busy, step('never')]);
    const kit = await createChatKit({ model });
    await kit.chat.send({ text: 'Please', mode: 'act' });
    await expect.poll(() => kit.chat.state()?.waiting).toMatchObject({ problem: 'rate' });
    expect(kit.chat.state()?.phase).toBe('model');
    expect(kit.chat.state()?.waiting?.until).toBeGreaterThan(50_000);
    await kit.chat.stop();
    await kit.settled();
    expect(endings(kit)).toEqual(['stopped']);
    expect(kit.chat.state()).not.toHaveProperty('waiting');
    expect(model.requests).toHaveLength(1);
  });

  it('does not wait longer than a user would', async () => {
    const busy: ScriptStep = [
      { kind: 'error', problem: 'rate', detail: 'Tomorrow.', retryable: true, retryAfter: 86_400_000 },
    ];
    const kit = await play([busy, step('never')]);
    expect(kit.model.requests).toHaveLength(1);
    expect(endings(kit)).toEqual(['error']);
  });

  it('does not retry other failures, nor after the first text', async () => {
    expect((await play([fail('key'), step('never')])).model.requests).toHaveLength(1);
    const kit = await play([[{ kind: 'text', text: 'Once' }, ...fail('cutOff', true)], step('never')]);
    expect(kit.model.requests).toHaveLength(1);
    expect(kit.items('assistant')).toMatchObject([{ text: 'Once', streaming: false }]);
  });

  it('shows the drafts made before the failure', async () => {
    const kit = await play([step('', write('new')), fail('balance')]);
    expect(kit.items('end')).toMatchObject([{ reason: 'error', error: { reason: 'model.balance' } }]);
    expect(kit.chat.state()?.phase).toBe('review');
  });

  it('handles a model that throws, ends without a finish event, or reports an unknown problem', async () => {
    const thrower: ScriptStep = () => {
      throw new Error('boom');
    };
    expect(endings(await play([thrower]))).toEqual(['error']);
    expect((await play([[], []])).items('end')).toMatchObject([{ error: { reason: 'model.cutOff' } }]);
    expect((await play([fail('odd')])).items('end')).toMatchObject([{ error: { reason: 'model.badAnswer' } }]);
  });

  it('lets a model go on once after an answer that reached the length limit, then reports it', async () => {
    const cut = step('A long st').map((event) => (event.kind === 'done' ? { ...event, finish: 'length' } : event));
    const kit = await play([cut, step('', done())]);
    expect(endings(kit)).toEqual(['done']);
    expect(JSON.stringify(kit.model.requests[1]?.messages)).toContain('Go on in smaller pieces');
    const twice = await play([cut, cut]);
    expect(twice.items('end')).toMatchObject([{ reason: 'error', error: { reason: 'model.lengthLimit' } }]);
  });

  it('reports a log that cannot be written, and becomes idle', async () => {
    const model = createScriptedModel([
      () => {
        kit.sessions.fill();
        return step('lost');
      },
    ]);
    const kit = await createChatKit({ model });
    await kit.chat.send({ text: 'x', mode: 'act' });
    await kit.settled();
    expect(kit.payloads('app.noticed')).toMatchObject([{ level: 'error', reason: 'chat.notKept' }]);
  });
});

describe('stop', () => {
  it('keeps the text received and shows the drafts', async () => {
    const model = createScriptedModel([
      step('', write('new')),
      async function* () {
        yield { kind: 'text', text: 'And then' } as const;
        await new Promise(() => undefined);
      },
    ]);
    const kit = await createChatKit({ model });
    await kit.chat.send({ text: 'x', mode: 'act' });
    while (!kit.payloads('chat.updated').some(({ items }) => items.some((item) => item.kind === 'assistant'))) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await kit.chat.stop();
    expect(endings(kit)).toEqual(['stopped']);
    expect(kit.items('assistant')).toMatchObject([{ text: 'And then', streaming: false }]);
    expect(kit.chat.state()?.phase).toBe('review');
  });

  it('abandons a hanging tool and rejects its later drafts', async () => {
    let late: Promise<unknown> = Promise.resolve();
    const [started, stopped] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const kit = await createChatKit({
      model: createScriptedModel([step('', ['slow', {}], write('never'))]),
      tools: (proposals) =>
        createTestTools(proposals, {
          slow: () => {
            started.resolve();
            late = stopped.promise.then(() =>
              proposals.writer.write({ path: 'game/scene/late.txt', text: 'late', base: null }),
            );
            return late;
          },
        }),
    });
    await kit.chat.send({ text: 'x', mode: 'act' });
    await started.promise;
    await kit.chat.stop();
    expect(endings(kit)).toEqual(['stopped']);
    stopped.resolve();
    await expect(late).rejects.toMatchObject({ code: 'E_POLICY_VIOLATION' });
    expect(kit.proposals.current()).toBeNull();
  });
});

describe('problems of a proposal', () => {
  const BAD = 'changeBg:no-such-picture.png;\nend;\n';
  const WORSE = 'changeBg:no-other-picture.png;\nend;\n';

  it('are reported to the model once, and the fix joins the same proposal', async () => {
    const kit = await play([step('', write(BAD), done('First.')), step('', write('A:ho;\nend;\n'), done('Fixed.'))]);
    const message = String(kit.model.requests[1]?.messages.at(-1)?.content);
    expect(message).toContain('kind="problems"');
    expect(message).toMatch(/start\.txt:1 .*no-such-picture/);
    expect(kit.items('review')).toHaveLength(1);
    expect(kit.items('completion')).toMatchObject([{ text: 'Fixed.' }]);
    expect(kit.proposals.current()).toMatchObject({ newProblems: [], files: [{ after: 'A:ho;\nend;\n' }] });
  });

  it('are not reported twice', async () => {
    const kit = await play([step('', write(BAD), done()), step('', write(WORSE), done('Sorry.')), step('never')]);
    expect(kit.model.requests).toHaveLength(2);
    expect(endings(kit)).toEqual(['review']);
    expect(kit.proposals.current()?.newProblems).toHaveLength(1);
  });

  it('are not reported when they existed before', async () => {
    const kit = await play([step('', write(`A:more;\n${BAD}`), done())], { files: { [START]: BAD } });
    expect(kit.model.requests).toHaveLength(1);
  });
});
