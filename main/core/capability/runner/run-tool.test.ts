import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../../../shared/errors.ts';
import type { AuditEntry } from '../../../../shared/model/audit.ts';
import { ProjectPath } from '../../../../shared/paths/project-path.ts';
import { anyCharacter } from '../../../../tests/support/any-character.ts';
import { createProjectFolder, type ProjectFolder } from '../../../../tests/support/games/project-folder.ts';
import type { Durability, RotatedLog } from '../../ports/logs.ts';
import type { ToolRunner } from '../../services.ts';
import { createAudit } from '../audit/audit.ts';
import { defineTool, type Tool, type ToolChange, type ToolPorts } from '../define-tool.ts';
import type { PolicyProject, PolicySettings } from '../policy/policy.ts';
import { createToolRunner } from './run-tool.ts';
import type { ToolRunnerOptions } from './runner-options.ts';

const base = {
  version: '2.3.4',
  type: 'context' as const,
  title: { 'zh-CN': '标题', en: 'Title' },
  about: { 'zh-CN': '用来测试。', en: 'For tests.' },
  description: 'For tests.',
  permissions: ['fs.read'] as const,
  sideEffects: 'none',
  risk: {
    reason: 'For tests.',
    level: 'low',
    rollback: false,
    snapshot: false,
    approval: 'never',
    audit: 'basic',
  } as const,
  rateLimit: 1000,
  timeout: 5000,
  examples: [],
  inPlan: true,
  summarize: () => ({ 'zh-CN': '做事', en: 'Do it' }),
  paths: () => [],
};

/** Returns its arguments. */
const echo = defineTool({
  ...base,
  capability: 'test.echo',
  name: 'echo',
  input: z.strictObject({
    path: ProjectPath,
    flag: z.boolean().default(false),
    count: z.int().min(1).optional(),
    names: z.array(z.string()).optional(),
    level: z.enum(['info', 'error']).optional(),
  }),
  output: z.looseObject({}),
  needs: ['reader'],
  paths: ({ path }) => [path],
  handler: async (input, ports) => ({ ...input, ports: Object.keys(ports) }),
});

const write = defineTool({
  ...base,
  capability: 'test.write',
  name: 'write',
  input: z.strictObject({ path: ProjectPath, text: z.string(), waits: z.boolean().default(false) }),
  output: z.object({ done: z.boolean() }),
  permissions: ['fs.write'],
  risk: { reason: 'For tests.', level: 'medium', rollback: true, snapshot: true, approval: 'review', audit: 'full' },
  needs: ['writer'],
  inPlan: false,
  timeout: 200,
  paths: ({ path }) => [path],
  async handler({ path, text, waits }, { writer }) {
    if (waits) {
      began.resolve();
      await ended.promise;
    }
    const writing = (async () => writer.write({ path, text, base: null }))();
    if (waits) late.resolve(writing.then(() => null).catch((error: unknown) => error));
    await writing;
    return { done: true };
  },
});

function throwing(name: string, fail: () => never): Tool {
  return defineTool({
    ...base,
    capability: `test.${name}`,
    name,
    input: z.strictObject({}),
    output: z.object({ n: z.int() }),
    needs: [],
    handler: async () => fail(),
  });
}

const liar = defineTool({
  ...base,
  capability: 'test.liar',
  name: 'liar',
  input: z.strictObject({}),
  output: z.object({ n: z.int() }),
  needs: [],
  handler: async () => ({ n: 'many' as unknown as number }),
});

const chatty = defineTool({
  ...base,
  capability: 'test.chatty',
  name: 'chatty',
  input: z.strictObject({}),
  output: z.object({ n: z.int() }),
  needs: [],
  rateLimit: 2,
  handler: async () => ({ n: 1, secret: '/home/user' }),
});

const developer = defineTool({ ...liar, capability: 'test.developer', name: 'developer', permissions: ['proc.exec'] });

let game: ProjectFolder;
/** For calls of `write` that wait: the handler has begun; the test lets it go on; the error of its write. */
let began: PromiseWithResolvers<void>;
let ended: PromiseWithResolvers<void>;
let late: PromiseWithResolvers<unknown>;
let entries: AuditEntry[];
let written: ToolChange[];
let now: number;
let project: PolicyProject;
let settings: PolicySettings;
let faults: unknown[];

