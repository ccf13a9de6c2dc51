import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLoggedGame, type LoggedGame } from '../../tests/support/games/logged-game.ts';
import { createCommandLineText } from './command-line-text.ts';
import { runReplay } from './run-replay.ts';

const CONFIG = 'game/config.txt';
const START = 'game/scene/start.txt';
const MADE = 'game/scene/二.txt';

let game: LoggedGame;
let ids: string[] = [];
const target = () => join(game.root, '..', 'rebuilt');
beforeEach(async () => {
  game = await createLoggedGame({ [CONFIG]: 'Game_name:x;\n', [START]: '\ufeffold;\r\n' });
  vi.stubEnv('WEBGAL_AGENT_HOME', game.home);
  await game.write({ [START]: 'one;\n' });
  await game.writer.settle();
  await game.put(START, 'by another program;\n');
  await game.write({ [START]: 'two;\n', [MADE]: 'made;\n' });
  await game.write({ [START]: null });
  await game.close();
  ids = (await game.transactions.read()).transactions.map(({ patch_id: id }) => id);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await game.dispose();
});

const replay = (until: string, more: { target?: string; folder?: string; locale?: string } = {}) =>
  runReplay(
    { kind: 'replay', folder: more.folder ?? game.root, until, target: more.target ?? target() },
    createCommandLineText(more.locale ?? 'en'),
  );
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

it('rebuilds the texts of any change, and names what it does not copy', async () => {
  const { output, problem, exitCode } = await replay(ids[1] ?? '');
  expect([problem, exitCode]).toEqual(['', 0]);
  expect(await readFile(join(target(), START), 'utf8')).toBe('two;\n');
  expect(await readFile(join(target(), MADE), 'utf8')).toBe('made;\n');
  expect(output.split('\n')).toEqual([
    `${hash('two;\n')}  ${START}`,
    `${hash('made;\n')}  ${MADE}`,
    `# ${START} was changed by another program before ${ids[1]}`,
    `# ${CONFIG} is not named in the log and was not copied`,
    '# 2 files rebuilt and compared with their hashes.',
    '',
  ]);
});

it('rebuilds the first and the last change', async () => {
  expect((await replay(ids[0] ?? '')).output).toContain(`# ${MADE} did not exist at that time`);
  expect(await readFile(join(target(), START), 'utf8')).toBe('\ufeffone;\r\n');
  await rm(target(), { recursive: true });
  const { output } = await replay(ids[2] ?? '');
  expect(output).toContain(`# ${START} did not exist at that time`);
  expect(await readdir(join(target(), 'game/scene'))).toEqual(['二.txt']);
});

it('rebuilds a file that only a later change names as that change found it', async () => {
  const again = game.open();
  await again.write({ [CONFIG]: 'Game_name:y;\n' });
  await again.close();
  const { output } = await replay(ids[1] ?? '');
  expect(await readFile(join(target(), CONFIG), 'utf8')).toBe('Game_name:x;\n');
  expect(output).not.toContain('was not copied');
});

it.skipIf(process.platform === 'win32')(
  'writes to an empty folder that is there, also behind a link (left out where links need a privilege)',
  async () => {
    await mkdir(target());
    await symlink(target(), join(game.root, '..', 'link'));
    expect((await replay(ids[0] ?? '', { target: join(game.root, '..', 'link') })).exitCode).toBe(0);
    expect(await readFile(join(target(), START), 'utf8')).toBe('\ufeffone;\r\n');
    expect((await readdir(join(game.root, '..'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  },
);

it('refuses a target that is not empty, or inside the game', async () => {
  await mkdir(target());
  await writeFile(join(target(), 'x'), 'x');
  expect(await replay(ids[0] ?? '')).toEqual({
    output: '',
    problem: `${target()} is not empty. Nothing was written; name an empty folder after --to.\n`,
    exitCode: 1,
  });
  expect((await replay(ids[0] ?? '', { target: join(game.root, 'game/new') })).problem).toContain('is inside the game');
  expect(await readdir(target())).toEqual(['x']);
});

it('refuses an unknown change, and a folder without a game', async () => {
  expect((await replay('tx_none')).problem).toBe(
    'The log of this game has no change tx_none. Older changes may have left the log.\n',
  );
  expect((await replay('tx_none', { folder: '/nowhere-at-all' })).exitCode).toBe(2);
});

it('refuses a foreign log, and leaves it as it is', async () => {
  vi.stubEnv('WEBGAL_AGENT_HOME', join(game.home, 'other'));
  const { problem, exitCode } = await replay(ids[0] ?? '', { locale: 'zh-CN' });
  expect([exitCode, problem]).toEqual([1, expect.stringMatching(/^这个游戏的改动记录不是.*transactions\.log\n$/)]);
  await expect(readdir(target())).rejects.toThrow();
  vi.stubEnv('WEBGAL_AGENT_HOME', game.home);
  expect((await replay(ids[0] ?? '')).exitCode).toBe(0);
});

it('refuses if a text is missing or changed, and names it', async () => {
  await writeFile(game.at(`.webgal_agent/transactions/${hash('made;\n')}.txt`), 'fake;\n');
  await rm(game.at(MADE));
  const { problem, exitCode } = await replay(ids[2] ?? '');
  expect([exitCode, problem]).toEqual([1, expect.stringContaining(`${MADE} (${ids[1]})`)]);
  await expect(readdir(target())).rejects.toThrow();
});

it.each(['en', 'zh-CN', 'ja'])('says which folder could not be written, and leaves nothing (%s)', async (locale) => {
  await writeFile(target(), 'a file');
  for (const place of [target(), join(target(), 'below')]) {
    const { problem, exitCode } = await replay(ids[0] ?? '', { target: place, locale });
    expect([exitCode, problem.includes(place), problem.includes(game.root)]).toEqual([1, true, false]);
  }
  expect(await readFile(target(), 'utf8')).toBe('a file');
});
