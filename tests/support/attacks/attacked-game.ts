import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { expect } from 'vitest';
import { createDirectWriter } from '../../../main/core/capability/client/direct-writer.ts';
import type { ToolPorts } from '../../../main/core/capability/define-tool.ts';
import type { Workspace } from '../../../main/core/ports/workspace.ts';
import type { ToolOutcome } from '../../../main/core/services.ts';
import { createSkills } from '../../../main/core/skills/skills.ts';
import { createLazyStage } from '../../../main/core/stage/lazy-stage.ts';
import { createApprovalFile } from '../../../main/node/app-data/approval-file.ts';
import { createProgramFile } from '../../../main/node/app-data/program-file/program-file.ts';
import { createSessionIndexFile } from '../../../main/node/app-data/session-index-file.ts';
import { createSkillFiles } from '../../../main/node/app-data/skill-files.ts';
import { createCheckpointStore } from '../../../main/node/checkpoints/checkpoint-store.ts';
import { createJournalSignature } from '../../../main/node/journal/journal-signature.ts';
import { openWorkspace } from '../../../main/node/open-workspace.ts';
import { createPlaytestPorts } from '../../../main/node/playtest/playtest-ports.ts';
import { createMatcher } from '../../../main/node/search/matcher.ts';
import { createStageLink } from '../../../main/node/stage/link/stage-link.ts';
import { createStageServer } from '../../../main/node/stage/stage-server.ts';
import { createViewerDoor } from '../../../main/node/viewer/viewer-door.ts';
import { tools } from '../../../main/tools/index.ts';
import { ERROR_CODES } from '../../../shared/errors.ts';
import { createToolBench } from '../tool-bench.ts';

/** The content of every file that must not be read; also set in the environment of the process. */
export const CANARY = 'CANARY-of-what-is-none-of-their-business';
export const START = 'game/scene/start.txt';
export const TEXT = '雪乃:你好;\n雪乃:再见;\n';

const ENGINE = path.join(import.meta.dirname, '..', '..', '..', 'node_modules', 'webgal-engine', 'dist');
/** Paths inside the project that tools must not access. */
const CLOSED = ['.git/config', '.env', '.env.local', 'game/scene/node_modules/x.txt', 'game/.git/hooks.txt'];
const OUTSIDE = ['scene/start.txt', 'secret.txt'];
const LEFTOVER = /\.tmp$|[\\/]journal[\\/][^\\/]*\.json$/;
/** One thread for all games of a process; it does not keep the process alive. */
const matcher = createMatcher();

/** A game under attack: real files, real ports, all tools, and files around it that must not change. */
export interface AttackedGame {
  root: string;
  /** A folder next to the game's. */
  outside: string;
  workspace: Workspace;
  ports: ToolPorts;
  /** Runs a call and asserts the invariants of every outcome and audit log line. */
  attack(name: string, input: unknown): Promise<ToolOutcome>;
  /** Runs a call that must fail and returns its error code. */
  refusal(name: string, input: unknown): Promise<string | undefined>;
  /** Runs a call that must succeed and returns its value. */
  // biome-ignore lint/suspicious/noExplicitAny: values are read by property name, like a client.
  value(name: string, input: unknown): Promise<any>;
  /** Connects another client to the same game. */
  connect(): Pick<AttackedGame, 'attack' | 'refusal' | 'value'>;
  /** Writes without the ports, like another program. */
  put(file: string, content: string | Uint8Array): Promise<void>;
  /** Returns the text on disk; null if there is no file. */
  text(file: string): Promise<string | null>;
  /** Asserts that no file outside or off limits has changed and that no temporary file is left. */
  expectUntouched(): Promise<void>;
  dispose(): Promise<void>;
}