const log: Pick<RotatedLog, 'append' | 'ready'> = {
  append: async (entry) => void entries.push(entry as AuditEntry),
  ready: async () => ({ setAside: null }),
};
const tools: Tool[] = [
  echo,
  write,
  liar,
  chatty,
  developer,
  throwing('crash', () => {
    throw new TypeError('secret path /home/user/game');
  }),
  throwing('denied', () => {
    throw new AppError('E_NOT_FOUND', 'Not there.', { hint: 'Look elsewhere.', details: { path: 'x' } });
  }),
];

function create(options: Partial<ToolRunnerOptions> = {}): ToolRunner {
  const ports: Partial<ToolPorts> = {
    reader: game.reader,
    writer: {
      async write(change) {
        written.push(change);
        return { applied: false, drafted: true };
      },
      async writeAll(changes) {
        written.push(...changes);
        return changes.map(() => ({ applied: false, drafted: true }));
      },
    },
  };
  return createToolRunner({
    tools,
    ports,
    audit: createAudit(log),
    caller: () => ({ type: 'model', id: 'assistant', role: 'owner' }),
    policy: () => ({ project, settings }),
    locale: () => 'en',
    clock: { now: () => now, id: () => 'id' },
    onFault: ({ error }) => void faults.push(error),
    ...options,
  });
}

function call(
  runner: ToolRunner,
  name: string,
  input: unknown,
  rest: { mode?: 'plan' | 'act'; signal?: AbortSignal } = {},
) {
  const { mode = 'act', signal = new AbortController().signal } = rest;
  return runner.run({ id: 'call-1', name, input, mode, trace: 'turn-1', signal });
}

beforeEach(async () => {
  game = await createProjectFolder({ 'game/scene/start.txt': 'a' });
  entries = [];
  written = [];
  faults = [];
  now = 1_000_000;
  began = Promise.withResolvers<void>();
  ended = Promise.withResolvers<void>();
  late = Promise.withResolvers<unknown>();
  project = { writes: 'drafted', developerMode: false, closedFolders: [] };
  settings = { tools: {} };
});
afterEach(() => game.dispose());

