import { execFileSync } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDirectWriter } from '../../main/core/capability/direct-writer.ts';
import { createMatcher } from '../../main/node/matcher.ts';
import { applyPatch } from '../../main/tools/apply-patch.ts';
import { deleteFile } from '../../main/tools/delete-file.ts';
import { globFileSearch } from '../../main/tools/glob-file-search.ts';
import { grep } from '../../main/tools/grep.ts';
import { listFiles } from '../../main/tools/list-files.ts';
import { listSnapshots } from '../../main/tools/list-snapshots.ts';
import { readFile as readFileTool } from '../../main/tools/read-file.ts';
import { replaceInFile } from '../../main/tools/replace-in-file.ts';
import { restoreSnapshot } from '../../main/tools/restore-snapshot.ts';
import { searchFiles } from '../../main/tools/search-files.ts';
import { writeToFile } from '../../main/tools/write-to-file.ts';
import { ERROR_CODES } from '../../shared/errors.ts';
import { createGameFolder, type GameFolder } from '../support/game-folder.ts';
import { createToolBench } from '../support/tool-bench.ts';

/**
 * What hostile callers, hostile games and a hostile disk try, through the real pipeline on a real folder. Whatever it is:
 * nothing outside is read or changed, nothing off limits is touched, the answer is data with a known code and a hint,
 * it comes in time, and nothing half made is left behind.
 */

const CANARY = 'CANARY-outside-the-project';
const START = 'game/scene/start.txt';
const TEXT = '雪乃:你好;\n雪乃:再见;\n';
const CLOSED = ['.git/config', '.env', 'game/scene/node_modules/x.txt', 'game/.git/hooks.txt', '.env.local'];
const TOOLS = [
  applyPatch,
  deleteFile,
  globFileSearch,
  grep,
  listFiles,
  listSnapshots,
  readFileTool,
  replaceInFile,
  restoreSnapshot,
  searchFiles,
  writeToFile,
];

const matcher = createMatcher();
let outside: string;
let game: GameFolder;
let bench: ReturnType<typeof createToolBench>;

beforeAll(async () => {
  outside = await mkdtemp(path.join(tmpdir(), 'outside-'));
  await mkdir(path.join(outside, 'scene'));
  await writeFile(path.join(outside, 'secret.txt'), CANARY);
  await writeFile(path.join(outside, 'scene', 'start.txt'), CANARY);
  game = await createGameFolder({ [START]: TEXT, ...Object.fromEntries(CLOSED.map((file) => [file, CANARY])) });
  await symlink(outside, path.join(game.root, 'game/away'));
  await symlink(path.join(outside, 'secret.txt'), path.join(game.root, 'game/scene/leak.txt'));
  await symlink('../../.env', path.join(game.root, 'game/scene/env.txt'));
  await symlink('loop-b', path.join(game.root, 'game/loop-a'));
  await symlink('loop-a', path.join(game.root, 'game/loop-b'));
  await symlink('.', path.join(game.root, 'game/self'));
  bench = createBench(game);
});
afterAll(async () => {
  await matcher.close();
  await game.dispose();
  await rm(outside, { recursive: true });
});

function createBench({ reader, writer, snapshots }: GameFolder) {
  const direct = createDirectWriter({ writer, label: () => ({ group: 'session', title: 'session' }) });
  return createToolBench(TOOLS, {
    reader,
    writer: direct,
    snapshots,
    matcher,
    clock: { now: Date.now, id: () => 'id' },
  });
}

/** Runs a call and holds it to what every call is held to. */
async function attack(name: string, input: unknown, runs = bench) {
  const outcome = await runs.call(name, input);
  const said = JSON.stringify(outcome);
  expect(said).not.toContain(CANARY);
  expect(said).not.toContain(game.root);
  if (!outcome.ok) {
    const { code, message, hint } = outcome.error ?? {};
    const shown = `${name} ${inspect(input, { depth: 1 }).slice(0, 300)}: ${code} ${message}`;
    expect(ERROR_CODES, shown).toContain(code);
    expect(code, shown).not.toBe('E_INTERNAL');
    expect(hint ?? '', shown).not.toBe('');
  }
  return outcome;
}

