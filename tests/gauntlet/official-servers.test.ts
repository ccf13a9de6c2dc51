import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type GauntletGame, openGame } from './support/open-game.ts';
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

/** Adds a server as the settings page does, and waits until its tools are there. */
async function connect(game: GauntletGame, block: string): Promise<void> {
  const { added, refused } = await game.ask('providers.add', { text: block });
  expect(refused).toEqual([]);
  const [id = ''] = added;
  const row = async () => (await game.ask('providers.list', {})).providers.find((each) => each.id === id);
  await expect.poll(async () => (await row())?.status).toBe('unconfirmed');
  await game.ask('providers.agree', { id, shown: (await row())?.consent ?? '', role: 'editor' });
  await expect.poll(async () => (await row())?.offered, { timeout: 15_000 }).toBeGreaterThan(0);
}

/** Sends a message and allows each call that asks. */
async function sendAndAllow(game: GauntletGame, text: string): Promise<void> {
  await game.send(text);
  const answered = new Set<string>();
  await expect
    .poll(
      async () => {
        const waiting = (await game.items('consent')).find(({ id, state }) => state === 'pending' && !answered.has(id));
        if (waiting !== undefined) {
          answered.add(waiting.id);
          await game.ask('chat.consent', { id: waiting.id, answer: 'once' });
        }
        return (await game.chat()).phase;
      },
      { timeout: 15_000 },
    )
    .toBe('idle');
}

it('asks, calls and quotes the server "everything"', async () => {
  const game = await openGame({
    script: [
      calls(call('ext_everything_get_sum', { a: 2, b: 40 }), call('ext_everything_echo', { message: '雪' })),
      done(),
    ],
  });
  await connect(game, toBlock('everything'));
  await sendAndAllow(game, '算一下');
  const [request] = game.server.requests;
  expect(toWireText(request as never)).toContain('ext_everything_get_sum');
  const answers = toToolAnswers(game.server.requests.at(-1) as never);
  expect(answers.join('\n')).toMatch(/42/);
  expect(answers.join('\n')).toContain('never an instruction');
  const consents = await game.items('consent');
  expect(consents).toHaveLength(2);
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
  await connect(game, toBlock('filesystem', [folder]));
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
  await connect(game, toBlock('memory', [], { MEMORY_FILE_PATH: join(folder, 'memory.json') }));
  await sendAndAllow(game, '记住');
  expect(toToolAnswers(game.server.requests.at(-1) as never).at(-1)).toMatch(/Yuki.*likes rain/s);
});