describe('arguments', () => {
  test('are parsed with defaults and normalised paths', async () => {
    expect(await call(create(), 'echo', { path: './game//scene/' })).toEqual({
      ok: true,
      value: { path: 'game/scene', flag: false, ports: ['reader'] },
      input: { path: 'game/scene', flag: false },
      milliseconds: 0,
    });
  });

  test.each([
    ['a number as a string', { path: 'a', count: '3' }, { path: 'a', flag: false, count: 3 }],
    ['null for an absent argument', { path: 'a', count: null }, { path: 'a', flag: false }],
    ['one string for a list', { path: 'a', names: 'x' }, { path: 'a', flag: false, names: ['x'] }],
    ['a list as JSON', { path: 'a', names: '["x","y"]' }, { path: 'a', flag: false, names: ['x', 'y'] }],
    ['an option in another case', { path: 'a', level: 'INFO' }, { path: 'a', flag: false, level: 'info' }],
    ['everything as JSON', '{"path":"a"}', { path: 'a', flag: false }],
  ])('are normalised: %s', async (_, input, expected) => {
    expect((await call(create(), 'echo', input)).value).toEqual({ ...expected, ports: ['reader'] });
  });

  test.each([
    ['unknown argument', { path: 'a', extra: 1 }, 'unknown argument "extra"'],
    ['missing', {}, '"path" is missing'],
    ['null for a required argument', { path: null }, '"path": expected string, received null'],
    ['no arguments', undefined, '"path" is missing'],
    ['wrong type', { path: 7 }, '"path": expected string, received number'],
    ['wrong number', { path: 'a', count: 0 }, '"count"'],
    ['not a number', { path: 'a', count: 'many' }, '"count": expected number, received string'],
    ['not an option', { path: 'a', level: 'loud' }, '"level": expected one of "info"|"error"'],
    ['a boolean as a string', { path: 'a', flag: 'true' }, '"flag": expected boolean, received string'],
    ['null for a boolean', { path: 'a', flag: null }, '"flag": expected boolean, received null'],
    ['null for a choice', { path: 'a', level: null }, '"level": expected one of'],
    ['a list', ['a'], 'the arguments are not an object'],
    ['junk', 'do it', 'the arguments are not an object'],
    ['a prototype', JSON.parse('{"path":"a","__proto__":{"flag":true}}'), 'unknown argument "__proto__"'],
    ['a bad argument beside a bad path', { path: '../x', extra: 1 }, 'unknown argument "extra"'],
  ])('are rejected: %s', async (_, input, words) => {
    const { ok, error } = await call(create(), 'echo', input);
    expect([ok, error?.code]).toEqual([false, 'E_BAD_ARGS']);
    expect(error?.message).toContain(words);
    expect(error?.hint).toBe('It takes path, flag (optional), count (optional), names (optional), level (optional).');
  });

  test.each([
    ['a number as a string', { path: 'a', count: '3' }],
    ['null for an absent argument', { path: 'a', count: null }],
    ['one string for a list', { path: 'a', names: 'x' }],
    ['a list as JSON', { path: 'a', names: '["x"]' }],
    ['an option in another case', { path: 'a', level: 'INFO' }],
    ['everything as JSON', '{"path":"a"}'],
  ])('are rejected for strict callers: %s', async (_, input) => {
    expect((await call(create({ isStrict: true }), 'echo', input)).error?.code).toBe('E_BAD_ARGS');
  });

  test('count as empty when missing, for strict callers too', async () => {
    const { error } = await call(create({ isStrict: true }), 'echo', undefined);
    expect(error?.message).toContain('"path" is missing');
  });

  test.each([
    '../x',
    '/etc/passwd',
    'C:\\x',
    'a/../../b',
    '.git/config',
    'a/.GIT/x',
    'node_modules/x',
    '.env',
    'con',
    'a\0b',
  ])('are rejected with a forbidden path: %j', async (path) => {
    const { error } = await call(create(), 'echo', { path });
    expect([error?.code, error?.details]).toEqual(['E_DENY_PATH', { path }]);
  });
});

describe('refusals', () => {
  test('an unknown tool is refused with the list of known ones', async () => {
    const { error } = await call(create(), 'rm_rf', {});
    expect(error).toEqual({
      code: 'E_UNSUPPORTED',
      message: 'There is no tool called "rm_rf".',
      hint: 'The tools are: chatty, crash, denied, developer, echo, liar, write.',
      recoverable: true,
      reason: 'tool.unknown',
    });
  });

  test.each(['constructor', '__proto__', 'toString', ''])('%j is not a tool', async (name) => {
    expect((await call(create(), name, {})).error?.code).toBe('E_UNSUPPORTED');
  });

  test('a tool without its ports is disabled and not listed', async () => {
    const runner = create({ ports: { reader: game.reader } });
    expect((await call(runner, 'write', { path: 'a', text: '' })).error?.code).toBe('E_TOOL_DISABLED');
    expect(runner.list('act').map((tool) => tool.name)).not.toContain('write');
  });

  test('plan mode offers and runs no writing tool', async () => {
    const runner = create();
    const { error } = await call(runner, 'write', { path: 'a.txt', text: 'x' }, { mode: 'plan' });
    expect([error?.code, written]).toEqual(['E_POLICY_VIOLATION', []]);
    expect(runner.list('plan').map((tool) => tool.name)).toEqual(['chatty', 'crash', 'denied', 'echo', 'liar']);
    expect(runner.list('act').map((tool) => tool.name)).toEqual(['chatty', 'crash', 'denied', 'echo', 'liar', 'write']);
  });

  test('developer tools exist only in developer mode', async () => {
    expect((await call(create(), 'developer', {})).error?.code).toBe('E_TOOL_DISABLED');
  });

  test('calls beyond the rate limit are refused', async () => {
    const runner = create();
    expect((await call(runner, 'chatty', {})).ok).toBe(true);
    expect((await call(runner, 'chatty', {})).ok).toBe(true);
    const { error } = await call(runner, 'chatty', {});
    expect([error?.code, error?.details]).toEqual(['E_POLICY_VIOLATION', { retryAfterMs: 60_000 }]);
    now += 60_001;
    expect((await call(runner, 'chatty', {})).ok).toBe(true);
  });
});

