import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { FakeRequest, FakeStep } from '../support/services/fake-model-server.ts';
import { findLog } from './support/find-log.ts';
import { type GauntletGame, KEY, openGame, START } from './support/open-game.ts';
import { call, calls, done, toWireText } from './support/steps.ts';

const isHelper = (request: FakeRequest): boolean => toWireText(request).includes('You read a visual novel');
const isForTitle = (request: FakeRequest): boolean => toWireText(request).includes('You name conversations');

const TODO = {
  items: [
    { text: '雨', state: 'done' },
    { text: '雪', state: 'active' },
  ],
};
const VERSIONS = { path: START, from: 1, expect: ':雪', versions: [':雪落。;', ':雪停。;'] };
const QUESTION = { question: '选哪个？', options: ['雨', '雪', '晴'], multiple: true };

/** The steps of the main model, in order. */
const STEPS: FakeStep[] = [
  { ...calls(call('read_file', { path: START }), call('update_todo_list', TODO)), text: '我先看看。', wait: 250 },
  calls(call('ask_story', { question: '谁来了？' })),
  calls(call('write_to_file', { path: START, content: ':雨;\n' })),
  calls(call('ask_followup_question', QUESTION)),
  calls(call('write_to_file', { path: START, content: ':雪;\n' })),
  calls(call('offer_versions', VERSIONS)),
  done('写了雪。'),
  done('晴了。'),
];

function toScript(): (request: FakeRequest, index: number) => FakeStep {
  let step = 0;
  let helped = 0;
  return (request) => {
    const usage = { input: 3000, output: 300 };
    if (isForTitle(request)) return { text: '雨雪', usage };
    if (isHelper(request)) {
      helped += 1;
      return helped % 2 === 1 ? { ...calls(call('read_file', { path: START })), usage } : { text: '雪来了。', usage };
    }
    step += 1;
    return { ...(STEPS[step - 1] ?? { text: '好。' }), usage };
  };
}

