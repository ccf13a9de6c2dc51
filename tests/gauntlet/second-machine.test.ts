import { cp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeStep } from '../support/services/fake-model-server.ts';
import { type GauntletGame, openGame, START } from './support/open-game.ts';
import { call, calls, done } from './support/steps.ts';

const RAIN = 'game/scene/rain.txt';
const RAIN_TEXT = ':雨。;\n';
const SECRET = ':来自另一台电脑。;\n';
const AGENT = '.webgal_agent';
const homeOf = ({ root }: GauntletGame) => join(root, '..', 'home');

const step = (text: string) => ({
  ...{ type: 'scene_edit', summary: text, path: START },
  operations: [{ op: 'insert', path: START, expect: '海:我来了。;', text }],
});
const SCRIPT: FakeStep[] = [
  calls(call('write_to_file', { path: RAIN, content: RAIN_TEXT })),
  done(),
  calls(call('propose_plan', { steps: [step(SECRET)] })),
];

/** What the first machine left in the game's folder. */
interface Left {
  plan: string;
  transaction: string;
  snapshots: string[];
  checkpoint: string;
}

/** Plays on a first machine: an accepted change, a kept state, and a plan that waits. Then only its folders are left. */
async function playElsewhere(): Promise<{ game: GauntletGame; left: Left }> {
  const game = await openGame({ script: [...SCRIPT, done(), done()] });
  await game.send('写雨');
  const { id = '' } = (await game.proposal()) ?? {};
  await game.ask('proposal.accept', { id });
  await game.send('做个计划', 'plan');
  const kept = await game.ask('checkpoints.create', { name: 'there' });
  const list = () => game.ask('transactions.list', { filter: {}, skip: 0, limit: 10 });
  await expect.poll(async () => (await list()).total).toBe(1);
  const left = {
    plan: (await game.items('plan'))[0]?.id ?? '',
    transaction: (await list()).entries[0]?.id ?? '',
    snapshots: (await game.ask('history.list', {})).groups.flatMap(({ files }) => files.map((file) => file.snapshotId)),
    checkpoint: kept.checkpoint.id,
  };
  await game.composed.dispose();
  return { game, left };
}

/** Opens the folder on a second machine, which has no key of the first. */
async function openSecond(first: GauntletGame): Promise<GauntletGame> {
  await rename(homeOf(first), `${homeOf(first)}-elsewhere`);
  return first.reopen();
}

async function readTexts(game: GauntletGame): Promise<Record<string, string>> {
  const names = await readdir(join(game.root, 'game'), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')])));
}

describe('the app’s folder of another machine', () => {
  it('is read-only: no plan of it runs, no change of it is kept or undone', async () => {
    const { game: first, left } = await playElsewhere();
    const before = await readTexts(first);
    const game = await openSecond(first);
    const { sessions } = await game.ask('chat.sessions', {});
    expect(sessions.filter(({ isForeign }) => isForeign)).toHaveLength(1);
    await game.ask('chat.open', { session: sessions.find(({ isForeign }) => isForeign)?.id ?? '' });
    expect(await game.chat()).toMatchObject({ isForeign: true, phase: 'idle' });
    await expect(game.ask('chat.runPlan', { plan: left.plan })).rejects.toMatchObject({ reason: 'chat.foreign' });

    const page = await game.ask('transactions.list', { filter: {}, skip: 0, limit: 10 });
    expect(page).toMatchObject({ entries: [], total: 0, setAside: [expect.stringMatching(/\.foreign$/)] });
    const unknown = { code: 'E_NOT_FOUND' };
    await expect(game.ask('transactions.keep', { id: left.transaction })).rejects.toMatchObject(unknown);
    await expect(game.ask('transactions.rollBack', { id: left.transaction })).rejects.toMatchObject(unknown);
    expect(await game.ask('checkpoints.list', {})).toEqual({ checkpoints: [], damaged: 0 });
    await expect(game.ask('checkpoints.restore', { id: left.checkpoint })).rejects.toMatchObject(unknown);
    expect(await game.proposal()).toBeNull();
    expect(await readTexts(game)).toEqual(before);
    expect(left.snapshots).toHaveLength(1);
  });

  it('with the kept states and conversations of that machine’s app shows none of them as its own', async () => {
    const { game: first, left } = await playElsewhere();
    const elsewhere = `${homeOf(first)}-elsewhere`;
    let game = await openSecond(first);
    const own = (await game.ask('checkpoints.create', { name: 'here' })).checkpoint.id;
    await game.composed.dispose();
    for (const folder of ['checkpoints', 'conversations']) {
      const [from = '', to = ''] = [elsewhere, homeOf(first)].map((home) => join(home, folder));
      const [there = ''] = await readdir(from);
      const [here = there] = await readdir(to).catch(() => []);
      await cp(join(from, there), join(to, here), { recursive: true });
    }
    game = await first.reopen();
    const { checkpoints, damaged } = await game.ask('checkpoints.list', {});
    expect([checkpoints.map(({ id }) => id), damaged]).toEqual([[own], 1]);
    await expect(game.ask('checkpoints.restore', { id: left.checkpoint })).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
    });
    const { sessions } = await game.ask('chat.sessions', {});
    const [foreign, ...others] = sessions.filter(({ title }) => title !== '');
    expect(others).toEqual([]);
    await game.ask('chat.open', { session: foreign?.id ?? '' });
    expect(await game.chat()).toMatchObject({ isForeign: true });
  });

  it.skipIf(process.platform === 'win32').each(['transactions.log', 'transactions', 'sessions'])(
    'with a link in place of %s loses nothing, and writes nothing through it',
    async (part) => {
      const { game: first } = await playElsewhere();
      const outside = join(first.root, '..', 'outside');
      const place = join(first.root, AGENT, part);
      await cp(place, outside, { recursive: true });
      await rm(place, { recursive: true });
      await symlink(outside, place);
      const read = async () =>
        part.endsWith('.log')
          ? [await readFile(outside, 'utf8')]
          : Promise.all((await readdir(outside)).sort().map((name) => readFile(join(outside, name), 'utf8')));
      const before = await read();
      const game = await first.reopen().catch((error: { code?: string }) => {
        expect(error.code).toBe('E_DENY_PATH');
        return null;
      });
      await game?.ask('history.list', {});
      await game?.ask('transactions.list', { filter: {}, skip: 0, limit: 10 });
      await game?.composed.dispose();
      expect(await read()).toEqual(before);
      expect(await readFile(join(first.root, RAIN), 'utf8')).toBe(RAIN_TEXT);
    },
  );
});
