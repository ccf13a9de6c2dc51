import { describe, expect, it } from 'vitest';
import { MAX_QUEUED } from '../../../../shared/model/chat.ts';
import {
  type ChatKit,
  createChatKit,
  createMemoryDisk,
  createMemorySessions,
  createScriptedModel,
  fail,
  type ScriptStep,
  step,
} from '../../../../tests/support/chat-kit.ts';
import type { LogEvent } from '../session/log-events.ts';

const START = 'game/scene/start.txt';
const read: [string, unknown] = ['read_file', { path: START }];
const done = (result = 'Done.'): [string, unknown] => ['attempt_completion', { result }];
const ask: [string, unknown] = ['ask_followup_question', { question: 'Which one?' }];

/** Returns a step that lasts until `release` is called. */
function createGate(events: ReturnType<typeof step>): { step: ScriptStep; release(): void } {
  let release = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    async *step() {
      await opened;
      yield* events;
    },
    release,
  };
}

/** Opens a chat whose first step waits, and sends a message. */
async function begin(first: ReturnType<typeof step>, ...others: ScriptStep[]) {
  const gate = createGate(first);
  const model = createScriptedModel([gate.step, ...others]);
  const kit = await createChatKit({ model });
  await kit.chat.send({ text: 'Begin', mode: 'act' });
  const queue = (text: string, now = false) => kit.chat.queue({ text, mode: 'act', now });
  const waiting = () => kit.chat.state()?.queue ?? [];
  const texts = () => waiting().map(({ text }) => text);
  const said = () => kit.items('user').map(({ text }) => text);
  const lastUser = () => String(model.requests.at(-1)?.messages.findLast(({ role }) => role === 'user')?.content);
  return { ...kit, model, gate, queue, waiting, texts, said, lastUser };
}

describe('messages that wait', () => {
  it('start the next turns in order when a turn has ended well', async () => {
    const kit = await begin(step('', done()), step('', done()), step('', done()));
    await kit.queue('One');
    await kit.queue('Two');
    expect(kit.texts()).toEqual(['One', 'Two']);
    kit.gate.release();
    await kit.settled();
    expect(kit.said()).toEqual(['Begin', 'One', 'Two']);
    expect(kit.items('end').map(({ reason }) => reason)).toEqual(['done', 'done', 'done']);
    expect(kit.texts()).toEqual([]);
  });

  it('are edited in place and removed', async () => {
    const kit = await begin(step('', done()), step('', done()));
    await kit.queue('One');
    await kit.queue('Two');
    const [one, two] = kit.waiting();
    await kit.chat.editQueued(one?.id ?? '', 'First');
    expect(kit.texts()).toEqual(['First', 'Two']);
    await kit.chat.removeQueued(two?.id ?? '');
    await expect(kit.chat.editQueued(two?.id ?? '', 'x')).rejects.toMatchObject({ reason: 'chat.queuedGone' });
    kit.gate.release();
    await kit.settled();
    expect(kit.said()).toEqual(['Begin', 'First']);
  });

  it('tell pages about each change, and nothing about the queue otherwise', async () => {
    const kit = await begin(step('', done()), step('', done()));
    await kit.queue('One');
    kit.gate.release();
    await kit.settled();
    const told = kit.payloads('chat.updated').flatMap(({ queue }) => (queue ? [queue.length] : []));
    expect(told).toEqual([1, 0]);
  });

  it('are refused above the limit', async () => {
    const kit = await begin(step('', done()));
    for (let count = 0; count < MAX_QUEUED; count += 1) await kit.queue(`Message ${count}`);
    await expect(kit.queue('One more')).rejects.toMatchObject({ code: 'E_TOO_LARGE', reason: 'chat.queueFull' });
    await kit.chat.stop();
  });

  it('wait after a stop until the user sends one', async () => {
    const kit = await begin(step('', done()), step('', done()), step('', done()));
    await kit.queue('One');
    await kit.queue('Two');
    await kit.chat.stop();
    expect([kit.chat.state()?.phase, kit.texts()]).toEqual(['idle', ['One', 'Two']]);
    await kit.chat.sendQueued(kit.waiting()[1]?.id ?? '');
    await kit.settled();
    expect(kit.said()).toEqual(['Begin', 'Two', 'One']);
  });

  it('wait after a failure', async () => {
    const kit = await begin(fail('badKey'));
    await kit.queue('One');
    kit.gate.release();
    await kit.settled();
    expect(kit.items('end')).toMatchObject([{ reason: 'error' }]);
    expect(kit.texts()).toEqual(['One']);
  });

  it('are never taken as the answer to a question', async () => {
    const kit = await begin(step('', ask), step('', done()), step('', done()));
    await kit.queue('One', true);
    kit.gate.release();
    await kit.settled();
    expect([kit.chat.state()?.phase, kit.texts()]).toEqual(['answer', ['One']]);
    const id = kit.waiting()[0]?.id ?? '';
    await expect(kit.chat.sendQueued(id)).rejects.toMatchObject({ reason: 'chat.answerFirst' });
    await kit.chat.answer(kit.items('question')[0]?.id ?? '', { text: 'The left one', options: [] });
    await kit.settled();
    expect(kit.items('question')).toMatchObject([{ answer: 'The left one' }]);
    expect(kit.said()).toEqual(['Begin', 'One']);
  });

  it('stay with their conversation', async () => {
    const kit = await begin(step('', done()));
    await kit.queue('One');
    const first = kit.chat.state()?.session ?? '';
    await kit.chat.create();
    expect(kit.texts()).toEqual([]);
    await kit.chat.open(first);
    expect(kit.texts()).toEqual(['One']);
    expect(kit.chat.state()?.phase).toBe('idle');
  });

  it('start a turn when the turn had ended before they arrived', async () => {
    const kit = await begin(step('', done()), step('', done()));
    kit.gate.release();
    await kit.settled();
    await kit.queue('One');
    await kit.settled();
    expect([kit.said(), kit.texts()]).toEqual([['Begin', 'One'], []]);
  });

  it('keep waiting when the turn cannot start, and the user is told', async () => {
    let isFull = false;
    const full = () => {
      isFull = true;
      kit.sessions.fill(1);
      return step('Hm.');
    };
    const kit = await begin(step('', read), full);
    await kit.queue('One');
    kit.gate.release();
    await kit.settled();
    expect([isFull, kit.texts()]).toEqual([true, ['One']]);
  });
});