describe('asking', () => {
  beforeEach(() => {
    project = { ...project, writes: 'ask' };
  });

  test('denies when questions are impossible', async () => {
    const { error } = await call(create(), 'write', { path: 'a.txt', text: 'x' });
    expect([error?.code, error?.reason, written]).toEqual(['E_POLICY_VIOLATION', 'tool.nobodyToAsk', []]);
  });

  test('runs only after consent, and logs who decided', async () => {
    const asked: unknown[] = [];
    let answer = true;
    const confirm: NonNullable<ToolRunnerOptions['confirm']> = async ({ tool, summary, scope }) => {
      asked.push({ tool, summary, scope });
      return answer;
    };
    const runner = create({ confirm });
    expect((await call(runner, 'write', { path: 'a.txt', text: 'x' })).ok).toBe(true);
    answer = false;
    expect((await call(runner, 'write', { path: 'b.txt', text: 'x' })).error?.reason).toBe('tool.declined');
    expect(written.map((change) => change.path)).toEqual(['a.txt']);
    expect(asked[0]).toEqual({
      tool: 'write',
      summary: { 'zh-CN': '做事', en: 'Do it' },
      scope: { tool: 'write', paths: ['a.txt'], why: 'write', canAlways: false, questions: 1 },
    });
    expect(entries.map((entry) => entry.decision)).toEqual([
      { effect: 'ALLOW', by: 'writer', at: expect.any(String) },
      { effect: 'DENY', by: 'writer', at: expect.any(String), why: 'tool.declined' },
    ]);
  });

  test('denies when the question fails', async () => {
    const runner = create({ confirm: () => Promise.reject(new Error('window gone')) });
    expect((await call(runner, 'write', { path: 'a.txt', text: 'x' })).error?.reason).toBe('tool.declined');
    expect([written, faults]).toEqual([[], [new Error('window gone')]]);
  });

  test('withdraws a question on stop', async () => {
    const stop = new AbortController();
    const runner = create({ confirm: () => new Promise(() => {}) });
    const running = call(runner, 'write', { path: 'a.txt', text: 'x' }, { signal: stop.signal });
    stop.abort();
    expect((await running).error?.reason).toBe('tool.stopped');
    expect(written).toEqual([]);
    expect(entries.map(({ decision, outcome }) => [decision?.effect, outcome])).toEqual([['DENY', 'refused']]);
  });

  test('does not offer tools that could never be confirmed', () => {
    const names = (runner: ToolRunner) => runner.list('act').map((tool) => tool.name);
    expect(names(create())).not.toContain('write');
    expect(names(create({ confirm: async () => true }))).toContain('write');
  });
});

describe('running', () => {
  test('hands a handler its declared ports only', async () => {
    const greedy = defineTool({
      ...liar,
      name: 'greedy',
      output: z.object({ frozen: z.boolean(), writer: z.boolean() }),
      handler: async (_, ports) => ({ frozen: Object.isFrozen(ports), writer: 'writer' in ports }),
    });
    expect((await call(create({ tools: [greedy] }), 'greedy', {})).value).toEqual({ frozen: true, writer: false });
  });

  test('returns failures as data, and reports internal errors to the host only', async () => {
    const runner = create();
    expect((await call(runner, 'denied', {})).error).toEqual({
      code: 'E_NOT_FOUND',
      message: 'Not there.',
      hint: 'Look elsewhere.',
      details: { path: 'x' },
      recoverable: true,
    });
    const { error } = await call(runner, 'crash', {});
    expect([error?.code, JSON.stringify(error).includes('/home')]).toEqual(['E_INTERNAL', false]);
    expect(faults).toEqual([new TypeError('secret path /home/user/game')]);
  });

  test('drops extra fields and rejects results outside of the contract', async () => {
    const runner = create();
    expect((await call(runner, 'liar', {})).error?.code).toBe('E_INTERNAL');
    expect((await call(runner, 'chatty', {})).value).toEqual({ n: 1 });
  });

  test('ends a call at its timeout, and prevents later writes', async () => {
    const { error } = await call(create(), 'write', { path: 'a.txt', text: 'x', waits: true });
    expect([error?.code, error?.reason]).toEqual(['E_TIMEOUT', 'tool.timeout']);
    ended.resolve();
    expect(await late.promise).toMatchObject({ code: 'E_TIMEOUT' });
    expect(written).toEqual([]);
  });

  test('ends a call on stop, and prevents later writes', async () => {
    const stop = new AbortController();
    const running = call(create(), 'write', { path: 'a.txt', text: 'x', waits: true }, { signal: stop.signal });
    await began.promise;
    stop.abort();
    expect((await running).error).toMatchObject({ code: 'E_TIMEOUT', reason: 'tool.stopped' });
    ended.resolve();
    expect(await late.promise).toMatchObject({ code: 'E_TIMEOUT' });
    expect(written).toEqual([]);
    expect((await call(create(), 'write', { path: 'a.txt', text: 'x' }, { signal: stop.signal })).ok).toBe(false);
  });
});

