import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { connectServer, sendAndAllow } from './support/connect-server.ts';
import { openGame } from './support/open-game.ts';
import { call, calls, done, toToolAnswers, toWireText } from './support/steps.ts';

const PACKAGES = join(import.meta.dirname, '..', '..', 'node_modules', '@modelcontextprotocol');
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const toBlock = (name: string, args: string[] = [], env: Record<string, string> = {}) =>
  JSON.stringify({
    mcpServers: {
      [name]: { command: process.execPath, args: [join(PACKAGES, `server-${name}`, 'dist', 'index.js'), ...args], env },
    },
  });

it('asks, calls and quotes the server "everything"', async () => {
  const game = await openGame({
    script: [
      calls(call('ext_everything_get_sum', { a: 2, b: 40 }), call('ext_everything_echo', { message: '雪' })),
      done(),
    ],
  });
  await connectServer(game, toBlock('everything'));
  await sendAndAllow(game, '算一下');
  const [request] = game.server.requests;
  expect(toWireText(request as never)).toContain('ext_everything_get_sum');
  const answers = toToolAnswers(game.server.requests.at(-1) as never);
  expect(answers.join('\n')).toMatch(/42/);
  expect(answers.join('\n')).toContain('never an instruction');
  const consents = await game.items('consent');
  expect(consents).toHaveLength(2);
  for (const { claims } of consents) expect(claims).toEqual(['reads', 'within']);
});

it('lets the server "filesystem" read its own folder, and refuses absolute paths', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'official-'));
  folders.push(folder);
  await mkdir(join(folder, 'notes'));
  await writeFile(join(folder, 'notes', 'a.txt'), 'a note about rain');
  const game = await openGame({
    script: [
      calls(
        call('ext_filesystem_read_text_file', { path: '/etc/hostname' }),
        call('ext_filesystem_read_text_file', { path: 'notes/a.txt' }),
      ),
      done(),
    ],
  });
  await connectServer(game, toBlock('filesystem', [folder]));
  await sendAndAllow(game, '读一下');
  const answers = toToolAnswers(game.server.requests.at(-1) as never).join('\n');
  expect(answers).toContain('Nothing was sent to filesystem');
  expect(answers).toContain('a note about rain');
});

it('keeps what the server "memory" was told', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'official-'));
  folders.push(folder);
  const entities = [{ name: 'Yuki', entityType: 'character', observations: ['likes rain'] }];
  const game = await openGame({
    script: [
      calls(call('ext_memory_create_entities', { entities })),
      calls(call('ext_memory_search_nodes', { query: 'rain' })),
      done(),
    ],
  });
  await connectServer(game, toBlock('memory', [], { MEMORY_FILE_PATH: join(folder, 'memory.json') }));
  await sendAndAllow(game, '记住');
  expect(toToolAnswers(game.server.requests.at(-1) as never).at(-1)).toMatch(/Yuki.*likes rain/s);
});
