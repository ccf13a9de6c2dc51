import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createJournalSignature } from '../../journal/journal-signature.ts';
import { createAgentFolder } from '../../project-fs/agent-folder.ts';
import { createSessionLogs } from '../session-logs.ts';

let root: string;
let logs: ReturnType<typeof createSessionLogs>;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'search-'));
  logs = createSessionLogs(createAgentFolder(root), createJournalSignature(path.join(root, 'home')));
});
afterEach(async () => {
  await logs.close();
  await rm(root, { recursive: true, force: true });
});

const head = { turn: 't', at: 1 };
const search = (words: string[], most = 20, signal = new AbortController().signal) =>
  logs.search('one', words, { most, isForeign: false, signal });

it('finds what the user and the assistant said, with the rows that show it', async () => {
  await logs.open('one').appendAll(
    [
      { t: 'user', ...head, id: 'u1', kind: 'message', text: '雨の夜' },
      {
        t: 'assistant',
        ...head,
        step: 's1',
        messages: [{ role: 'assistant', content: [{ type: 'text', text: 'RAIN 雨' }] }],
      },
      { t: 'question', ...head, id: 'q1', text: 'Which 雨?', options: ['小雨', 'none'] },
      { t: 'user', ...head, id: 'u2', kind: 'answer', question: 'q1', text: '大雨' },
      { t: 'user', ...head, id: 'u3', kind: 'feedback', text: 'less 雨' },
      { t: 'plan', ...head, id: 'p1', text: '', steps: ['Add 雨'] },
      { t: 'completion', ...head, id: 'k1', text: '雨 done' },
    ],
    true,
  );
  const found = await search(['雨']);
  expect(found.map(({ row, by }) => [row, by])).toEqual([
    ['u1', 'user'],
    ['s1:text', 'assistant'],
    ['q1', 'assistant'],
    ['q1', 'user'],
    [null, 'user'],
    ['p1', 'assistant'],
    ['k1', 'assistant'],
  ]);
  expect(found[0]).toMatchObject({ before: '', match: '雨', after: 'の夜' });
  expect(await search(['雨'], 2)).toHaveLength(2);
});

it('searches no results of tools, drafts, thinking and notices', async () => {
  const messages = [
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'secret' },
        { type: 'tool-call', input: { text: 'secret' } },
      ],
    },
    { role: 'tool', content: [{ type: 'text', text: 'secret' }] },
  ];
  await logs.open('one').appendAll(
    [
      { t: 'assistant', ...head, step: 's1', messages },
      { t: 'tool.result', ...head, step: 's1', value: { t: 'user', kind: 'message', text: 'secret' } },
      { t: 'draft', ...head, path: 'game/scene/start.txt', text: 'secret' },
      { t: 'user', ...head, id: 'u1', kind: 'notice', text: 'secret' },
    ],
    true,
  );
  expect(await search(['secret'])).toEqual([]);
});

it('finds the text of a step that was cut off, once', async () => {
  const piece = { t: 'assistant.piece', ...head, thinking: '' };
  await logs.open('one').appendAll(
    [
      { ...piece, step: 's1', text: 'ra' },
      { ...piece, step: 's1', text: 'in' },
      { t: 'assistant', ...head, step: 's1', messages: [{ role: 'assistant', content: 'rain' }] },
      { ...piece, step: 's2', text: 'more ra' },
      { ...piece, step: 's2', text: 'in' },
    ],
    true,
  );
  expect((await search(['rain'])).map(({ row }) => row)).toEqual(['s1:text', 's2:text']);
});

it('survives lines of any kind', async () => {
  const folder = await createAgentFolder(root).make('sessions');
  const lines = [
    '{"t":"user"',
    'null',
    '[]',
    '{"t":"user","kind":"message","text":{"a":1}}',
    '\u0000',
    `"${'x'.repeat(5e6)}"`,
  ];
  const last = { t: 'user', id: 'u', kind: 'message', text: 'rain' };
  await writeFile(path.join(folder, 'one.jsonl'), `${[...lines, JSON.stringify(last)].join('\n')}\n`);
  expect(await search(['rain'])).toMatchObject([{ row: 'u' }]);
  // Behind the part of a foreign conversation that is shown.
  const options = { most: 20, isForeign: true, signal: new AbortController().signal };
  expect(await logs.search('one', ['rain'], options)).toEqual([]);
});

it('ends on request, and searches again after that', async () => {
  const text = 'sunshine '.repeat(2000);
  const events = Array.from({ length: 500 }, (_, index) => ({
    t: 'user',
    ...head,
    id: `u${index}`,
    kind: 'message',
    text,
  }));
  await logs.open('one').appendAll(events, true);
  const stop = new AbortController();
  const ended = search(['rain'], 20, stop.signal);
  setTimeout(() => stop.abort(), 1);
  await expect(ended).rejects.toMatchObject({ reason: 'call.stopped' });
  expect(await search(['rain'])).toEqual([]);
});