async function expectUntouched(): Promise<void> {
  expect((await readdir(outside, { recursive: true })).sort()).toEqual(['scene', 'scene/start.txt', 'secret.txt']);
  expect(await readFile(path.join(outside, 'secret.txt'), 'utf8')).toBe(CANARY);
  expect(await readFile(path.join(outside, 'scene', 'start.txt'), 'utf8')).toBe(CANARY);
  for (const file of CLOSED) expect(await game.text(file), file).toBe(CANARY);
  const names = await readdir(game.root, { recursive: true });
  expect(names.filter((name) => name.endsWith('.tmp'))).toEqual([]);
}

/** Every tool that takes a path, with that path. */
const AT: Record<string, (at: string) => unknown> = {
  list_files: (at) => ({ path: at, globs: ['**'] }),
  read_file: (at) => ({ path: at }),
  write_to_file: (at) => ({ path: at, content: 'x', dryRun: false, idempotencyKey: 'k' }),
  replace_in_file: (at) => ({ path: at, find: '/./s', replace: 'x' }),
  search_files: (at) => ({ path: at, regex: 'CANARY' }),
  grep: (at) => ({ path: at, pattern: 'CANARY', '-C': 3 }),
  glob_file_search: (at) => ({ glob_pattern: '**', target_directory: at }),
  delete_file: (at) => ({ path: at }),
  apply_patch: (at) => ({ patch_text: `*** Begin Patch\n*** Add File: ${at}\n+x\n*** End Patch` }),
};

const HOSTILE = [
  '/etc/passwd',
  '//server/share',
  '\\\\server\\share',
  'C:\\Windows\\win.ini',
  'C:/Windows',
  'c:',
  'file:///etc/passwd',
  '..',
  '../secret.txt',
  'game/../../secret.txt',
  'game/scene/..\\..\\..\\x',
  '..%2f..%2fetc',
  '%2e%2e/%2e%2e/etc/passwd',
  '．．/secret.txt',
  '..\u2215secret.txt',
  '\u2025/x',
  'game/scene/start.txt\0.png',
  '\0',
  'game/\n',
  'con',
  'game/NUL.txt',
  'game/com1',
  'game/LPT¹.txt',
  'game/aux .txt',
  'game/scene/start.txt:stream',
  'game/scene/start.txt::$DATA',
  'GIT~1/config',
  'game/SCENE~1',
  '.git',
  '.git/config',
  '.GIT/config',
  '.Git /config',
  '.git./config',
  '.g\u200cit/config',
  '.ｇｉｔ/config',
  'game/.git/hooks.txt',
  '.env',
  '.ENV',
  '.env.local',
  'node_modules',
  'game/scene/node_modules/x.txt',
  'NODE_MODULES/x',
  '.webgal_agent/audit.jsonl',
  '.webgal_agent/snapshots',
  '.WEBGAL_AGENT/tmp',
  'game/away/secret.txt',
  'game/away/new.txt',
  'game/away/scene/start.txt',
  'game/scene/leak.txt',
  'game/scene/env.txt',
  'game/loop-a',
  'game/loop-a/x.txt',
  '\ud800.txt',
  'game/\udfff/x',
  '\ufeff../x',
  '~',
  '~/x',
  '$HOME/x',
  'game/scene/start.txt/x',
  'game/scene/start.txt/../../../../x',
  `${'a/'.repeat(3000)}x`,
  `game/${'名'.repeat(200)}.txt`,
  '../'.repeat(50),
  'game/scene/start.txt ',
  'game/scene./x.txt',
];

