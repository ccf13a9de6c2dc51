import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AppError, toErrorData } from '../../../../shared/errors.ts';
import type { RiskLevel } from '../../../../shared/model/capability/risk-matrix.ts';
import type { Role } from '../../../../shared/model/capability/role.ts';
import { toSameText } from '../../../../shared/model/local-text.ts';
import { createApprovalFile } from '../../../node/app-data/approval-file.ts';
import { createJournalSignature } from '../../../node/journal/journal-signature.ts';
import type { ApprovalStore } from '../../ports/stores/approval-store.ts';
import type { ToolOutcome, ToolRunner } from '../../services.ts';
import type { AuditNote } from '../audit/audit.ts';
import { createDeclaration } from '../external/declaration.ts';
import type { Postponed } from '../runner/runner-options.ts';
import { type Approvals, createApprovals } from './approvals.ts';
import { createWaitingCalls, type WaitingCalls } from './waiting-calls.ts';

/** Several windows over one real file; the runner is replaced, so that a test sees each run. */

let folder: string;
let now: number;
let runs: string[];
let notes: AuditNote[];
let tools: string[];
let role: Role | null;
const stores: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'approvals-'));
  [now, runs, notes, tools, role] = [1_800_000_000_000, [], [], ['ext_art_draw'], null];
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await rm(folder, { recursive: true, force: true });
});

const DONE: ToolOutcome = { ok: true, value: { drawn: 1 }, milliseconds: 1 } as ToolOutcome;

function openWindow(run: ToolRunner['run'] = async () => DONE, game = 'game', maxBytes?: number): Approvals {
  const store = createApprovalFile(folder, game, createJournalSignature(folder), maxBytes ? { maxBytes } : {});
  stores.push(store);
  return createApprovals({
    ...{ store, clock: { now: () => now }, onChange: () => undefined },
    audit: { note: async (note) => void notes.push(note) },
    onFault: ({ error }) => {
      throw error;
    },
    isThere: (tool) => tools.includes(tool),
    roleNow: async (from) => (from === 'api' ? role : null),
    run: async (call) => {
      runs.push(call.id);
      return run(call);
    },
  });
}

function openWay(store: ApprovalStore, from: 'api' | 'mcp'): WaitingCalls {
  return createWaitingCalls({
    ...{ store, from, clock: { now: () => now }, toOutcome: (id) => id, onChange: () => undefined },
  });
}

function toCall(input: object = {}, more: { caller?: string; level?: RiskLevel; detail?: string } = {}): Postponed {
  const { caller = 'my tool', level = 'medium', detail = 'draw a cat' } = more;
  const questions = level === 'critical' ? 2 : 1;
  const risk = { level, reason: 'x', rollback: false, snapshot: false, approval: 'always', audit: 'detailed' } as const;
  const title = toSameText('Draw');
  return {
    call: { caller: { type: 'client', id: 'api', name: caller, role: 'editor' }, trace: 't' },
    tool: { ...{ capability: 'ext.art.draw', version: '1.0.0', name: 'ext_art_draw', title, risk } },
    input,
    question: {
      ...{ tool: 'ext_art_draw', title, summary: title, detail, signal: new AbortController().signal },
      scope: { tool: 'ext_art_draw', paths: [], why: 'risk', canAlways: false, questions },
    },
  };
}

async function postpone(window: Approvals, call = toCall()): Promise<string> {
  const error = await window.postpone(call);
  expect(error).toMatchObject({ code: 'E_POLICY_VIOLATION', reason: 'tool.pending' });
  return String(error.details?.approvalId);
}