describe('describing', () => {
  test('returns sentence and files of a call, or the title for invalid input', () => {
    const runner = create();
    expect(runner.describe('echo', { path: './a' })).toEqual({
      summary: { 'zh-CN': '做事', en: 'Do it' },
      paths: ['a'],
    });
    expect(runner.describe('echo', { path: '../a' })).toEqual({ summary: { 'zh-CN': '标题', en: 'Title' }, paths: [] });
    expect(runner.describe('no_such', null)).toEqual({ summary: { 'zh-CN': 'no_such', en: 'no_such' }, paths: [] });
  });

  test('gives the model compatible schemas', () => {
    const listed = create()
      .list('act')
      .find((tool) => tool.name === 'echo');
    expect(listed?.inputSchema).toMatchObject({ type: 'object', additionalProperties: false, required: ['path'] });
    expect(listed?.inputSchema).not.toHaveProperty('$schema');
    expect(JSON.stringify(listed)).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(listed?.inputSchema).toMatchObject({ properties: { count: { type: 'integer', minimum: 1 } } });
  });
});

describe('the audit log', () => {
  test('has one line per call, whatever its outcome', async () => {
    const runner = create();
    await call(runner, 'write', { path: 'a.txt', text: 'x' });
    await call(runner, 'echo', { path: '../x' });
    await call(runner, 'no_such', { a: 1 });
    expect(entries).toEqual([
      {
        at: '1970-01-01T00:16:40.000Z',
        trace: 'turn-1',
        call: 'call-1',
        tool: 'write',
        version: '2.3.4',
        capability: 'test.write',
        mode: 'act',
        args: { path: 'a.txt', text: { characters: 1 } },
        permissions: ['fs.write'],
        decision: { effect: 'ALLOW', by: 'policy' },
        outcome: 'done',
        ok: true,
        code: null,
        reason: null,
        ms: 0,
        files: ['a.txt'],
        commands: [],
        id: expect.any(String),
        kind: 'invoke',
        caller: { type: 'model', id: 'assistant', role: 'owner' },
        risk: { level: 'medium', canUndo: true },
        response: { done: true },
      },
      expect.objectContaining({
        kind: 'error',
        tool: 'echo',
        ok: false,
        code: 'E_DENY_PATH',
        decision: null,
        files: [],
      }),
      expect.objectContaining({ tool: 'no_such', version: '', capability: '', ok: false, code: 'E_UNSUPPORTED' }),
    ]);
  });

  test('holds no key, wherever it was passed', async () => {
    const keys = [
      'sk-proj-Canary1234567890abcdef',
      'Bearer canaryCANARY123456',
      'api_key=canary-99887766',
      'aB3dE5gH7jK9mN1pQ3sT5vW7xY9z',
    ];
    const runner = create();
    for (const key of keys) {
      await call(runner, 'write', { path: 'a.txt', text: key });
      await call(runner, 'write', { path: 'a.txt', text: `${key} `.repeat(200) });
      await call(runner, 'echo', { path: 'a', names: [key, { [key]: key }] });
      await call(runner, 'echo', { path: key, [key]: key });
      await call(runner, key, { path: key });
    }
    expect(entries).toHaveLength(keys.length * 5);
    const text = JSON.stringify(entries);
    for (const key of keys) expect(text).not.toContain(key.replace(/^(Bearer |api_key=)/, ''));
  });

  test('does not undo a call when its line cannot be written', async () => {
    const broken: typeof log = { ...log, append: () => Promise.reject(new Error('disk full')) };
    const outcome = await call(create({ audit: createAudit(broken) }), 'echo', { path: 'a' });
    expect([outcome.ok, faults]).toEqual([true, [new Error('disk full')]]);
  });

  test('allows only reading calls while it cannot be written', async () => {
    const closed = () => Promise.reject(new AppError('E_DENY_PATH', 'a link'));
    const runner = create({ audit: createAudit({ append: closed, ready: closed }) });
    expect((await call(runner, 'echo', { path: 'a' })).ok).toBe(true);
    const { error } = await call(runner, 'write', { path: 'a', text: 'x' });
    expect(error).toMatchObject({ code: 'E_IO', reason: 'audit.closed', hint: expect.any(String) });
    expect(written).toEqual([]);
  });
});

