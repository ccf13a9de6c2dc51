import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { ENGINE_COMMANDS } from '../../../tests/support/engine-commands.ts';
import { createProjects } from '../app-data/project-catalog.ts';
import type { CreateStageLink } from '../open-workspace.ts';
import { createPlaytestPorts } from '../playtest/playtest-ports.ts';
import { createMatcher } from '../search/matcher.ts';
import { createStageLink } from '../stage/link/stage-link.ts';
import { SCRIPT_PRELUDE } from '../stage/scripts/stage-connections-script.ts';
import { createStageServer, type StageServer } from '../stage/stage-server.ts';

const toBundle = (version: string) =>
  `"WebGAL ${version}";[${ENGINE_COMMANDS.map((name) => `{scriptString:"${name}",scriptType:J.x}`).join()}]`;

let base: string;
let terre: string;
let server: StageServer;
let installed: string | null;
const matcher = createMatcher();

beforeEach(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'terre-engine-')));
  terre = path.join(base, 'WebGAL_Terre');
  installed = terre;
  await writeEngine('4.6.4');
  for (const game of ['games/mine', 'elsewhere/mine']) {
    await mkdir(path.join(base, game, 'game/scene'), { recursive: true });
    await writeFile(path.join(base, game, 'game/config.txt'), 'Game_name:Mine;\n');
  }
  await mkdir(path.join(base, 'app'));
  await writeFile(path.join(base, 'app/index.html'), '<head></head>bundled');
  server = createStageServer({ engineDirectory: path.join(base, 'app') });
});
afterAll(() => matcher.close());
afterEach(async () => {
  await server.close();
  await rm(base, { recursive: true, force: true });
});

const templateOf = () => path.join(terre, 'assets/templates/WebGAL_Template');

async function writeEngine(version: string): Promise<void> {
  await mkdir(path.join(templateOf(), 'assets'), { recursive: true });
  await writeFile(path.join(templateOf(), 'index.html'), '<head></head><script src="assets/index-a.js"></script>');
  await writeFile(path.join(templateOf(), 'assets/index-a.js'), toBundle(version));
  await writeFile(path.join(templateOf(), 'webgal-engine.json'), JSON.stringify({ webgalVersion: version }));
  await writeFile(path.join(templateOf(), 'secret.txt'), 'secret');
  await rm(path.join(templateOf(), 'assets/link.js'), { force: true });
  await symlink(path.join(templateOf(), 'secret.txt'), path.join(templateOf(), 'assets/link.js'));
}

/** Opens a game, and returns its own engine and what its stage serves. */
async function open(game: string) {
  const link: CreateStageLink = ({ root, ownEngine }) => createStageLink({ root, server, ownEngine });
  const projects = createProjects({
    folders: { data: path.join(base, 'data'), home: path.join(base, 'home'), documents: base },
    ...{ sample: '', createStageLink: link, matcher, findTerre: async () => installed },
    createPlaytest: ({ root }) =>
      createPlaytestPorts({ root, engineDirectory: path.join(base, 'app'), environment: {}, locale: () => 'en' }),
  });
  const workspace = await projects.open(path.join(base, game));
  workspace.stage.serveEngine('own');
  const { url } = await workspace.stage.start();
  return { workspace, ask: (place: string) => ask(url, place) };
}

/** `fetch` sets the host itself, and does not resolve the name of a stage everywhere. */
const ask = (url: string, place: string) =>
  new Promise<{ status: number; text: string; policy: string }>((resolve, reject) => {
    const { port, host } = new URL(url);
    get({ host: '127.0.0.1', port, path: `/${place}`, headers: { host } }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode ?? 0, text, policy: `${response.headers['content-security-policy']}` });
    }).on('error', reject);
  });

it('runs a game of Terre’s on the engine of Terre, within the walls of an engine that a game brings', async () => {
  const { workspace, ask } = await open('games/mine');
  expect(workspace.ownEngine).toEqual({ version: '4.6.4', from: 'terre' });
  // What the checker assumes does not depend on what is installed on this computer.
  expect(workspace.project).toMatchObject({ engineVersion: '4.5.18', engine: null });
  const page = await ask('');
  expect(page.text).toContain('assets/index-a.js');
  expect(page.policy).toMatch(/default-src 'none'.*worker-src 'none'.*frame-ancestors 'none'/);
  expect((await ask('assets/index-a.js')).text).toBe(`${SCRIPT_PRELUDE}${toBundle('4.6.4')}`);
  expect((await ask('game/config.txt')).text).toBe('Game_name:Mine;\n');
  for (const place of ['secret.txt', 'assets/link.js', '../games.json', '%2e%2e/%2e%2e/config.json'])
    expect([place, (await ask(place)).status]).toEqual([place, 404]);
  await workspace.close();
});

it.each<[string, string, () => Promise<unknown>]>([
  ['another game', 'elsewhere/mine', async () => undefined],
  ['the same version', 'games/mine', () => writeEngine('4.5.18')],
  ['no engine', 'games/mine', () => rm(path.join(templateOf(), 'assets'), { recursive: true })],
  ['a game with an engine', 'games/mine', () => cp(templateOf(), path.join(base, 'games/mine'), { recursive: true })],
  ['no Terre', 'games/mine', async () => (installed = null)],
])('offers no engine of Terre for %s', async (_case, game, change) => {
  await change();
  const { workspace } = await open(game);
  expect(workspace.ownEngine?.from).not.toBe('terre');
  await workspace.close();
});