test('a call waits, survives a restart, runs after a yes, and keeps its result for its caller', async () => {
  const id = await postpone(openWindow(), toCall({ text: 'cat' }));
  const window = openWindow(async ({ name, input, version, caller, confirm }) => {
    expect([name, input, version, caller?.name]).toEqual(['ext_art_draw', { text: 'cat' }, '1.0.0', 'my tool']);
    const question = toCall().question;
    expect(await confirm?.(question)).toBe(true);
    // Consent covers exactly what was shown.
    const other = confirm?.({ ...question, detail: 'draw a dog' });
    await expect(other).rejects.toMatchObject({ code: 'E_CONFLICT', reason: 'approval.changed' });
    return DONE;
  });
  expect(await window.list()).toMatchObject([{ id, state: 'waiting', detail: 'draw a cat' }]);
  expect(await window.answer(id, 'approve')).toMatchObject({ state: 'done' });
  expect(await window.find(id)).toMatchObject({ result: { drawn: 1 } });
  expect(runs).toEqual([id]);
  expect(notes).toMatchObject([{ kind: 'approve', capability: 'ext.art.draw', args: { approval: id, caller: 'api' } }]);
});

test('what was approved waits for its program, also across a restart, and then runs once', async () => {
  tools = [];
  const first = openWindow();
  const id = await postpone(first);
  expect(await first.answer(id, 'approve')).toMatchObject({ state: 'approved' });
  await first.toolsCame();
  const second = openWindow();
  await second.resume();
  expect([runs, (await second.find(id)).state]).toEqual([[], 'approved']);
  tools = ['ext_art_draw'];
  await Promise.all([first.toolsCame(), second.toolsCame()]);
  await second.toolsCame();
  expect([runs, (await second.find(id)).state]).toEqual([[id], 'done']);
});

test.each(['tool.unknown', 'tool.gone', 'provider.away'])(
  'a call whose program leaves before it is sent (%s) stays approved, and runs when the program is back',
  async (reason) => {
    const unknown = toErrorData(new AppError('E_UNSUPPORTED', 'There is no such tool.', { reason }));
    const outcomes: ToolOutcome[] = [{ ok: false, error: unknown, milliseconds: 1 }];
    const window = openWindow(async () => {
      const outcome = outcomes.shift() ?? DONE;
      if (!outcome.ok) tools = [];
      return outcome;
    });
    const id = await postpone(window);
    expect(await window.answer(id, 'approve')).toMatchObject({ state: 'approved' });
    await window.toolsCame();
    expect(runs).toEqual([id]);
    tools = ['ext_art_draw'];
    await window.toolsCame();
    expect([runs, (await window.find(id)).state]).toEqual([[id, id], 'done']);
  },
);

test('a program that is back in the same moment runs the call at once, and one that comes and goes is left in peace', async () => {
  const error = toErrorData(new AppError('E_UNSUPPORTED', 'There is no such tool.', { reason: 'tool.unknown' }));
  const window = openWindow(async () => (runs.length === 2 ? DONE : { ok: false, error, milliseconds: 1 }));
  const id = await postpone(window);
  expect(await window.answer(id, 'approve')).toMatchObject({ state: 'done' });
  const other = await postpone(window, toCall({ text: 'other' }));
  expect(await window.answer(other, 'approve')).toMatchObject({ state: 'approved' });
  expect(runs).toEqual([id, id, other, other, other]);
});

test('a call that is approved while another one hangs runs as soon as its program is there', async () => {
  const hung = Promise.withResolvers<ToolOutcome>();
  let hanging = '';
  const window = openWindow((call) => (call.id === hanging ? hung.promise : Promise.resolve(DONE)));
  const [first, second] = [await postpone(window), await postpone(window, toCall({ text: 'second' }))];
  hanging = first;
  tools = [];
  await window.answer(first, 'approve');
  tools = ['ext_art_draw'];
  const firstCame = window.toolsCame();
  await expect.poll(() => runs).toEqual([first]);
  tools = [];
  await window.answer(second, 'approve');
  tools = ['ext_art_draw'];
  await window.toolsCame();
  expect([runs, (await window.find(second)).state]).toEqual([[first, second], 'done']);
  hung.resolve(DONE);
  await firstCame;
  expect((await window.find(first)).state).toBe('done');
});

test('a call that was approved in a window without its program runs in one that has it', async () => {
  const id = await postpone(openWindow());
  tools = [];
  const without = openWindow();
  await without.answer(id, 'approve');
  expect(runs).toEqual([]);
  tools = ['ext_art_draw'];
  const other = openWindow();
  await Promise.all([other.storeChanged(), other.storeChanged()]);
  expect([runs, (await other.find(id)).state]).toEqual([[id], 'done']);
  await without.toolsCame();
  expect(runs).toEqual([id]);
});