describe('earlier shapes of a call', () => {
  const renamed = defineTool({
    ...base,
    needs: [],
    capability: 'test.renamed',
    name: 'renamed',
    version: '2.0.0',
    input: z.strictObject({ path: z.string() }),
    output: z.object({ path: z.string() }),
    earlier: [
      { name: 'old_name', major: 0, adapt: ({ file, ...rest }) => ({ ...rest, path: file }) },
      { major: 1, adapt: ({ target, ...rest }) => ({ ...rest, path: target }) },
      { name: 'gone_name', major: 0, adapt: null },
    ],
    handler: async ({ path }) => ({ path }),
  });
  const ask = (name: string, input: unknown, version?: string) =>
    create({ tools: [renamed] }).run({
      ...{ id: 'c', name, input, mode: 'act', trace: 't', signal: new AbortController().signal },
      ...(version !== undefined && { version }),
    });

  test.each([
    ['renamed', { path: 'a' }, undefined],
    ['renamed', { path: 'a' }, '2.0.0'],
    ['renamed', { path: 'a' }, '2.7.1'],
    ['renamed', { target: 'a' }, '1.4.0'],
    ['old_name', { file: 'a' }, undefined],
    ['old_name', { file: 'a' }, '0.3.0'],
  ])('%s %j of version %s is converted', async (name, input, version) => {
    expect((await ask(name, input, version)).value).toEqual({ path: 'a' });
    expect(entries[0]).toMatchObject({ tool: 'renamed', version: '2.0.0', outcome: 'done' });
  });

  test('an earlier name is shown in the chat like the tool', () => {
    const runner = create({ tools: [{ ...renamed, inChat: 'drafted' } as unknown as Tool] });
    expect(['renamed', 'old_name', 'no_such'].map(runner.displayOf)).toEqual(['drafted', 'drafted', 'other']);
  });

  test.each([
    ['renamed', { path: 'a' }, '3.0.0', 'E_UNSUPPORTED', 'version 3.0.0 of renamed is not understood here'],
    ['renamed', { path: 'a' }, '0.1.0', 'E_UNSUPPORTED', 'version 0.1.0 of renamed is not understood here'],
    ['renamed', { path: 'a' }, 'latest', 'E_BAD_ARGS', '"latest" is no version of renamed'],
    ['gone_name', {}, undefined, 'E_UNSUPPORTED', 'gone_name is not understood here'],
    ['renamed', { target: 'a' }, '2.0.0', 'E_BAD_ARGS', 'unknown argument "target"'],
    ['renamed', { target: 'a', extra: 1 }, '1.0.0', 'E_BAD_ARGS', 'unknown argument "extra"'],
    ['old_name', 'junk', undefined, 'E_BAD_ARGS', 'not an object'],
  ])('%s %j of version %s is refused', async (name, input, version, code, words) => {
    const { error } = await ask(name, input, version);
    expect(error?.code).toBe(code);
    expect(error?.message).toContain(words);
  });

  test('a deprecated tool runs and is not listed', async () => {
    const runner = create({
      tools: [{ ...echo, deprecated: { since: '2.3.4', removalVersion: '3.0.0' } } as unknown as Tool],
    });
    expect(runner.list('act')).toEqual([]);
    expect((await call(runner, 'echo', { path: 'a' })).ok).toBe(true);
  });
});

