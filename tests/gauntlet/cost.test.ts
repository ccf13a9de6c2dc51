import { readdir, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OwnPrice } from '../../shared/model/cost/price.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { FakeStep } from '../support/services/fake-model-server.ts';
import { assertLegal } from './support/assert-legal.ts';
import { type GauntletGame, openGame, START } from './support/open-game.ts';
import { call, calls, done } from './support/steps.ts';

/** A million tokens read cost 10, cached ones 1, written ones 100. */
const PRICE: OwnPrice = { currency: 'CNY', input: 10, cached: 1, output: 100 };
const USED = { input: 10_000, cached: 4000, output: 1000 };
/** 6000 · 10 + 4000 · 1 + 1000 · 100, for a million. */
const COST = 0.164;

const read = (usage: FakeStep['usage'] = USED): FakeStep => ({ ...calls(call('read_file', { path: START })), usage });
const end = (usage: FakeStep['usage'] = USED): FakeStep => ({ ...done('好了。'), usage });

/** Opens a game whose model has a price. */
async function openPriced(
  script: readonly FakeStep[],
  options: { prices?: Record<string, OwnPrice>; settings?: Partial<Settings> } = {},
): Promise<GauntletGame> {
  const game = await openGame({ script });
  await setPrices(game, options.prices ?? { story: PRICE });
  if (options.settings) await game.ask('settings.update', options.settings);
  return game;
}

async function setPrices(game: GauntletGame, prices: Record<string, OwnPrice>, model = 'story'): Promise<void> {
  const choice = { baseUrl: game.server.url, model, prices };
  await game.ask('settings.choose', { provider: 'custom', choice });
}

async function toToday(game: GauntletGame) {
  return (await game.ask('spending.today', {})).total;
}

async function answerCap(game: GauntletGame, goesOn: boolean): Promise<void> {
  const id = (await game.items('cap')).find(({ state }) => state === 'pending')?.id ?? '';
  await game.ask('chat.consent', { id, answer: goesOn ? 'once' : 'no' });
  await expect.poll(async () => (await game.chat()).phase).not.toBe('consent');
}

describe('the cost', () => {
  it('of a turn, a conversation and a day is computed from prices and counted tokens', async () => {
    const game = await openPriced([read(), end(), end()]);
    await game.send('读一下');
    const { turnUsage, sessionUsage } = await game.send('再来');
    expect(turnUsage).toMatchObject({ ...USED, isPartial: false, isUnpriced: false });
    expect(turnUsage.money).toEqual([{ currency: 'CNY', amount: expect.closeTo(COST, 6) }]);
    expect(sessionUsage.money).toEqual([{ currency: 'CNY', amount: expect.closeTo(3 * COST, 6) }]);
    expect(await toToday(game)).toEqual(sessionUsage);
  });

  it('does not change with a restart or with a later price', async () => {
    const game = await openPriced([read(), end()]);
    const { sessionUsage } = await game.send('读一下');
    const again = await game.reopen();
    await setPrices(again, { story: { ...PRICE, input: 999 } });
    expect((await again.chat()).sessionUsage).toEqual(sessionUsage);
    expect(await toToday(again)).toEqual(sessionUsage);
  });

  it('is unknown, and not 0, without a price', async () => {
    const game = await openPriced([end()], { prices: {} });
    const { turnUsage } = await game.send('好');
    expect(turnUsage).toMatchObject({ ...USED, money: [], isPartial: false, isUnpriced: true });
  });

  it('is a minimum where the service does not count', async () => {
    const game = await openPriced([read(), { ...done(), noUsage: true }]);
    const { turnUsage } = await game.send('读一下');
    expect(turnUsage).toMatchObject({ ...USED, isPartial: true, isUnpriced: true });
    expect(turnUsage.money).toEqual([{ currency: 'CNY', amount: expect.closeTo(COST, 6) }]);
    expect(await toToday(game)).toEqual(turnUsage);
  });

  it('is a minimum after a stop in the middle of an answer', async () => {
    const game = await openPriced([read(), { text: ['雨下', '了一夜'], hangAfter: 3 }]);
    await game.ask('chat.send', { text: '写一句', mode: 'act' });
    await expect.poll(() => game.events('chat.streamed').length + game.server.requests.length).toBeGreaterThan(2);
    await expect.poll(async () => JSON.stringify((await game.chat()).items)).toContain('雨下了一夜');
    await game.ask('chat.stop', {});
    const { turnUsage } = await game.settled();
    expect(turnUsage).toMatchObject({ isPartial: true, isUnpriced: true });
    expect(await toToday(game)).toMatchObject({ isPartial: true, isUnpriced: true });
  });

  it('keeps two currencies apart', async () => {
    const game = await openPriced([end(), end()]);
    await game.send('一');
    await setPrices(game, { other: { ...PRICE, currency: 'USD' } }, 'other');
    const { sessionUsage } = await game.send('二');
    expect(sessionUsage.money).toEqual([
      { currency: 'CNY', amount: expect.closeTo(COST, 6) },
      { currency: 'USD', amount: expect.closeTo(COST, 6) },
    ]);
  });

  it('contains the summaries of the second model at its own price', async () => {
    const game = await openPriced([read(), end(), { text: 'NOTES', usage: { input: 1000, output: 100 } }]);
    await game.send('读一下');
    const { sessionUsage: before } = await game.chat();
    const prices = { story: PRICE, quick: { currency: 'USD', input: 1, output: 10 } as const };
    const choice = { baseUrl: game.server.url, model: 'story', fastModel: 'quick', prices };
    await game.ask('settings.choose', { provider: 'custom', choice });
    await game.ask('chat.compact', {});
    const { sessionUsage } = await game.settled();
    expect(game.server.requests.at(-1)?.body.model).toBe('quick');
    expect(sessionUsage.money).toEqual([...before.money, { currency: 'USD', amount: expect.closeTo(0.002, 6) }]);
    expect((await toToday(game)).money).toEqual(sessionUsage.money);
  });
});

