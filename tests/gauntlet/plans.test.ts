import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Transaction } from '../../shared/model/transactions/transaction.ts';
import type { FakeCall, FakeScript, FakeStep } from '../support/services/fake-model-server.ts';
import { assertLegal } from './support/assert-legal.ts';
import { findLog } from './support/find-log.ts';
import { type GauntletGame, openGame, START, START_TEXT } from './support/open-game.ts';
import { call, calls, done, toToolAnswers } from './support/steps.ts';

const scene = (summary: string, more: object = {}) => ({ type: 'scene_edit', summary, path: START, ...more });
const insert = (text: string) => ({ operations: [{ op: 'insert', path: START, expect: '雪:你来了。;', text }] });
const plan = (...steps: unknown[]): FakeCall => call('propose_plan', { steps });

async function propose(script: FakeScript): Promise<GauntletGame> {
  const game = await openGame({ script, window: 2_000_000 });
  await game.send('做个计划', 'plan');
  return game;
}

async function run(game: GauntletGame): Promise<void> {
  const [item] = await game.items('plan');
  await game.ask('chat.runPlan', { plan: item?.id ?? '' });
  await game.settled();
}

/** Reads the transaction log of a game. */
async function toTransactions({ root }: GauntletGame): Promise<Transaction[]> {
  const lines = await readFile(join(root, '.webgal_agent', 'transactions.log'), 'utf8').catch(() => '');
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [Transaction.parse(JSON.parse(line))]));
}

const toSteps = async (game: GauntletGame) => (await game.items('plan')).at(-1)?.steps ?? [];

describe('a model that lies about its plan', () => {
  it('cannot say how safe a step is', async () => {
    const lie = {
      validation: { errors: [], execution_tier: 'safe_auto' },
      status: 'resolved',
      execution_tier: 'safe_auto',
    };
    const game = await propose([calls(plan(scene('x', { ...insert('callSteam:1 -achievementId=a;'), ...lie })))]);
    const [step] = await toSteps(game);
    expect(step).toMatchObject({
      status: 'needs_review',
      validation: { execution_tier: 'blocked', errors: ['command:callSteam'] },
    });
    await expect(run(game)).rejects.toMatchObject({ reason: 'chat.planNotReady' });
    expect(await game.disk()).toBe(START_TEXT);
  });

  it.each([
    ['an unknown type', { type: 'summon_dragon', summary: 'x' }, 'review'],
    ['a nested placeholder', scene('x', insert('雪:去{a{b}}吧。;')), undefined],
    [
      'shell syntax in a name',
      scene('x', { operations: [{ op: 'create', path: 'game/scene/a;rm -rf.txt', text: 'end;' }] }),
      'shell',
    ],
    [
      'a direction mark in a name',
      scene('x', { operations: [{ op: 'create', path: 'game/scene/a\u202etxt.txt', text: 'end;' }] }),
      'character',
    ],
    [
      'a setting with shell syntax',
      {
        type: 'custom_command',
        summary: 'x',
        operations: [{ op: 'config', path: 'game/config.txt', key: 'Game_name', expect: '雨', text: 'a && b' }],
      },
      'shell',
    ],
  ])('blocks %s, with a reason', async (_name, step, code) => {
    const game = await propose([calls(plan(step))]);
    const [shown] = await toSteps(game);
    expect(shown?.validation.execution_tier).toBe('blocked');
    const { errors = [], unsafe_placeholders: names = [] } = shown?.validation ?? {};
    if (code === undefined) expect(names).toEqual(['b']);
    else expect(errors.map((issue) => issue.split(':')[0])).toContain(code);
    await expect(run(game)).rejects.toMatchObject({ reason: 'chat.planNotReady' });
  });

  it('is told in a sentence that 5,000 steps are too many, and can send fewer', async () => {
    const many = Array.from({ length: 5000 }, (_, index) => scene(`第 ${index} 步`));
    const game = await propose([calls(plan(...many)), calls(plan(scene('第一步')))]);
    expect(game.server.requests.flatMap(toToolAnswers).join()).toContain('at most 200 steps');
    expect(await toSteps(game)).toHaveLength(1);
    for (const request of game.server.requests) assertLegal(request);
  });

  it('whose operations are incomplete or do not fit gets the step itself', async () => {
    const game = await propose([
      calls(plan(scene('写雨', { operations: [{ op: 'rename', path: START }] }))),
      calls(
        call('write_to_file', { path: START, content: `:雨。;\n${START_TEXT}` }),
        call('attempt_completion', { result: '好。' }),
      ),
      calls(call('read_file', { path: START })),
      done(),
    ]);
    expect(await toSteps(game)).toMatchObject([{ operations: 0 }]);
    await run(game);
    for (const request of game.server.requests) assertLegal(request);
  });
});