/** Creates a game with traps. `prepare` runs before it is opened. */
export async function createAttackedGame(
  files: Record<string, string | Uint8Array> = {},
  options: {
    prepare?: (root: string, outside: string) => Promise<void>;
    environment?: Record<string, string | undefined>;
    locale?: 'zh-CN' | 'en';
  } = {},
): Promise<AttackedGame> {
  const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'attacked-')));
  const [root, outside, home] = ['game', 'outside', 'home'].map((name) => path.join(parent, name)) as [
    string,
    string,
    string,
  ];
  const put = async (file: string, content: string | Uint8Array) => {
    await mkdir(path.dirname(path.resolve(root, file)), { recursive: true });
    await writeFile(path.resolve(root, file), content);
  };
  const text = (file: string) => readFile(path.join(root, file), 'utf8').catch(() => null);
  for (const [file, content] of Object.entries({ [START]: TEXT, ...files })) await put(file, content);
  await plantTraps(root, outside, put);
  await options.prepare?.(root, outside);

  const workspace = await openWorkspace({
    project: { id: 'game', title: 'game', folder: 'game', shape: 'game', engineVersion: '4.5.18' },
    location: { root, shape: 'game' },
    createStageLink: (location) =>
      createStageLink({ root: location.root, server: createStageServer({ engineDirectory: ENGINE, isPlain: true }) }),
    createPlaytest: (location) =>
      createPlaytestPorts({
        root: location.root,
        engineDirectory: ENGINE,
        environment: { WEBGAL_AGENT_BROWSER: path.join(outside, 'none') },
        locale: () => 'en',
      }),
    files: createFiles(home),
    sessionIndex: createSessionIndexFile(home, 'game'),
    viewerDoor: createViewerDoor({ data: home, game: root }),
    createSkillFiles: (agentFolder) => createSkillFiles(agentFolder, home, 'game'),
    createCheckpoints: (game) =>
      createCheckpointStore({
        ...game,
        root,
        store: path.join(home, 'checkpoints'),
        signature: createJournalSignature(home),
      }),
    signature: createJournalSignature(home),
    environment: options.environment ?? { PATH: process.env.PATH, WEBGAL_AGENT_BROWSER: path.join(outside, 'none') },
    matcher,
  });
  const stage = createLazyStage({ link: workspace.stage, reader: workspace.reader, locale: () => 'en' });
  const connect = createConnections({ parent, workspace, stage, locale: options.locale });

  return {
    root,
    outside,
    workspace,
    ...connect(),
    connect,
    put,
    text,
    async expectUntouched() {
      const around = await readdir(outside, { recursive: true });
      expect(around.sort()).toEqual(['scene', ...OUTSIDE].sort());
      for (const file of OUTSIDE) expect(await readFile(path.join(outside, file), 'utf8'), file).toBe(CANARY);
      for (const file of CLOSED) expect(await text(file), file).toBe(CANARY);
      const left = await findLeftovers(root);
      expect(left.filter((name) => !name.startsWith('.webgal_agent'))).toEqual([]);
    },
    async dispose() {
      stage.dispose();
      await workspace.close();
      expect(await findLeftovers(root)).toEqual([]);
      await rm(parent, { recursive: true, force: true });
    },
  };
}

