import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AuditEntry } from '../../../../shared/model/audit.ts';
import type { Role } from '../../../../shared/model/capability/role.ts';
import type { Locale } from '../../../../shared/model/local-text.ts';
import { createAudit } from '../audit/audit.ts';
import { createCapabilitySet } from '../catalog/capability-set.ts';
import type { Tool } from '../define-tool.ts';
import { createDeclaration } from '../external/declaration.ts';
import type { Confirm } from './confirm.ts';
import { createToolRunner } from './run-tool.ts';

const DICE = { id: 'dice', name: 'Dice' };
const LOW = { level: 'low', reason: 'x', rollback: false, snapshot: false, approval: 'never', audit: 'basic' } as const;
const CRITICAL = { ...LOW, level: 'critical', approval: 'always', audit: 'full' } as const;

function roll(more: Partial<Tool> = {}): Tool {
  return {
    ...{ capability: 'ext.dice.roll', name: 'ext_dice_roll', version: '1.0.0', type: 'action', description: 'Rolls.' },
    ...{ title: { en: 'Roll', 'zh-CN': '掷' }, about: { en: 'A.', 'zh-CN': '说。' }, sideEffects: 'Rolls.' },
    ...{ input: z.strictObject({}), output: z.object({ n: z.int() }), permissions: [], needs: [], examples: [] },
    ...{ risk: LOW, rateLimit: 100, timeout: 1000, inPlan: true },
    ...{ summarize: () => ({ en: 'Roll', 'zh-CN': '掷' }), paths: () => [], handler: async () => ({ n: 4 }) },
    ...more,
  };
}

function setUp(confirm?: Confirm, first: readonly Tool[] = []) {
  const set = createCapabilitySet([]);
  if (first.length > 0) set.register(DICE, first);
  const state = { role: 'owner' as Role, now: Date.parse('2026-01-01T00:00:00Z') };
  const entries: AuditEntry[] = [];
  const runner = createToolRunner({
    ...{ tools: set, ports: {}, locale: (): Locale => 'en', clock: { now: () => state.now, id: () => 'id' } },
    audit: createAudit({
      append: async (entry) => void entries.push(entry as AuditEntry),
      ready: async () => ({ setAside: null }),
    }),
    caller: () => ({ type: 'model', id: 'assistant', role: state.role }),
    policy: () => ({
      project: { writes: 'drafted', developerMode: false, closedFolders: [] },
      settings: { tools: {} },
    }),
    ...(confirm && { confirm }),
  });
  const call = (more: Partial<Parameters<typeof runner.run>[0]> = {}) =>
    runner.run({
      ...{ id: 'c', name: 'ext_dice_roll', input: {}, mode: 'act', trace: 't', signal: AbortSignal.timeout(5000) },
      ...more,
    });
  const listed = () => runner.list('act').map(({ name }) => name);
  return { set, state, runner, call, listed, entries };
}

test('what is offered stays as it was until it is renewed, and calls follow what exists', async () => {
  const { set, runner, call, listed } = setUp();
  set.register(DICE, [roll()]);
  expect(listed()).toEqual([]);
  expect((await call()).value).toEqual({ n: 4 });
  expect(runner.renew?.()).toEqual({ added: ['ext_dice_roll'], removed: [], leftOut: [] });
  expect(listed()).toEqual(['ext_dice_roll']);
  set.unregister('dice');
  expect(listed()).toEqual(['ext_dice_roll']);
  expect((await call()).error).toMatchObject({ code: 'E_TOOL_DISABLED', reason: 'tool.gone' });
  expect(runner.renew?.()).toEqual({ added: [], removed: ['ext_dice_roll'], leftOut: [] });
  expect((await call()).error).toMatchObject({ code: 'E_UNSUPPORTED', reason: 'tool.unknown' });
});

