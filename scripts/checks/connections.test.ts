import { expect, test } from 'vitest';
import { connectionCheck } from './connections.ts';
import { toTree } from './source-tree.ts';

const STORE = "export function connectChat() {\n  api.on('chat.changed', set);\n  onConnection(() => read());\n}\n";

async function find(texts: Record<string, string>): Promise<string[]> {
  const findings = await connectionCheck.find(toTree(texts));
  return findings.map(({ file, line, message }) => `${file}:${line} ${message}`);
}

test('accepts subscriptions in connect functions that connect.ts calls', async () => {
  expect(await find({ 'renderer/chat-store.ts': STORE, 'renderer/connect.ts': 'connectChat();' })).toEqual([]);
});

test('finds subscriptions of components and modules, also in a connect function inside a hook', async () => {
  const hook = "function useText() {\n  useEffect(() => api.on('chat.changed', read));\n}\n";
  const nested = "function useMore() {\n  function connectMore() {\n    api.on('chat.changed', read);\n  }\n}\n";
  expect(
    await find({ 'renderer/a.ts': hook, 'renderer/b.ts': nested, 'renderer/c.ts': 'onConnection(read);' }),
  ).toEqual([
    'renderer/a.ts:2 api.on outside a connect function',
    'renderer/b.ts:3 api.on outside a connect function',
    'renderer/c.ts:1 onConnection outside a connect function',
  ]);
});

test.each([
  ["const { on } = api;\non('chat.changed', read);", 'api under another name'],
  ["api['on']('chat.changed', read);", 'api under another name'],
  ['const client = api;', 'api under another name'],
  ['subscribe(api.on);', 'api.on'],
  ["import { onConnection as listen } from '../api.ts';", 'onConnection'],
  ['useEffect(() => listen(onConnection));', 'onConnection'],
])('finds %s', async (text, subscription) => {
  expect(await find({ 'renderer/a.ts': text })).toEqual([`renderer/a.ts:1 ${subscription} outside a connect function`]);
});

test('accepts calls and imports of the client', async () => {
  const text = "import { api, onConnection } from '../api.ts';\nawait api.call('chat.state', {});";
  expect(await find({ 'renderer/a.ts': text })).toEqual([]);
});

test('finds a function that subscribes passed on by a component', async () => {
  expect(
    await find({
      'renderer/chat-store.ts': STORE,
      'renderer/chat.tsx': 'function Chat() {\n  useEffect(connectChat);\n}',
    }),
  ).toEqual(['renderer/chat.tsx:2 connectChat outside renderer/connect.ts']);
});

test('finds a second caller of a function that subscribes', async () => {
  const component = 'function Chat() {\n  useEffect(connectOther);\n  connectChat();\n}\n';
  expect(await find({ 'renderer/chat-store.ts': STORE, 'renderer/chat.tsx': component })).toEqual([
    'renderer/chat.tsx:3 connectChat outside renderer/connect.ts',
  ]);
});