/** Returns a function that connects a client to the game; call ids are unique among the clients. */
function createConnections({ parent, workspace, stage, locale }: ConnectionPorts) {
  const { reader, snapshots, commands, browser } = workspace;
  let calls = 0;

  return () => {
    const writer = createDirectWriter({
      writer: workspace.writer,
      label: (paths) => ({ group: `call-${++calls}`, title: paths.join(', ').slice(0, 200) }),
    });
    const runtime = {
      projectRoot: 'game',
      server: { name: 'webgal-agent', version: '1.0.0' },
      tools: () => [...tools],
      developerMode: () => true,
      closedFolders: () => [],
    };
    const clock = { now: Date.now, id: () => `id-${++calls}` };
    const skills = createSkills(workspace.skillFiles);
    // What the helper reads are calls of the same tools; it needs a model, so here it only answers.
    const helper = { ask: async () => ({ answer: 'No.', places: [] }) };
    const viewer = { act: async () => ({ success: true }) };
    const painter = { draw: async () => [] };
    const ports = {
      reader,
      writer,
      snapshots,
      matcher,
      stage,
      clock,
      runtime,
      commands,
      browser,
      skills,
      helper,
      viewer,
      painter,
      assets: workspace.assets,
      playtest: { engine: workspace.playtest, texts: () => new Map<string, string>() },
    };
    const bench = createToolBench(tools, ports, {
      developerMode: true,
      confirm: async () => true,
      ...(locale && { locale }),
    });

    async function attack(name: string, input: unknown): Promise<ToolOutcome> {
      const before = bench.lines.length;
      const outcome = await bench.call(name, input);
      expectSafe(outcome, { name, input, line: JSON.stringify(bench.lines.slice(before)), parent });
      return outcome;
    }
    return {
      ports,
      attack,
      async refusal(name: string, input: unknown) {
        const outcome = await attack(name, input);
        expect(outcome.ok, `${name} ${inspect(input).slice(0, 300)} was done`).toBe(false);
        return outcome.error?.code;
      },
      async value(name: string, input: unknown) {
        const outcome = await attack(name, input);
        if (!outcome.ok) throw new Error(`${name}: ${outcome.error?.code} ${outcome.error?.message}`);
        return outcome.value;
      },
    };
  };
}

interface ConnectionPorts {
  parent: string;
  workspace: Workspace;
  stage: ReturnType<typeof createLazyStage>;
  locale: 'zh-CN' | 'en' | undefined;
}

/** Writes files with secrets, inside the game where tools may not go and outside, and links that lead there or in circles. */
async function plantTraps(root: string, outside: string, put: AttackedGame['put']): Promise<void> {
  for (const file of CLOSED) await put(file, CANARY);
  for (const file of OUTSIDE) await put(path.join(outside, file), CANARY);
  const links = {
    'game/away': outside,
    'game/scene/leak.txt': path.join(outside, 'secret.txt'),
    'game/scene/env.txt': '../../.env',
    'game/loop-a': 'loop-b',
    'game/loop-b': 'loop-a',
    'game/self': '.',
    'game/proc': '/proc/self',
  };
  for (const [file, target] of Object.entries(links)) await symlink(target, path.join(root, file));
}

/** Asserts that an outcome and its audit `line` contain no secret and no path, and that a failure says what to do. */
function expectSafe(
  outcome: ToolOutcome,
  { name, input, line, parent }: { name: string; input: unknown; line: string; parent: string },
): void {
  // An outcome may contain text that was sent, and no other.
  const sent = inspect(input, { depth: 6, maxStringLength: 10_000, maxArrayLength: 200 });
  const shown = `${name} ${sent.slice(0, 300)}`;
  for (const output of [JSON.stringify(outcome.ok ? outcome.value : outcome.error), line]) {
    if (!sent.includes(CANARY)) expect(output.includes(CANARY), `${shown} leaks ${output.slice(0, 500)}`).toBe(false);
    if (!sent.includes(parent)) expect(output.includes(parent), `${shown} contains an absolute path`).toBe(false);
  }
  expect(line, shown).not.toBe('[]');
  if (outcome.ok) return;
  const { code, message, hint } = outcome.error ?? {};
  const failure = `${shown}: ${code} ${message}`;
  expect(ERROR_CODES, failure).toContain(code);
  expect(code, failure).not.toBe('E_INTERNAL');
  expect(hint ?? '', failure).not.toBe('');
  expect(`${message} ${hint}`, failure).not.toMatch(/\n\s+at |node:internal/);
}

/** Returns temporary files and journals. Uses file types, so that links, some of which lead to the root, are not followed. */
async function findLeftovers(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  return names.filter((name) => LEFTOVER.test(name));
}

const createFiles = (home: string) => ({
  reviewFile: createProgramFile(path.join(home, 'reviews'), 'game'),
  unsavedFile: createProgramFile(path.join(home, 'unsaved'), 'game'),
  approvals: createApprovalFile(home, 'game', createJournalSignature(home)),
});