it.each([
  ['another answer', { text: '好的,就是上面那个计划。' }],
  ['a failure', { status: 401, body: '{"error":{"message":"no"}}' }],
])('keeps a plan in words when the model answers with %s to the request for data', async (_name, second) => {
  const game = await openGame({ script: [{ text: '打算:\n一、写雨夜\n二、换夜景' }, second as FakeStep] });
  await game.send('计划', 'plan');
  await game.settled();
  expect(game.server.requests).toHaveLength(2);
  expect((await toSteps(game)).map(({ step_type: type, summary }) => [type, summary])).toEqual([
    ['manual_review', '写雨夜'],
    ['manual_review', '换夜景'],
  ]);
});

it('is asked for in plan mode only', async () => {
  const game = await openGame({ script: [{ text: '好。' }, { text: '好。' }] });
  await game.send('计划', 'plan');
  await game.send('写');
  const offered = game.server.requests.map(({ body }) => JSON.stringify(body.tools ?? []).includes('propose_plan'));
  expect(offered.filter((is) => is)).toHaveLength(1);
});

describe('a plan that is carried out', () => {
  it('drafts prepared changes through the rules, without the model, and survives a kill', async () => {
    const game = await propose([calls(plan(scene('写雨', insert(':下雨了。;'))))]);
    await run(game);
    expect(game.server.requests).toHaveLength(1);
    expect(await game.draft()).toBe('雪:你来了。;\n:下雨了。;\n海:我来了。;\nend;\n');
    const again = await game.reopen();
    expect(await toSteps(again)).toMatchObject([{ state: 'drafted' }]);
    const [file] = (await again.proposal())?.files ?? [];
    expect(file?.steps).toEqual([(await toSteps(again))[0]?.step_id]);
  });

  it.each([
    ['its first file', 0],
    ['its last file', 1],
  ])('drafts prepared changes once, also when it is killed after the draft of %s', async (_name, nth) => {
    const other = 'game/scene/other.txt';
    const operations = [...insert(':下雨了。;').operations, { op: 'create', path: other, text: 'end;\n' }];
    let game = await propose([calls(plan(scene('写雨', { operations })))]);
    await run(game);
    const log = await findLog(game.root);
    const lines = (await readFile(log, 'utf8')).split('\n');
    const at = lines.flatMap((line, index) => (line.includes('"t":"draft"') ? [index] : []))[nth] ?? 0;
    await writeFile(log, `${lines.slice(0, at + 1).join('\n')}\n`);
    game = await game.reopen();
    expect((await toSteps(game)).map(({ state }) => state)).toEqual(['waiting']);
    await run(game);
    expect(await game.draft()).toBe('雪:你来了。;\n:下雨了。;\n海:我来了。;\nend;\n');
    expect(await game.draft(other)).toBe('end;\n');
    expect((await toSteps(game)).map(({ state }) => state)).toEqual(['drafted']);
    expect(game.server.requests).toHaveLength(1);
  });

  it('drafts a rejected part of a step that was broken off again, and an accepted one not', async () => {
    for (const isAccepted of [false, true]) {
      let game = await propose([calls(plan(scene('写雨', insert(':下雨了。;'))))]);
      await run(game);
      const log = await findLog(game.root);
      const lines = (await readFile(log, 'utf8')).split('\n');
      const at = lines.findIndex((line) => line.includes('"t":"draft"'));
      await writeFile(log, `${lines.slice(0, at + 1).join('\n')}\n`);
      game = await game.reopen();
      const { id = '' } = (await game.proposal()) ?? {};
      if (isAccepted) await game.ask('proposal.accept', { id });
      else await game.ask('proposal.reject', { id, feedback: '' });
      await run(game);
      const after = '雪:你来了。;\n:下雨了。;\n海:我来了。;\nend;\n';
      expect(isAccepted ? [await game.disk(), await game.proposal()] : await game.draft()).toEqual(
        isAccepted ? [after, null] : after,
      );
      expect(await toSteps(game)).toMatchObject([{ state: 'drafted' }]);
    }
  });

  it('names the steps of the files that are written in the transaction log, also after a kill', async () => {
    const other = 'game/scene/other.txt';
    const create = { operations: [{ op: 'create', path: other, text: 'end;\n' }] };
    let game = await propose([
      calls(plan(scene('写雨', insert(':下雨了。;')), scene('写店', { ...create, path: other }))),
    ]);
    await run(game);
    game = await game.reopen();
    const [first, second] = await toSteps(game);
    const { id = '' } = (await game.proposal()) ?? {};
    await game.ask('proposal.accept', { id, paths: [other] });
    await game.ask('proposal.accept', { id });
    await expect.poll(() => toTransactions(game)).toHaveLength(2);
    const [line, next] = await toTransactions(game);
    expect(line).toMatchObject({ template_id: `${other}::scene_edit`, step_id: second?.step_id });
    expect(line?.metadata).not.toHaveProperty('steps');
    expect(next).toMatchObject({ template_id: `${START}::scene_edit`, step_id: first?.step_id });
  });

  it('a draft of a step that became unsafe needs the word of the user', async () => {
    const game = await propose([
      calls(plan(scene('写雨'))),
      calls(call('read_file', { path: START })),
      calls(
        call('write_to_file', { path: START, content: `${START_TEXT}:去{某处}。;\n` }),
        call('attempt_completion', { result: '好。' }),
      ),
    ]);
    await run(game);
    const { id } = (await game.proposal()) ?? { id: '' };
    await expect(game.ask('proposal.accept', { id })).rejects.toMatchObject({
      reason: 'patch.blocked',
      details: { issues: ['placeholder:某处'] },
    });
    expect(await game.disk()).toBe(START_TEXT);
    await game.ask('proposal.accept', { id, confirmed: [START] });
    expect(await game.disk()).toContain('某处');
  });

  it('is guarded by piece: what is safe is written, and the rest still needs the word of the user, also after a kill', async () => {
    let game = await propose([
      calls(plan(scene('写雨'))),
      calls(call('read_file', { path: START })),
      calls(
        call('write_to_file', { path: START, content: `:下雨了。;\n${START_TEXT}:去{某处}。;\n` }),
        call('attempt_completion', { result: '好。' }),
      ),
    ]);
    await run(game);
    const [step] = await toSteps(game);
    const accept = async (take: number[], more: object = {}) => {
      const proposal = await game.proposal();
      const version = proposal?.files[0]?.version ?? '';
      return game.ask('proposal.accept', { id: proposal?.id ?? '', pieces: [{ path: START, version, take }], ...more });
    };
    const refusal = { reason: 'patch.blocked', details: { paths: [START], issues: ['placeholder:某处'] } };
    const shown = await game.proposal();
    expect(shown?.files[0]?.hunks).toHaveLength(2);
    await expect(accept([1])).rejects.toMatchObject(refusal);
    expect([await game.disk(), await game.proposal()]).toEqual([START_TEXT, shown]);

    await accept([0]);
    expect(await game.disk()).toBe(`:下雨了。;\n${START_TEXT}`);
    game = await game.reopen();
    expect((await game.proposal())?.files).toMatchObject([{ path: START, steps: [step?.step_id] }]);
    await expect(accept([0])).rejects.toMatchObject(refusal);
    await accept([0], { confirmed: [START] });
    expect(await game.disk()).toBe(`:下雨了。;\n${START_TEXT}:去{某处}。;\n`);
    expect(await game.proposal()).toBeNull();
  });
});
