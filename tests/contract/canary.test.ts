import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAudit } from '../../main/core/capability/audit/audit.ts';
import { createPolicySource } from '../../main/core/capability/policy/policy-source.ts';
import { createToolRunner } from '../../main/core/capability/runner/run-tool.ts';
import { createOverlay } from '../../main/core/proposal/overlay.ts';
import { createLogFile } from '../../main/node/logs/log-file.ts';
import { createAgentFolder } from '../../main/node/project-fs/agent-folder.ts';
import { createPolicyFile } from '../../main/node/project-fs/policy-file.ts';
import { createMatcher } from '../../main/node/search/matcher.ts';
import { createSystemClock } from '../../main/node/system-clock.ts';
import { tools } from '../../main/tools/index.ts';
import { DEFAULT_SETTINGS } from '../../shared/model/settings.ts';
import { createProjectFolder, type ProjectFolder } from '../support/games/project-folder.ts';

/** Keys in the formats of services, and words without any: a secret need not be recognisable. */
const KEYS = ['sk-canary-7f3a91d2c4b8e605a1', 'Tr0ub4dor-und-3-Regenschirme', '雨夜的暗号是紫阳花', 'plaincanaryword'];

let game: ProjectFolder;
let faults: unknown[];

beforeAll(async () => {
  game = await createProjectFolder({
    'game/scene/start.txt': KEYS.map((key) => `:${key};`).join('\n'),
    'game/config.txt': `Game_name:${KEYS[0]};\n`,
    '.webgal_agent/policy.json': JSON.stringify({ policies: { tools: { display: 'ask' } } }),
  });
  faults = [];
});
afterAll(() => game.dispose());

/** The tool pipeline over real files and the real log, composed as by a host. */
async function createPipeline() {
  const folder = createAgentFolder(game.root);
  const log = createLogFile({ folder: async () => folder.make(''), name: 'audit.jsonl' });
  const policy = await createPolicySource({
    policyFile: createPolicyFile(folder),
    tools,
    settings: async () => ({ ...DEFAULT_SETTINGS, tools: {} }),
    host: () => ({ writes: 'drafted', developerMode: true }),
  });
  const overlay = createOverlay(game.reader);
  const runner = createToolRunner({
    tools,
    ports: {
      reader: overlay.reader,
      writer: {
        async write({ path, text }) {
          await overlay.set(path, text);
          return { applied: false, drafted: true };
        },
        async writeAll(changes) {
          for (const { path, text } of changes) await overlay.set(path, text);
          return changes.map(() => ({ applied: false, drafted: true }));
        },
      },
      snapshots: game.snapshots,
      matcher: createMatcher(),
      clock: createSystemClock(),
      stage: {
        preview: async () => {
          throw new Error(`Authorization: Bearer ${KEYS.join(' ')}`);
        },
      },
    },
    audit: createAudit(log),
    caller: () => ({ type: 'model', id: 'assistant', role: 'owner' }),
    policy: policy.current,
    refresh: policy.refresh,
    confirm: async () => {
      throw new Error(KEYS.join(' '));
    },
    locale: () => 'en',
    clock: createSystemClock(),
    onFault: ({ error }) => faults.push(error),
  });
  return { runner, log };
}

const call = (name: string, input: unknown, id = 'call') => ({
  ...{ id, name, input, mode: 'act' as const, trace: 'turn', signal: new AbortController().signal },
});

/** Arguments of a tool with `key` in place of every text. */
function fill(value: unknown, key: string): unknown {
  if (typeof value === 'string') return /^(game|\.)/.test(value) ? value : key;
  if (Array.isArray(value)) return value.map((entry) => fill(entry, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, fill(entry, key)]));
}

/**
 * Arguments that the audit log stores literally: paths and search words. A key among them is redacted by its format; a
 * word without one may be needed for filtering.
 */
const LITERAL_ARGUMENTS = new Set([...tools.flatMap(({ logged = [] }) => logged), 'path', 'paths', 'scenePath']);
const isShapedLikeKey = (key: string) => key.startsWith('sk-');

describe('a canary key in every place', () => {
  test.each(KEYS)('%s is in no line of the audit log', async (key) => {
    process.env.CANARY_TOKEN = key;
    const { runner, log } = await createPipeline();
    for (const tool of tools) {
      for (const example of tool.examples) {
        const kept = Object.entries(example as Record<string, unknown>).filter(
          ([name]) => isShapedLikeKey(key) || !LITERAL_ARGUMENTS.has(name),
        );
        await runner.run(call(tool.name, Object.fromEntries(kept.map(([name, value]) => [name, fill(value, key)]))));
        // Argument names come from outside as well.
        await runner.run(call(tool.name, { ...(example as object), [key]: key, nested: { [key]: [key] } }));
        await runner.run(call(tool.name, JSON.stringify({ ...(example as object), content: key })));
      }
    }
    for (const junk of [key, [key], { [key]: key }, { content: key, text: { deep: key } }, JSON.stringify({ key })]) {
      await runner.run(call('write_to_file', junk));
      await runner.run(call('no_such_tool', junk));
    }
    // Names and ids that no tool has are not stored, whatever they contain.
    await runner.run(call(`${key} Key`, {}));
    await runner.run({ ...call('read_file', { path: 'game/scene/start.txt' }), version: key });
    await log.close();
    delete process.env.CANARY_TOKEN;
    const kept = await readFile(join(game.root, '.webgal_agent', 'audit.jsonl'), 'utf8');
    expect(kept.split('\n').length).toBeGreaterThan(60);
    expect(kept).not.toContain(key);
    expect(kept).not.toContain(JSON.stringify(key).slice(1, -1));
  });

  test('is in no reply: neither environment variables nor internal errors are returned', async () => {
    const key = 'sk-canary-of-the-machine-0123456789';
    process.env.CANARY_TOKEN = key;
    const { runner, log } = await createPipeline();
    const replies: unknown[] = [];
    for (const tool of tools) {
      for (const example of tool.examples) replies.push(await runner.run(call(tool.name, example)));
    }
    replies.push(await runner.run(call('preview_scene', {})), await runner.run(call('display', { content: 'x' })));
    await log.close();
    delete process.env.CANARY_TOKEN;
    const said = JSON.stringify(replies.slice(-2));
    expect(JSON.stringify(replies)).not.toContain(key);
    for (const secret of KEYS) expect(said).not.toContain(secret);
    expect(replies.slice(-2)).toMatchObject([
      { error: { code: 'E_INTERNAL' } },
      { error: { reason: 'tool.declined' } },
    ]);
    expect(faults.length).toBeGreaterThan(0);
  });

  test('is in no file of the app’s folder in the game', async () => {
    const folder = join(game.root, '.webgal_agent');
    for (const name of await readdir(folder, { recursive: true })) {
      if (!(await stat(join(folder, name))).isFile()) continue;
      const text = await readFile(join(folder, name), 'utf8');
      for (const key of KEYS) expect([name, text.includes(key)]).toEqual([name, false]);
    }
  });
});