describe('a message into the running turn', () => {
  it('is delivered between two steps, before other waiting messages', async () => {
    const kit = await begin(step('', read), step('', done()), step('', done()));
    await kit.queue('Later');
    await kit.queue('Make it rain', true);
    expect(kit.waiting()).toMatchObject([
      { text: 'Make it rain', steers: true },
      { text: 'Later', steers: false },
    ]);
    kit.gate.release();
    await kit.settled();
    expect(kit.items('user')).toMatchObject([
      { text: 'Begin' },
      { text: 'Make it rain', steer: true },
      { text: 'Later' },
    ]);
    const [first, steered, later] = kit.items('user');
    expect(steered?.turn).toBe(first?.turn);
    expect(later?.turn).not.toBe(first?.turn);
    const heard = kit.model.requests[1]?.messages ?? [];
    expect(heard.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(String(heard.at(-1)?.content)).toContain('The user sends this while you work');
    expect(String(heard.at(-1)?.content)).toContain('Make it rain');
  });

  it('can be chosen later, for a message that waits', async () => {
    const kit = await begin(step('', read), step('', done()));
    await kit.queue('Make it rain');
    await kit.chat.sendQueued(kit.waiting()[0]?.id ?? '');
    kit.gate.release();
    await kit.settled();
    expect(kit.items('user')).toMatchObject([{}, { text: 'Make it rain', steer: true }]);
  });

  it('starts the next turn when the turn has no further step', async () => {
    const kit = await begin(step('', done()), step('', done()));
    await kit.queue('Make it rain', true);
    kit.gate.release();
    await kit.settled();
    expect(kit.items('user')).toMatchObject([{}, { text: 'Make it rain' }]);
    expect(kit.items('end')).toHaveLength(2);
  });
});

describe('killed after any line of the log', async () => {
  const kit = await begin(step('', read), step('', done()), step('', read), step('', done()), step('', done()));
  await kit.queue('One');
  await kit.queue('Two');
  await kit.queue('Three');
  await kit.chat.editQueued(kit.waiting()[0]?.id ?? '', 'One, changed');
  await kit.chat.removeQueued(kit.waiting()[1]?.id ?? '');
  await kit.chat.sendQueued(kit.waiting()[1]?.id ?? '');
  kit.gate.release();
  await kit.settled();
  const [id, lines] = [...kit.sessions.lines][0] ?? ['', []];
  const events = lines.map((line) => JSON.parse(line) as LogEvent);

  it.each(events.map((event, index) => [index, event.t] as const))('line %i (%s)', async (index) => {
    const again = await reopen(lines.slice(0, index + 1));
    expect(['idle', 'answer']).toContain(again.chat.state()?.phase);
    // Each message waits, was delivered or was removed: never two of them, never none.
    const put = new Set(events.slice(0, index + 1).flatMap((event) => (event.t === 'queue.put' ? [event.id] : [])));
    const dropped = new Set(
      events.slice(0, index + 1).flatMap((event) => (event.t === 'queue.drop' ? [event.id] : [])),
    );
    const shown = [...(again.chat.state()?.queue ?? []), ...again.items('user')].map((each) => each.id);
    expect(shown.filter((each) => put.has(each)).sort()).toEqual([...put].filter((each) => !dropped.has(each)).sort());
    await again.chat.send({ text: 'Go on', mode: 'act' });
    await again.settled();
    expect(again.chat.state()?.queue).toEqual([]);
    expect(again.items('end').at(-1)).toMatchObject({ reason: 'done' });
  });

  async function reopen(kept: string[]): Promise<ChatKit> {
    const model = createScriptedModel(Array.from({ length: 6 }, () => step('', done())));
    const disk = createMemoryDisk({ [START]: 'A:hi;\nend;\n' });
    return createChatKit({ model, disk, sessions: createMemorySessions({ [id]: kept }), ids: 'again' });
  }
});
