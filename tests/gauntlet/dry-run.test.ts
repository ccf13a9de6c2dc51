import { execFileSync } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Transaction } from '../../shared/model/transactions/transaction.ts';
import { canMakeImmutable } from '../support/attacks/immutable-folder.ts';
import { type GameOptions, type GauntletGame, openGame, START, START_TEXT } from './support/open-game.ts';
import { call, calls } from './support/steps.ts';

const OTHER = 'game/scene/other.txt';
const AFTER = '雪:你来了。;\n:下雨了。;\n海:我来了。;\nend;\n';
const rain = {
  ...{ type: 'scene_edit', summary: '写雨', path: START },
  operations: [{ op: 'insert', path: START, expect: '雪:你来了。;', text: ':下雨了。;' }],
};
/** Builds on the line that the step before inserts. */
const wind = {
  ...{ type: 'scene_edit', summary: '写风', path: START },
  operations: [{ op: 'insert', path: START, expect: ':下雨了。;', text: ':起风了。;' }],
};
const inWords = { type: 'scene_edit', summary: '再写一段', path: OTHER };
const remote = {
  ...{ type: 'scene_edit', summary: '换景', path: START },
  operations: [{ op: 'insert', path: START, expect: '海:我来了。;', text: 'changeBg:https://evil.example/a.png;' }],
};

async function propose(steps: object[], more: Partial<GameOptions> = {}): Promise<GauntletGame> {
  const game = await openGame({ script: [calls(call('propose_plan', { steps }))], ...more });
  await game.send('做个计划', 'plan');
  return game;
}

async function run(game: GauntletGame): Promise<string | null> {
  const item = (await game.items('plan')).at(-1);
  const { turn } = await game.ask('chat.runPlan', { plan: item?.id ?? '' });
  await game.settled();
  return turn;
}

const planOf = async (game: GauntletGame) => (await game.items('plan')).at(-1);

async function toLines({ root }: GauntletGame): Promise<Transaction[]> {
  const text = await readFile(join(root, '.webgal_agent', 'transactions.log'), 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [Transaction.parse(JSON.parse(line))]));
}

describe('a plan that is only checked', () => {
  it('records what fits as validated, in order, and touches nothing', async () => {
    const game = await propose([rain, wind, inWords, remote], { settings: { dryRun: true, autoRun: true } });
    expect(await run(game)).toBeNull();
    const plan = await planOf(game);
    const ids = plan?.steps.map(({ step_id: id }) => id) ?? [];
    expect(plan).toMatchObject({
      state: 'ready',
      check: { cause: 'setting', paths: [], checked: ids.slice(0, 2), isKept: true },
    });
    expect(plan?.steps.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting', 'waiting']);
    const lines = await toLines(game);
    expect(lines.map(({ step_id, status }) => [step_id, status])).toEqual([
      [ids[0], 'validated'],
      [ids[1], 'validated'],
    ]);
    expect(lines[1]?.commands[0]?.before).toBe(lines[0]?.commands[0]?.after);
    expect([await game.disk(), await game.disk(OTHER), await game.proposal()]).toEqual([START_TEXT, null, null]);
    expect(game.server.requests).toHaveLength(1);
    const again = await game.reopen();
    expect((await planOf(again))?.check).toEqual(plan?.check);
  });

  it('can be carried out once the setting is off, and a change of the plan takes the outcome away', async () => {
    const game = await propose([rain], { settings: { dryRun: true } });
    await run(game);
    const plan = await planOf(game);
    const steps = (plan?.steps ?? []).map(({ step_id, step_type, summary, answers, ticked, approved }) => {
      return { step_id, step_type, summary, answers, ticked, approved };
    });
    await game.ask('chat.editPlan', { plan: plan?.id ?? '', steps });
    expect((await planOf(game))?.check).toBeNull();
    await game.ask('settings.update', { dryRun: false });
    expect(await run(game)).not.toBeNull();
    expect([await game.disk(), await game.draft()]).toEqual([START_TEXT, AFTER]);
  });

  it('names the file that is read-only, and is carried out when its step is left out', async () => {
    const game = await propose([rain, { ...inWords, operations: [{ op: 'create', path: OTHER, text: 'end;\n' }] }]);
    await chmod(join(game.root, START), 0o444);
    await run(game);
    const plan = await planOf(game);
    expect(plan?.check).toMatchObject({ cause: 'readOnly', paths: [START] });
    const steps = (plan?.steps ?? []).map(({ step_id, step_type, summary, answers, approved }, at) => {
      return { step_id, step_type, summary, answers, approved, ticked: at > 0 };
    });
    await game.ask('chat.editPlan', { plan: plan?.id ?? '', steps });
    expect(await run(game)).not.toBeNull();
    expect([await game.draft(), await game.draft(OTHER)]).toEqual([undefined, 'end;\n']);
  });

  it('names the folder that is read-only', async () => {
    const game = await propose([rain]);
    const folder = join(game.root, 'game', 'scene');
    await chmod(folder, 0o555);
    try {
      await run(game);
      expect((await planOf(game))?.check).toMatchObject({ cause: 'readOnly', paths: [START] });
      expect(await game.disk()).toBe(START_TEXT);
    } finally {
      await chmod(folder, 0o755);
    }
  });

  it.skipIf(!canMakeImmutable())('says what was checked where not even a log can be written', async () => {
    let game = await propose([rain]);
    await game.composed.dispose();
    const { root } = game;
    const list = () => execFileSync('find', [root], { encoding: 'utf8' }).split('\n').sort();
    execFileSync('chattr', ['-R', '+i', root]);
    try {
      const before = list();
      game = await game.reopen();
      expect(await run(game)).toBeNull();
      const plan = await planOf(game);
      expect(plan?.check).toMatchObject({
        ...{ cause: 'readOnly', paths: ['.webgal_agent', 'game', START], isKept: false },
        checked: [plan?.steps[0]?.step_id],
      });
      expect(list()).toEqual(before);
    } finally {
      execFileSync('chattr', ['-R', '-i', root]);
    }
  });
});