test('a declaration takes the place of a version, and the call is not counted again', async () => {
  const calls: Parameters<ToolRunner['run']>[0][] = [];
  const window = openWindow(async (call) => {
    calls.push(call);
    return DONE;
  });
  const call = toCall();
  const declaration = await createDeclaration(
    { id: 'art', kind: 'gateway', origin: 'x' },
    { name: 'draw', type: 'action', parameters: {} },
  )();
  await window.answer(await postpone(window, call), 'approve');
  const declared = { ...call, input: { n: 2 }, question: { ...call.question, declaration } };
  await window.answer(await postpone(window, declared), 'approve');
  expect(calls.map(({ version, isCounted }) => [version, isCounted])).toEqual([
    ['1.0.0', true],
    [undefined, true],
  ]);
});

test.each([
  [null, 'editor'],
  ['owner', 'editor'],
  ['editor', 'editor'],
  ['viewer', 'viewer'],
] as const)('an editor whose role is %s by then runs as %s', async (given, expected) => {
  const roles: (Role | undefined)[] = [];
  const window = openWindow(async ({ caller }) => {
    roles.push(caller?.role);
    return DONE;
  });
  const id = await postpone(window);
  role = given;
  await window.answer(id, 'approve');
  expect(roles).toEqual([expected]);
});

test('a no is final, and nothing runs', async () => {
  const window = openWindow();
  const id = await postpone(window);
  expect(await window.answer(id, 'reject')).toMatchObject({ state: 'rejected', error: { reason: 'tool.declined' } });
  await expect(window.answer(id, 'approve')).rejects.toMatchObject({ code: 'E_CONFLICT', reason: 'approval.answered' });
  expect([runs, notes.map(({ kind }) => kind)]).toEqual([[], ['reject']]);
});

test('of two windows that answer at once, one answer counts and the call runs once', async () => {
  for (let round = 0; round < 10; round += 1) {
    const windows = [openWindow(), openWindow()] as const;
    const id = await postpone(windows[0], toCall({ round }));
    const answers = await Promise.allSettled(windows.map((window) => window.answer(id, 'approve')));
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await Promise.all(windows.map((window) => window.resume()));
    expect(runs.filter((run) => run === id)).toEqual([id]);
  }
});

test('two answers to one of two questions are not both questions answered', async () => {
  const id = await postpone(openWindow(), toCall({}, { level: 'critical' }));
  const windows = [openWindow(), openWindow()];
  const answers = await Promise.allSettled(windows.map((window) => window.answer(id, 'approve', 0)));
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect([runs, (await openWindow().find(id)).agreed]).toEqual([[], 1]);
  expect(await openWindow().answer(id, 'approve', 1)).toMatchObject({ state: 'done' });
});

test('a critical call needs two answers, also across a restart', async () => {
  const id = await postpone(openWindow(), toCall({}, { level: 'critical' }));
  expect(await openWindow().answer(id, 'approve')).toMatchObject({ state: 'waiting', agreed: 1 });
  expect(runs).toEqual([]);
  expect(await openWindow().answer(id, 'approve')).toMatchObject({ state: 'done', agreed: 2 });
});

test('a call that waited too long cannot be answered', async () => {
  const window = openWindow();
  const id = await postpone(window);
  now += 72 * 3_600_000;
  await expect(window.answer(id, 'approve')).rejects.toMatchObject({ reason: 'approval.expired' });
  expect(await window.list()).toMatchObject([{ state: 'expired' }]);
  await window.resume();
  expect(runs).toEqual([]);
});