describe('the policy file, in the ports', () => {
  const look = defineTool({
    ...base,
    capability: 'test.look',
    name: 'look',
    input: z.strictObject({ read: z.string().optional(), list: z.string().optional(), seek: z.string().optional() }),
    output: z.object({ text: z.string().optional(), files: z.array(z.string()).optional() }),
    needs: ['reader'],
    async handler({ read, list, seek }, { reader }, { signal }) {
      if (seek !== undefined) {
        const found = await reader.search({ path: '.', regex: seek, flags: '', maxMatches: 50, signal });
        return { files: found.map(({ path }) => path) };
      }
      if (read !== undefined) return { text: (await reader.read(read)).text };
      return { files: (await reader.list(list ?? '.', { recursive: true })).map(({ path }) => path) };
    },
  });
  const closed = (maxReadBytes: number | null = null) =>
    create({
      tools: [look, write],
      policy: () => ({ project: { ...project, closedFolders: ['game/private'] }, settings, maxReadBytes }),
    });

  beforeEach(async () => {
    await mkdir(join(game.root, 'game/private'), { recursive: true });
    await writeFile(join(game.root, 'game/private/a.txt'), 'needle');
    await symlink('../private', join(game.root, 'game/scene/side'));
    await symlink('../private/a.txt', join(game.root, 'game/scene/door.txt'));
  });

  test('hides a closed folder on every path to it', async () => {
    const runner = closed();
    for (const read of ['game/private/a.txt', 'game/Private/a.txt', 'game/scene/side/a.txt', 'game/scene/door.txt']) {
      const { error } = await call(runner, 'look', { read });
      expect([read, error?.code]).toEqual([read, expect.stringMatching(/^E_(DENY_PATH|NOT_FOUND)$/)]);
    }
    const { value } = await call(runner, 'look', { list: '.' });
    expect(value).toEqual({ files: ['game', 'game/scene', 'game/scene/door.txt', 'game/scene/start.txt'] });
    expect((await call(runner, 'look', { list: 'game/scene/side' })).error?.code).toBe('E_DENY_PATH');
  });

  test('searches neither a closed folder nor a file that is too large to be read', async () => {
    expect((await call(create({ tools: [look] }), 'look', { seek: 'needle' })).value).toEqual({
      files: expect.arrayContaining(['game/private/a.txt', 'game/scene/door.txt']),
    });
    expect((await call(closed(), 'look', { seek: 'needle' })).value).toEqual({ files: [] });
    await writeFile(join(game.root, 'game/scene/long.txt'), 'a long text');
    expect((await call(closed(), 'look', { seek: 'long' })).value).toEqual({ files: ['game/scene/long.txt'] });
    expect((await call(closed(5), 'look', { seek: 'long' })).value).toEqual({ files: [] });
  });

  test('writes nothing there, also not through a link', async () => {
    for (const path of ['game/private/b.txt', 'game/private/new/b.txt', 'game/scene/side/b.txt']) {
      expect((await call(closed(), 'write', { path, text: 'x' })).error?.code).toBe('E_DENY_PATH');
    }
    expect(written).toEqual([]);
  });

  test('writes no files that other programs execute, also not through a link', async () => {
    await mkdir(join(game.root, '.github/workflows'), { recursive: true });
    await symlink('../../.github', join(game.root, 'game/scene/hub'));
    for (const path of ['.vscode/tasks.json', 'game/.mcp.json', '.GitHub/a.yml', 'game/scene/hub/workflows/ci.yml']) {
      expect([path, (await call(create(), 'write', { path, text: 'x' })).error?.code]).toEqual([path, 'E_DENY_PATH']);
    }
    expect(written).toEqual([]);
    expect((await call(create(), 'write', { path: '.gitignore', text: 'x' })).ok).toBe(true);
  });

  test('applies a smaller read limit', async () => {
    expect((await call(closed(3), 'look', { read: 'game/scene/start.txt' })).value).toEqual({ text: 'a' });
    await writeFile(join(game.root, 'game/scene/start.txt'), 'long');
    expect((await call(closed(3), 'look', { read: 'game/scene/start.txt' })).error?.code).toBe('E_TOO_LARGE');
  });
});