test('a call for a version that was replaced meanwhile is refused by name', async () => {
  const { set, runner, call } = setUp();
  set.register(DICE, [roll()]);
  runner.renew?.();
  runner.list('act');
  set.register(DICE, [roll({ version: '2.0.0' })]);
  expect((await call()).error).toMatchObject({ code: 'E_UNSUPPORTED', reason: 'tool.otherVersion' });
  expect((await call({ version: '^2.0.0' })).ok).toBe(true);
  expect((await call({ version: 'newest' })).error?.code).toBe('E_BAD_ARGS');
  runner.renew?.();
  expect((await call()).ok).toBe(true);
});

test('without a list that was read, a call is for the tool as it is now', async () => {
  const { set, call } = setUp(undefined, [roll()]);
  set.register(DICE, [roll({ version: '2.0.0' })]);
  expect((await call()).ok).toBe(true);
});

test('a program that connects anew during the question is asked, not the one that left', async () => {
  const declaration = createDeclaration(
    { ...DICE, kind: 'gateway', origin: 'x' },
    { name: 'roll', type: 'action', parameters: {} },
  );
  const of = (n: number) => roll({ declaration, risk: { ...CRITICAL, level: 'high' }, handler: async () => ({ n }) });
  const { set, call } = setUp(async () => {
    set.register(DICE, [of(2)]);
    return true;
  });
  set.register(DICE, [of(1)]);
  expect((await call()).value).toEqual({ n: 2 });
});

test('a role refuses what it does not include, and hides it', async () => {
  const { set, runner, state, call, listed, entries } = setUp();
  set.register(DICE, [roll()]);
  runner.renew?.();
  state.role = 'writer';
  const { error } = await call();
  expect(error).toMatchObject({ code: 'E_POLICY_VIOLATION', reason: 'tool.role' });
  expect(error?.message).toContain('needs the role editor');
  expect(entries[0]?.decision).toMatchObject({ effect: 'DENY', by: 'settings', why: 'tool.role' });
  expect(listed()).toEqual([]);
  expect((await call({ caller: { type: 'client', id: 'x', role: 'editor' } })).ok).toBe(true);
  state.role = 'king' as Role;
  expect((await call()).error?.reason).toBe('tool.role');
});

test('counts calls for each caller, in the window of the tool', async () => {
  const { set, state, call } = setUp();
  set.register(DICE, [roll({ rateLimit: { requests: 1, period: 'second' } })]);
  const of = (id: string) => call({ caller: { type: 'client', id, role: 'owner' } });
  expect([(await of('a')).ok, (await of('b')).ok]).toEqual([true, true]);
  expect((await of('a')).error).toMatchObject({ reason: 'tool.tooOften', details: { retryAfterMs: 1000 } });
  expect((await call({ caller: { type: 'client', id: 'a', role: 'owner' }, isCounted: true })).ok).toBe(true);
  state.now += 1001;
  expect((await of('a')).ok).toBe(true);
});

test('a critical call asks twice, and the first no ends it', async () => {
  const answers = [true, true, true, false, false];
  let asked = 0;
  const { set, call } = setUp(async ({ scope }) => {
    expect([scope.questions, scope.canAlways]).toEqual([2, false]);
    return answers[asked++] ?? false;
  });
  set.register(DICE, [roll({ risk: CRITICAL })]);
  expect([(await call()).ok, asked]).toEqual([true, 2]);
  expect([(await call()).error?.reason, asked]).toEqual(['tool.declined', 4]);
  expect([(await call()).error?.reason, asked]).toEqual(['tool.declined', 5]);
});

test('a deprecated tool is hidden, and refused from its sunset on', async () => {
  const { set, runner, state, call, listed } = setUp();
  const deprecated = { since: '1.0.0', removalVersion: '2.0.0', sunset: '2026-02-01', replacement: 'ext.dice.throw' };
  set.register(DICE, [roll({ deprecated })]);
  runner.renew?.();
  expect([listed(), (await call()).ok]).toEqual([[], true]);
  state.now = Date.parse('2026-02-01T00:00:00Z');
  expect((await call()).error).toMatchObject({ reason: 'tool.sunset', hint: 'Use ext.dice.throw instead.' });
});
