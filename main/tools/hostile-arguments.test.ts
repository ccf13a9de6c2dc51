import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERROR_CODES } from '../../shared/errors.ts';
import { createGameFolder, type GameFolder } from '../../tests/support/game-folder.ts';
import { createToolBench } from '../../tests/support/tool-bench.ts';
import { createDirectWriter } from '../core/capability/direct-writer.ts';
import type { Commands } from '../core/ports.ts';
import { createAgentFolder } from '../node/agent-folder.ts';
import { createCommands } from '../node/commands.ts';
import { createHeadlessBrowser } from '../node/headless-browser.ts';
import { createMatcher } from '../node/matcher.ts';
import { createScreenshotFolder } from '../node/screenshot-folder.ts';
import { tools } from './index.ts';

const SECRET = 'CANARY-outside-the-project';
const matcher = createMatcher();
let outside: string;
let game: GameFolder;
let commands: Commands;
let bench: ReturnType<typeof createToolBench>;

beforeAll(async () => {
  outside = await mkdtemp(path.join(tmpdir(), 'outside-'));
  await writeFile(path.join(outside, 'secret.txt'), SECRET);
  game = await createGameFolder({
    ...{ 'game/scene/start.txt': ':hello;\n', '.git/config': SECRET, '.env': SECRET },
    'package.json': JSON.stringify({ scripts: { dev: 'echo dev', build: 'echo build', lint: 'echo lint' } }),
  });
  await symlink(outside, path.join(game.root, 'game/scene/away'));
  await symlink(path.join(outside, 'secret.txt'), path.join(game.root, 'game/scene/leak.txt'));
  const { reader, snapshots } = game;
  const writer = createDirectWriter({ writer: game.writer, label: () => ({ group: 'session', title: 'session' }) });
  const stage = { preview: async () => ({ url: 'http://127.0.0.1:1/', logs: [] }) };
  commands = createCommands({ root: game.root, reader, environment: process.env });
  const browser = createHeadlessBrowser({
    // What may be opened at all is what is looked at here; no address gets as far as a browser.
    environment: { WEBGAL_AGENT_BROWSER: path.join(outside, 'no-browser') },
    screenshots: createScreenshotFolder(createAgentFolder(game.root)),
  });
  const runtime = {
    projectRoot: 'game',
    server: { name: 'webgal-agent', version: '1.0.0' },
    tools: () => [...tools],
    developerMode: () => true,
    closedFolders: () => [],
  };
  const clock = { now: Date.now, id: () => 'id' };
  bench = createToolBench(
    tools,
    { reader, writer, snapshots, matcher, stage, clock, runtime, commands, browser },
    { developerMode: true, confirm: async () => true },
  );
});
afterAll(async () => {
  await commands.close();
  await matcher.close();
  await game.dispose();
  await rm(outside, { recursive: true });
});

const step = fc.constantFrom(
  '..',
  '.',
  '',
  'game',
  'scene',
  'start.txt',
  'away',
  'secret.txt',
  'leak.txt',
  '.git',
  '.GIT',
  '.git.',
  'config',
  '.env',
  '.env.local',
  'node_modules',
  '.webgal_agent',
  'C:',
  '\\\\host',
  'con',
  'NUL.txt',
  'a:b',
  'PROGRA~1',
  '~',
  '\0',
  '%2e%2e',
  '．．',
  'ＧＡＭＥ',
  'game\\..\\..',
  'é',
  'e\u0301',
);
const place = fc.oneof(
  fc.constantFrom('.', 'game/scene', 'game/scene/start.txt', 'game/scene/leak.txt', 'game/scene/away/secret.txt'),
  fc.array(step, { minLength: 1, maxLength: 5 }).map((steps) => steps.join('/')),
  fc.constant('/etc/passwd'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('(', '(a+)+$', '(?i)x', '/x/gi', '.*', '\ud800', '$&'),
);
const odd = fc.anything({ maxDepth: 1, withBigInt: true, withNullPrototype: true });

/** Arguments by every name that any tool knows, each sometimes well shaped and sometimes junk. */
const argumentsFor = (name: string) => {
  const schema = bench.runner.list('act').find((tool) => tool.name === name)?.inputSchema as {
    properties?: Record<string, { type?: string; enum?: string[] }>;
    required?: string[];
  };
  const values = Object.entries(schema?.properties ?? {}).map(([argument, { type, enum: options }]) => {
    const fitting =
      argument === 'path' || argument === 'scenePath' || argument === 'imageFile'
        ? place
        : options !== undefined
          ? fc.constantFrom(...options)
          : type === 'boolean'
            ? fc.boolean()
            : type === 'integer' || type === 'number'
              ? fc.constantFrom(1, 2, 5, 1000, 100_000, 0, -1)
              : type === 'array'
                ? fc.array(fc.oneof(place, word), { maxLength: 3 })
                : word;
    return [argument, fc.oneof({ weight: 30, arbitrary: fitting }, { weight: 1, arbitrary: odd })] as const;
  });
  return fc.record(Object.fromEntries(values), { requiredKeys: schema?.required ?? [] });
};

test('no arguments reach outside the project, throw, or fail without a known code', async () => {
  const names = bench.runner.list('act').map((tool) => tool.name);
  expect(names).toEqual(tools.map((tool) => tool.name).sort());
  const call = fc.constantFrom(...names).chain((name) => argumentsFor(name).map((input) => ({ name, input })));
  await fc.assert(
    fc.asyncProperty(call, async ({ name, input }) => {
      const outcome = await bench.call(name, input);
      if (!outcome.ok) expect(ERROR_CODES).toContain(outcome.error?.code);
      if (!outcome.ok) expect(outcome.error?.code).not.toBe('E_INTERNAL');
      expect(JSON.stringify(outcome)).not.toContain(SECRET);
      expect(JSON.stringify(outcome)).not.toContain(game.root);
    }),
    { numRuns: 500 },
  );
  expect(await readdir(outside)).toEqual(['secret.txt']);
  expect(await readFile(path.join(outside, 'secret.txt'), 'utf8')).toBe(SECRET);
  expect(await game.text('.git/config')).toBe(SECRET);
  expect(await game.text('.env')).toBe(SECRET);
}, 30_000);