/** Goes on while a question about a cap waits. */
async function settle(game: GauntletGame): Promise<void> {
  for (;;) {
    const { phase, items } = await game.settled();
    if (phase !== 'consent') return;
    const card = items.find((item) => (item.kind === 'cap' || item.kind === 'consent') && item.state === 'pending');
    // An answer that is being logged still shows the question.
    if (card) await game.ask('chat.consent', { id: card.id, answer: 'once' }).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function play(game: GauntletGame): Promise<void> {
  await game.ask('chat.send', { text: '写一段雨', mode: 'act' });
  await game.ask('chat.queue', { text: '加一点风', mode: 'act', now: true });
  await game.ask('chat.queue', { text: '然后写晴天', mode: 'act', now: false });
  await settle(game);
  const [question] = await game.items('question');
  await game.ask('chat.answer', { question: question?.id ?? '', text: '', options: [0, 1] });
  await settle(game);
  const [, offer] = await game.items('question');
  await game.ask('chat.answer', { question: offer?.id ?? '', text: '', options: [1] });
  await settle(game);
  const { id } = (await game.proposal()) ?? { id: '' };
  await game.ask('proposal.accept', { id });
  const steered = (await game.items('user')).find(({ steer }) => steer);
  await game.ask('chat.resend', { message: steered?.id ?? '', text: '加一点雷', mode: 'act' });
  await settle(game);
  await game.ask('chat.compact', {});
  await settle(game);
  await game.ask('chat.undoResend', { id: (await game.chat()).undoable ?? '' });
}

interface Block {
  role?: string;
  content?: unknown;
  parts?: unknown;
  tool_calls?: { id: string }[];
  tool_call_id?: string;
}

const toList = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value : [{ type: 'text', text: value }];

/** Returns the calls and the answers of a message, in the shape of any of the three services. */
function toCalls({ content, parts, tool_calls, tool_call_id }: Block): { asked: unknown[]; answered: unknown[] } {
  const all = toList(parts ?? content);
  return {
    asked: [
      ...(tool_calls ?? []).map(({ id }) => id),
      ...all.flatMap((part) => (part.type === 'tool_use' ? [part.id] : [])),
      ...all.flatMap((part) => (part.functionCall ? [(part.functionCall as { name: string }).name] : [])),
    ],
    answered: [
      ...(tool_call_id === undefined ? [] : [tool_call_id]),
      ...all.flatMap((part) => (part.type === 'tool_result' ? [part.tool_use_id] : [])),
      ...all.flatMap((part) => (part.functionResponse ? [(part.functionResponse as { name: string }).name] : [])),
    ],
  };
}

/** Fails unless roles alternate, and every call is answered once before anything else is said. */
function assertAccepted({ body }: FakeRequest): void {
  const messages = ((body.messages ?? body.contents) as Block[]).filter(({ role }) => role !== 'system');
  expect(messages[0]?.role).toBe('user');
  let open: unknown[] = [];
  for (const [index, message] of messages.entries()) {
    const { asked, answered } = toCalls(message);
    const before = messages[index - 1];
    // Google takes answers and words of the user one after the other.
    const isAnswer = message.parts !== undefined && before !== undefined && toCalls(before).answered.length > 0;
    if (message.role !== 'tool' && !isAnswer) expect(message.role).not.toBe(before?.role);
    for (const id of answered) {
      expect(open).toContain(id);
      open = open.toSpliced(open.indexOf(id), 1);
    }
    if (message.role !== 'tool') expect(open).toEqual([]);
    open = [...open, ...asked];
  }
  expect(open).toEqual([]);
  expect(messages.at(-1)?.role).not.toMatch(/assistant|model/);
}

const WAITING = new Set(['pending', 'running']);

const PROVIDERS = ['custom', 'anthropic', 'google'] as const;

it.each(PROVIDERS)(
  'a kill after any line of a log leaves a conversation that goes on (%s)',
  async (provider) => {
    const script = toScript();
    const settings = { turnCap: { unit: 'tokens', amount: 9000 } } as const;
    let game = await openGame({ provider, script, settings });
    const choice = { baseUrl: game.server.url, model: 'story', fastModel: 'quick' };
    await game.ask('settings.choose', { provider, choice });
    await play(game);
    await game.composed.dispose();
    const log = await findLog(game.root);
    const lines = (await readFile(log, 'utf8')).split('\n').slice(0, -1);
    const kinds = new Set(lines.map((line) => /"t":"([^"]+)"/.exec(line)?.[1]));
    for (const kind of [
      'queue.put',
      'user',
      'rewind',
      'rewind.undone',
      'cap.ask',
      'question',
      'todo',
      'title',
      'compaction',
    ])
      expect(kinds).toContain(kind);
    expect(
      lines.some((line) => line.includes('"call":"chosen-')),
      'a version was put in place',
    ).toBe(true);
    const disk = await game.disk();
    // The three services share the lines, because each line takes half a second.
    for (let count = 1 + PROVIDERS.indexOf(provider); count <= lines.length; count += PROVIDERS.length) {
      await game.composed.dispose();
      await writeFile(log, `${lines.slice(0, count).join('\n')}\n`);
      await writeFile(join(game.root, START), disk ?? '');
      const asked = game.server.requests.length;
      game = await game.reopen();
      await game.ask('settings.setKey', { provider, key: KEY });
      const where = `after line ${count}: ${lines[count - 1]?.slice(0, 200)}`;
      const { isForeign, items, queue } = await game.chat();
      expect(isForeign, where).toBe(false);
      const open = items.filter((item) => item.kind !== 'review' && 'state' in item && WAITING.has(String(item.state)));
      expect(
        open.filter((item) => item.kind !== 'plan'),
        where,
      ).toEqual([]);
      expect(game.server.requests.length, where).toBe(asked);
      expect(new Set(queue.map(({ id }) => id)).size).toBe(queue.length);
      if (count > 1) {
        await game.send('好');
        await settle(game);
        expect(game.server.requests.length, where).toBeGreaterThan(asked);
      }
      for (const request of game.server.requests.slice(asked)) {
        assertAccepted(request);
      }
    }
  },
  240_000,
);