describe('a cap', () => {
  it('asks before a request that would exceed it, and continues when the user agrees', async () => {
    const settings = { turnCap: { unit: 'CNY', amount: 0.3 } } as const;
    const game = await openPriced([read(), read(), end()], { settings });
    expect(await game.send('读两次')).toMatchObject({ phase: 'consent' });
    expect(await game.items('cap')).toMatchObject([
      { scope: 'turn', cap: settings.turnCap, spent: expect.closeTo(COST, 6), state: 'pending' },
    ]);
    expect(game.server.requests).toHaveLength(1);
    await answerCap(game, true);
    await game.settled();
    expect(game.server.requests).toHaveLength(3);
    expect(await game.items('cap')).toMatchObject([{ state: 'on', next: expect.closeTo(0.6, 6) }]);
    for (const request of game.server.requests) assertLegal(request);
  });

  it('includes blank answers that the service charged for', async () => {
    const game = await openPriced([{ usage: USED }, end()], {
      settings: { turnCap: { unit: 'CNY', amount: 0.2 } },
    });
    expect(await game.send('说点什么')).toMatchObject({ phase: 'consent' });
    expect(game.server.requests).toHaveLength(1);
    expect((await toToday(game)).money).toEqual([{ currency: 'CNY', amount: expect.closeTo(COST, 6) }]);
  });

  it('ends the turn without a request when the user refuses', async () => {
    const settings = { turnCap: { unit: 'CNY', amount: 0.2 } } as const;
    const game = await openPriced([read(), { text: '好。' }], { settings });
    await game.send('读一下');
    await answerCap(game, false);
    expect(await game.settled()).toMatchObject({ phase: 'idle' });
    expect(await game.items('end')).toMatchObject([{ reason: 'stopped' }]);
    expect(game.server.requests).toHaveLength(1);
    await game.send('谢谢');
    expect(game.server.requests).toHaveLength(2);
    assertLegal(game.server.requests[1] ?? { path: '', headers: {}, body: {} });
  });

  it('withdraws its question when the user stops the turn', async () => {
    const settings = { turnCap: { unit: 'CNY', amount: 0.2 } } as const;
    const game = await openPriced([read()], { settings });
    await game.send('读一下');
    await game.ask('chat.stop', {});
    await game.settled();
    expect(await game.items('cap')).toMatchObject([{ state: 'ended' }]);
    expect(await game.items('end')).toMatchObject([{ reason: 'stopped' }]);
  });

  it('for a day, and the consent to exceed it, apply to later turns, other windows and after a restart', async () => {
    const settings = { dayCap: { unit: 'CNY', amount: 0.25 } } as const;
    const game = await openPriced([end(), end(), end()], { settings });
    await game.send('一');
    expect(await game.items('cap')).toEqual([]);
    const again = await game.reopen();
    expect(await again.send('二')).toMatchObject({ phase: 'consent' });
    expect(await again.items('cap')).toMatchObject([{ scope: 'day', spent: expect.closeTo(COST, 6) }]);
    await answerCap(again, true);
    await again.settled();
    const third = await again.reopen();
    expect(await third.send('三')).toMatchObject({ phase: 'idle' });
    expect(game.server.requests).toHaveLength(3);
  });

  it('in tokens applies without a price', async () => {
    const settings = { turnCap: { unit: 'tokens', amount: 20_000 } } as const;
    const game = await openPriced([read(), end()], { prices: {}, settings });
    await game.send('读一下');
    expect(await game.items('cap')).toMatchObject([{ spent: 11_000, state: 'pending' }]);
  });

  it('that cannot be measured asks once per turn', async () => {
    const settings = { turnCap: { unit: 'USD', amount: 1 }, dayCap: { unit: 'USD', amount: 5 } } as const;
    const game = await openPriced([read(), end()], { settings });
    await game.send('读一下');
    expect(await game.items('cap')).toMatchObject([{ spent: null }]);
    expect(game.server.requests).toHaveLength(0);
    await answerCap(game, true);
    await game.settled();
    expect(await game.items('cap')).toHaveLength(1);
    expect(game.server.requests).toHaveLength(2);
  });

  it('for a day asks when the spending log of the day cannot be read', async () => {
    const settings = { dayCap: { unit: 'CNY', amount: 5 } } as const;
    const game = await openPriced([end(), end()], { settings });
    await game.send('一');
    const folder = join(dirname(game.root), 'home', 'spending');
    const [day = ''] = await readdir(folder);
    await truncate(join(folder, day), 300 * 1024 * 1024);
    expect(await game.send('二')).toMatchObject({ phase: 'consent' });
    expect(await game.items('cap')).toMatchObject([{ scope: 'day', spent: null }]);
    expect(await toToday(game)).toMatchObject({ isPartial: true, isUnpriced: true });
  });

  it('that waits for an answer when the app is killed leaves a valid conversation', async () => {
    const settings = { turnCap: { unit: 'CNY', amount: 0.2 } } as const;
    const game = await openPriced([read(), { text: '好。' }], { settings });
    await game.send('读一下');
    const again = await game.reopen();
    expect(await again.items('cap')).toMatchObject([{ state: 'ended' }]);
    expect((await again.chat()).phase).toBe('idle');
    await again.send('谢谢');
    assertLegal(game.server.requests[1] ?? { path: '', headers: {}, body: {} });
  });
});