describe('what waits is bounded', () => {
  test('for a caller and for all, and the same call waits once', async () => {
    const window = openWindow();
    const first = await postpone(window, toCall({ n: 0 }));
    expect(await postpone(window, toCall({ n: 0 }))).toBe(first);
    for (let n = 1; n < 20; n += 1) await postpone(window, toCall({ n }));
    await expect(window.postpone(toCall({ n: 20 }))).rejects.toMatchObject({
      reason: 'approval.callerFull',
      message: expect.stringContaining('20 calls of this program wait'),
    });
    await postpone(window, toCall({}, { caller: 'another' }));
    await expect(window.postpone(toCall({}, { detail: 'x'.repeat(300_000) }))).rejects.toMatchObject({
      code: 'E_TOO_LARGE',
    });
    expect(await window.list()).toHaveLength(21);
  });

  test('and what ended is kept for a while', async () => {
    const window = openWindow();
    for (let n = 0; n < 105; n += 1) await window.answer(await postpone(window, toCall({ n })), 'reject');
    await postpone(window, toCall({ n: 105 }));
    expect((await window.list()).map(({ state }) => state)).toHaveLength(101);
  });
});

describe('what is stored is bounded in bytes', () => {
  const large = '字'.repeat(30_000);

  test('results give way to new calls, then the calls that ended, the oldest first, and what waits never does', async () => {
    const window = openWindow(async () => ({ ok: true, value: { text: large }, milliseconds: 1 }), 'game', 400_000);
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      ids.push(await postpone(window, toCall({ n })));
      await window.answer(ids[n] ?? '', 'approve');
    }
    const hasResult = async (id: string) => (await window.find(id)).result !== undefined;
    expect(await Promise.all(ids.map(hasResult))).toEqual([true, true, true]);
    // The second large one takes the place of the oldest result.
    const from = (n: number) => ({ caller: `program ${n}` });
    const waiting = [await postpone(window, toCall({ n: 3, large }, from(3)))];
    waiting.push(await postpone(window, toCall({ n: 4, large }, from(4))));
    expect(await Promise.all(ids.map(hasResult))).toEqual([false, true, true]);
    const other = createApprovalFile(folder, 'game', createJournalSignature(folder), { maxBytes: 400_000 });
    stores.push(other);
    const mcp = openWay(other, 'mcp');
    for (let n = 5; n < 7; n += 1) {
      waiting.push(String((await mcp.postpone(toCall({ n, large }, from(n)))).details?.approvalId));
    }
    await expect(window.postpone(toCall({ n: 7, large }, from(7)))).rejects.toMatchObject({ reason: 'approval.full' });
    const states = (await window.list()).filter(({ state }) => state === 'waiting').map(({ id }) => id);
    expect(states).toEqual(waiting);
    // The result finds no room beside what waits; its outcome is kept all the same.
    expect(await window.answer(waiting[0] ?? '', 'approve')).toMatchObject({ state: 'done' });
    expect(await hasResult(waiting[0] ?? '')).toBe(false);
    await postpone(window, toCall({ n: 7, large }, from(7)));
    await expect(window.find(waiting[0] ?? '')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  test('and more than could be read again is not written', async () => {
    const store = createApprovalFile(folder, 'game', createJournalSignature(folder));
    stores.push(store);
    await store.change(() => ({ next: ['kept'], result: null }));
    const change = store.change(() => ({ next: ['x'.repeat(70 * 1024 * 1024)], result: null }));
    await expect(change).rejects.toMatchObject({ code: 'E_TOO_LARGE', reason: 'approval.full' });
    expect(await store.read()).toEqual(['kept']);
  });

  test('and a long error is stored without its details', async () => {
    const error = {
      code: 'E_IO',
      message: large,
      recoverable: true,
      reason: 'provider.gone',
      details: { large },
    } as const;
    const window = openWindow(async () => ({ ok: false, error, milliseconds: 1 }));
    const stored = await window.answer(await postpone(window), 'approve');
    expect(stored).toMatchObject({ state: 'failed', error: { reason: 'provider.gone' } });
    expect(JSON.stringify(stored.error).length).toBeLessThan(10_000);
  });
});

test('a caller over one way sees nothing of one of the same name over the other, and takes none of its room', async () => {
  const store = createApprovalFile(folder, 'game', createJournalSignature(folder));
  stores.push(store);
  const only = { id: 'api' };
  const [api, mcp] = (['api', 'mcp'] as const).map((from) =>
    createWaitingCalls({
      store,
      clock: { now: () => now },
      from,
      only,
      toOutcome: (id) => id,
      onChange: () => undefined,
    }),
  ) as [WaitingCalls, WaitingCalls];
  const call = toCall();
  // Neither names itself: a call over the API, and one of an MCP client that is called "api".
  const unnamed = { ...call, call: { ...call.call, caller: { type: 'client', id: 'api', role: 'editor' } } } as const;
  const postponeFrom = async (way: WaitingCalls, n = 0) =>
    String((await way.postpone({ ...unnamed, input: { n } })).details?.approvalId);
  const ids = [await postponeFrom(api), await postponeFrom(mcp)] as const;
  expect((await api.list()).map(({ id }) => id)).toEqual([ids[0]]);
  expect((await mcp.list()).map(({ id }) => id)).toEqual([ids[1]]);
  await expect(mcp.find(ids[0])).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  for (let n = 1; n < 20; n += 1) await postponeFrom(api, n);
  await expect(postponeFrom(api, 20)).rejects.toMatchObject({ reason: 'approval.callerFull' });
  await postponeFrom(mcp, 20);
});

test('a program that claims many names leaves room for calls that come the other way', async () => {
  const store = createApprovalFile(folder, 'game', createJournalSignature(folder));
  stores.push(store);
  const [api, mcp] = [openWay(store, 'api'), openWay(store, 'mcp')];
  for (let n = 0; n < 60; n += 1) await api.postpone(toCall({ n }, { caller: `name ${n}` }));
  await expect(api.postpone(toCall({}, { caller: 'yet another' }))).rejects.toMatchObject({ reason: 'approval.full' });
  await mcp.postpone(toCall({}, { caller: 'yet another' }));
  expect((await mcp.list()).map(({ from }) => from).filter((from) => from === 'mcp')).toHaveLength(1);
});

test('large calls of one program leave room for others, and those that come one way for the other', async () => {
  const store = createApprovalFile(folder, 'game', createJournalSignature(folder), { maxBytes: 1_000_000 });
  stores.push(store);
  const [api, mcp] = [openWay(store, 'api'), openWay(store, 'mcp')];
  const large = (n: number, caller: string) => toCall({ n, large: '字'.repeat(30_000) }, { caller });
  for (const caller of ['one', 'two']) {
    for (let n = 0; n < 2; n += 1) await api.postpone(large(n, caller));
    await expect(api.postpone(large(2, caller))).rejects.toMatchObject({
      reason: 'approval.callerFull',
      message: expect.stringContaining('as large as its share'),
    });
    expect(await api.postpone(toCall({}, { caller }))).toMatchObject({ reason: 'tool.pending' });
  }
  await api.postpone(large(0, 'three'));
  await expect(api.postpone(large(0, 'four'))).rejects.toMatchObject({ reason: 'approval.full' });
  await mcp.postpone(large(0, 'one'));
  expect(await mcp.list()).toHaveLength(8);
});

test('a file that another program wrote, or of another game, is not read', async () => {
  await postpone(openWindow());
  const file = join(folder, 'approvals', 'game.json');
  const text = await readFile(file, 'utf8');
  await writeFile(join(folder, 'approvals', 'other.json'), text);
  expect(await openWindow(undefined, 'other').list()).toEqual([]);
  await writeFile(file, text.replace('draw a cat', 'draw a dog'));
  expect(await openWindow().list()).toEqual([]);
});

test('a failed call is reported with its reason and not repeated', async () => {
  const error = { code: 'E_IO', message: 'gone', recoverable: true, reason: 'provider.gone' } as const;
  const window = openWindow(async () => ({ ok: false, error, milliseconds: 1 }));
  const id = await postpone(window);
  expect(await window.answer(id, 'approve')).toMatchObject({ state: 'failed', error: { reason: 'provider.gone' } });
  await openWindow().resume();
  expect(runs).toEqual([id]);
  // Locks are released.
  expect((await readdir(join(folder, 'approvals'))).sort()).toEqual(['game.json']);
});