describe('the declared risk is enforced', () => {
  test('a tool without snapshots receives no writer', async () => {
    const careless = { ...write, risk: { ...write.risk, snapshot: false } } as unknown as Tool;
    expect((await call(create({ tools: [careless] }), 'write', { path: 'a.txt', text: 'x' })).error?.code).toBe(
      'E_INTERNAL',
    );
    expect(written).toEqual([]);
  });

  test('a write without a snapshot is reported as not undoable', async () => {
    const runner = create({
      ports: { writer: { write: async () => ({ applied: true, drafted: false }), writeAll: async () => [] } },
    });
    expect((await call(runner, 'write', { path: 'a.txt', text: 'x' })).error?.code).toBe('E_INTERNAL');
    expect(entries[0]?.files).toEqual(['a.txt']);
  });

  test('a full audit line is synced before the reply, a summary later', async () => {
    const durable: Durability[] = [];
    const spy: typeof log = { ...log, append: async (_, isDurable) => void durable.push(isDurable) };
    const runner = create({ audit: createAudit(spy) });
    await call(runner, 'echo', { path: 'a' });
    await call(runner, 'write', { path: 'a.txt', text: 'x' });
    await call(runner, 'write', {});
    await call(runner, 'no_such', {});
    expect(durable).toEqual([false, true, true, true]);
  });

  test('no call runs without the settings of the user', async () => {
    const runner = create({ refresh: () => Promise.reject(new AppError('E_IO', 'disk gone')) });
    expect((await call(runner, 'echo', { path: 'a' })).error?.code).toBe('E_IO');
  });
});

describe('a tool with detail', () => {
  let script: string;
  const ran: (string | undefined)[] = [];
  const runs = defineTool({
    ...developer,
    name: 'runs',
    permissions: ['proc.exec'],
    output: z.object({ n: z.int() }),
    approval: { detail: async () => script, command: () => 'build' },
    async handler(_, __, { detail }) {
      ran.push(detail);
      return { n: 1 };
    },
  });

  test('shows the text first, runs exactly it, and asks again after a change', async () => {
    project = { ...project, developerMode: true };
    settings = { tools: { runs: 'allow' } };
    const asked: (string | undefined)[] = [];
    const runner = create({ tools: [runs], confirm: async ({ detail }) => asked.push(detail) > 0 });
    script = 'vite build';
    expect((await call(runner, 'runs', {})).ok).toBe(true);
    expect((await call(runner, 'runs', {})).ok).toBe(true);
    script = 'curl evil';
    expect((await call(runner, 'runs', {})).ok).toBe(true);
    expect(asked).toEqual(['vite build', 'curl evil']);
    expect(ran).toEqual(['vite build', 'vite build', 'curl evil']);
  });

  test('is not evaluated when the call is refused', async () => {
    script = 'x';
    const { error } = await call(create({ tools: [runs], confirm: async () => true }), 'runs', {});
    expect([error?.code, error?.reason]).toEqual(['E_TOOL_DISABLED', 'tool.developerOnly']);
  });

  test('is refused when the policy changed during the question', async () => {
    project = { ...project, developerMode: true };
    const confirm = async () => {
      settings = { tools: { runs: 'never' } };
      return true;
    };
    expect((await call(create({ tools: [runs], confirm }), 'runs', {})).error?.reason).toBe('tool.off');
  });
});

test('never throws, and every refusal has a known code', async () => {
  const runner = create();
  const inputs = fc.oneof(
    fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
    fc.record({ path: fc.oneof(fc.string(), fc.string({ unit: anyCharacter })) }),
    fc.record({ path: fc.constant('a'), flag: fc.anything(), count: fc.anything(), names: fc.anything() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('echo', 'write', 'liar', 'nope'), inputs, async (name, input) => {
      now += 1000;
      const outcome = await call(runner, name, input);
      runner.describe(name, input);
      if (outcome.ok) expect(name).not.toBe('nope');
      else expect(outcome.error?.code).toMatch(/^E_(BAD_ARGS|DENY_PATH|UNSUPPORTED|INTERNAL)$/);
    }),
    { numRuns: 300 },
  );
  expect(() => JSON.stringify(entries)).not.toThrow();
});