describe.skipIf(process.platform === 'win32')('attacks', () => {
  test('paths: no tool gets anywhere through any of them', async () => {
    for (const at of HOSTILE) {
      for (const [name, toInput] of Object.entries(AT)) {
        const outcome = await attack(name, toInput(at));
        // The odd names that could be a file of the game, such as `~`, may be looked for and not found.
        if (outcome.ok) expect(['write_to_file', 'apply_patch'], `${name} ${at}`).toContain(name);
      }
    }
    await expectUntouched();
    expect(await game.text(START)).toBe(TEXT);
  });

  test('paths and arguments made up by chance', async () => {
    const step = fc.constantFrom(
      '..',
      '.',
      '',
      'game',
      'scene',
      'start.txt',
      'away',
      'self',
      'secret.txt',
      'leak.txt',
      '.git',
      'config',
    );
    const made = fc.oneof(
      fc.array(step, { minLength: 1, maxLength: 7 }).map((steps) => steps.join('/')),
      fc.tuple(fc.constantFrom(...HOSTILE), step).map((pair) => pair.join('/')),
      fc.string({ unit: 'binary', maxLength: 24 }),
    );
    // What writes is left out here, for chance does find real files; each has tests of its own above and below.
    const name = fc.constantFrom('list_files', 'read_file', 'search_files', 'grep', 'glob_file_search');
    await fc.assert(
      fc.asyncProperty(name, made, async (tool, at) => {
        await attack(tool, AT[tool]?.(at));
      }),
      { numRuns: 150 },
    );
    const odd = fc.anything({ maxDepth: 3, withBigInt: true, withNullPrototype: true, withSparseArray: true });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(AT)), odd, fc.string(), async (tool, value, key) => {
        await attack(tool, value);
        await attack(tool, { ...(AT[tool]?.('game/none/none.txt') as object), [key]: value });
      }),
      { numRuns: 150 },
    );
    await expectUntouched();
  });

  test('arguments: keys of prototypes, depth and size', async () => {
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`);
    for (const [name, toInput] of Object.entries(AT)) {
      const good = toInput(START) as object;
      for (const extra of [
        { constructor: {} },
        { toString: 1 },
        JSON.parse('{"__proto__":{"polluted":1}}'),
        { path: deep },
      ]) {
        await attack(name, { ...good, ...extra, surplus: 1 });
      }
      await attack(name, { ...good, path: 'x'.repeat(2_000_000), glob_pattern: '*'.repeat(1_000_000) });
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    await attack('list_files', { path: '.', globs: Array.from({ length: 50 }, () => '{a,b}'.repeat(90)) });
    expect(await game.text(START)).toBe(TEXT);
  });

  test('patterns without end are ended, whichever way they come', async () => {
    await game.put('game/scene/evil.txt', `${'a'.repeat(3000)}!\n${'x '.repeat(2000)}`);
    const bombs = ['(a+)+$', '^(([a-z])+.)+[A-Z]([a-z])+$'];
    const started = performance.now();
    for (const regex of bombs) {
      const found = await attack('search_files', { path: 'game', regex });
      if (!found.ok) expect(found.error?.code).toBe('E_TIMEOUT');
      const replaced = await attack('replace_in_file', {
        path: 'game/scene/evil.txt',
        find: `/${regex}/`,
        replace: 'z',
      });
      if (!replaced.ok) expect(['E_TIMEOUT', 'E_TOO_LARGE']).toContain(replaced.error?.code);
    }
    // A second each, and none of them for ever.
    expect(performance.now() - started).toBeLessThan(bombs.length * 2 * 2500);
    await game.remove('game/scene/evil.txt');
  }, 40_000);

  test('globs of any making neither hang nor leave the game', async () => {
    const globs = [
      '../**',
      '/**',
      '**/../../**',
      '{'.repeat(400),
      '{a,{b,{c,{d}}}}',
      '**/'.repeat(160),
      '*a'.repeat(240),
      '[',
      '[!',
      '\\',
      '{a,b}'.repeat(90),
    ];
    for (const glob of globs) {
      const listed = await attack('list_files', { path: '.', globs: [glob] });
      if (listed.ok) expect(JSON.stringify(listed.value)).not.toMatch(/secret|\.git|\.env/);
      await attack('glob_file_search', { glob_pattern: glob });
      await attack('search_files', { path: '.', regex: 'CANARY', filePattern: glob });
      await attack('grep', { pattern: 'CANARY', glob });
    }
  });

  test('FIFOs, sockets and files closed to us neither hang nor pass for texts', async () => {
    const at = (name: string) => path.join(game.root, 'game/odd', name);
    await mkdir(at(''));
    execFileSync('mkfifo', [at('fifo.txt')]);
    const server = createServer().listen(at('socket.txt'));
    await new Promise((resolve) => server.once('listening', resolve));
    await writeFile(at('closed.txt'), 'x');
    await chmod(at('closed.txt'), 0);
    for (const name of ['fifo.txt', 'socket.txt', 'closed.txt', '.']) {
      for (const [tool, toInput] of Object.entries(AT)) await attack(tool, toInput(`game/odd/${name}`));
    }
    expect((await stat(at('fifo.txt'))).isFIFO()).toBe(true);
    server.close();
    await rm(at(''), { recursive: true, force: true });
  });

  test("a game that brings links and lies in the app's own folder", async () => {
    for (const part of ['.webgal_agent', '.webgal_agent/snapshots', '.webgal_agent/journal', '.webgal_agent/tmp']) {
      const bad = await createGameFolder({ [START]: TEXT });
      await mkdir(path.join(bad.root, path.dirname(part)), { recursive: true });
      await symlink(outside, path.join(bad.root, part));
      const runs = createBench(bad);
      const change = { path: START, content: 'x\n' };
      await attack('write_to_file', { ...change, dryRun: true }, runs);
      const outcome = await attack('write_to_file', { ...change, dryRun: false }, runs);
      expect([outcome.ok, outcome.error?.code], part).toEqual([false, 'E_DENY_PATH']);
      expect(await bad.text(START)).toBe(TEXT);
      await attack('list_snapshots', {}, runs);
      await unlink(path.join(bad.root, part));
      await bad.dispose();
    }
    const id = 'snap_20260101T000000_00000000';
    const meta = {
      id,
      path: '../../secret.txt',
      timestamp: 1,
      contentHash: '2d711642',
      existed: true,
      origin: 'agent',
      group: 'g',
      title: 't',
      after: null,
      bytes: 1,
    };
    await game.put(`.webgal_agent/snapshots/${id}.meta.json`, JSON.stringify(meta));
    await game.put(`.webgal_agent/snapshots/${id}.txt`, 'x');
    expect(JSON.stringify(await bench.value('list_snapshots', { limit: 1000 }))).not.toContain(id);
    expect((await attack('restore_snapshot', { snapshotId: id })).ok).toBe(false);
    await expectUntouched();
  });

  test('a folder swapped for a link between the look and the deed, over and over', async () => {
    const scene = path.join(game.root, 'game/swap');
    await mkdir(scene);
    await writeFile(path.join(scene, 'start.txt'), TEXT);
    let swapping = true;
    const away = `${scene}-away`;
    const clear = () => rm(scene, { recursive: true, force: true });
    const pause = () => new Promise((resolve) => setImmediate(resolve));
    // A write may make the folder anew while it is away; then that one makes room.
    const swap = (async () => {
      while (swapping) {
        await rename(scene, away);
        await clear();
        await symlink(path.join(outside, 'scene'), scene).catch(() => undefined);
        await pause();
        await clear();
        await rename(away, scene).catch(async () => {
          await clear();
          await rename(away, scene);
        });
        await pause();
      }
    })();
    for (let turn = 0; turn < 40; turn += 1) {
      const content = `${turn}\n`;
      await Promise.all([
        attack('read_file', { path: 'game/swap/start.txt' }),
        attack('search_files', { path: 'game/swap', regex: 'CANARY' }),
        attack('write_to_file', { path: 'game/swap/start.txt', content, dryRun: true }),
        attack('write_to_file', { path: `game/swap/new/${turn}.txt`, content, dryRun: true }),
      ]);
      await attack('write_to_file', { path: 'game/swap/start.txt', content, dryRun: false });
      await attack('write_to_file', { path: `game/swap/new/${turn}.txt`, content, dryRun: false });
    }
    swapping = false;
    await swap;
    await expectUntouched();
    await rm(scene, { recursive: true });
  }, 20_000);

  test('what a write replaced can be brought back, and a game that vanishes is said to be gone', async () => {
    const gone = await createGameFolder({ [START]: TEXT });
    const runs = createBench(gone);
    const patch = `*** Begin Patch\n*** Delete File: ${START}\n*** End Patch`;
    const { files } = (await runs.value('apply_patch', { patch_text: patch })) as { files: { snapshotId: string }[] };
    expect(await gone.snapshots.read(files[0]?.snapshotId ?? '')).toMatchObject({ text: TEXT });
    await rm(gone.root, { recursive: true });
    for (const [name, toInput] of Object.entries(AT)) {
      const outcome = await attack(name, toInput(START), runs);
      expect(outcome.ok, name).toBe(false);
    }
    expect(await readdir(path.dirname(gone.root))).not.toContain(path.basename(gone.root));
    await gone.dispose();
  });
});
