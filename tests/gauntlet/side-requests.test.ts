import { describe, expect, it } from 'vitest';
import type { Settings } from '../../shared/model/settings.ts';
import type { FakeRequest, FakeStep } from '../support/services/fake-model-server.ts';
import { type GauntletGame, openGame, START } from './support/open-game.ts';
import { call, calls, done, toToolAnswers, toWireText } from './support/steps.ts';

type Kind = 'title' | 'summary' | 'helper' | 'step';

function toKind(request: FakeRequest): Kind {
  const text = toWireText(request);
  if (text.includes('You name conversations')) return 'title';
  if (text.includes('You keep notes for a co-author')) return 'summary';
  return text.includes('You read a visual novel') ? 'helper' : 'step';
}

/** Tokens that are counted for each request of a kind. */
const SMALL = { input: 1000, output: 10 };
/** Breaks off after the answer began. */
const BROKEN: FakeStep = { text: ['雨', '夜'], dieAfter: 2 };

/** A game whose service answers by the kind of the request; steps follow their own script. */
async function play(
  steps: readonly FakeStep[],
  others: Partial<Record<Kind, (index: number, request: FakeRequest) => FakeStep>> = {},
  settings: Partial<Settings> = {},
): Promise<GauntletGame & { of(kind: Kind): FakeRequest[] }> {
  const asked = new Map<Kind, number>();
  const game = await openGame({
    settings,
    script(request) {
      const kind = toKind(request);
      const index = asked.get(kind) ?? 0;
      asked.set(kind, index + 1);
      const step = kind === 'step' ? steps[index] : others[kind]?.(index, request);
      return { usage: SMALL, ...(step ?? done()) };
    },
  });
  await game.ask('settings.choose', {
    provider: 'custom',
    choice: { baseUrl: game.server.url, model: 'story', fastModel: 'quick' },
  });
  return { ...game, of: (kind) => game.server.requests.filter((request) => toKind(request) === kind) };
}

const toToday = async (game: GauntletGame) => (await game.ask('spending.today', {})).total;
const answerCap = async (game: GauntletGame, answer: 'once' | 'no') =>
  game.ask('chat.consent', {
    id: (await game.items('cap')).find(({ state }) => state === 'pending')?.id ?? '',
    answer,
  });
const question = (usage = SMALL): FakeStep => ({ ...calls(call('ask_story', { question: '雪说了什么？' })), usage });
const reading = (index: number): FakeStep => calls(call('read_file', { path: START, offset: index }));
const toHelped = (game: { of(kind: Kind): FakeRequest[] }): string | undefined =>
  toToolAnswers(game.of('step').at(-1) ?? { path: '', headers: {}, body: {} }).at(-1);
/** Time in which a request that must not be made would have been made. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 150));

describe('the usage of an interrupted request is unknown, not 0,', () => {
  it('for a title', async () => {
    const game = await play([done()], { title: () => BROKEN });
    await game.send('写一场争吵');
    await expect.poll(async () => (await game.chat()).sessionUsage.isPartial).toBe(true);
    const { sessionUsage, turnUsage, title } = await game.chat();
    expect(turnUsage).toMatchObject({ input: 1000, isPartial: false });
    expect(sessionUsage).toMatchObject({ input: 1000, isPartial: true, isUnpriced: true });
    expect(await toToday(game)).toEqual(sessionUsage);
    expect(title).toBe('写一场争吵');
    const again = await game.reopen();
    expect((await again.chat()).sessionUsage).toEqual(sessionUsage);
  });

  it('for a summary', async () => {
    const game = await play([done()], { title: () => ({ status: 500 }), summary: () => BROKEN });
    await game.send('写');
    await game.ask('chat.compact', {});
    const { sessionUsage } = await game.settled();
    expect(await game.items('summary')).toHaveLength(1);
    expect(sessionUsage).toMatchObject({ input: 1000, isPartial: true, isUnpriced: true });
    expect(await toToday(game)).toEqual(sessionUsage);
  });

  it('for the reading helper', async () => {
    const game = await play([question()], { title: () => ({ status: 500 }), helper: () => BROKEN });
    const { turnUsage } = await game.send('问');
    expect(await game.items('tool')).toMatchObject([{ tool: 'ask_story', state: 'failed' }]);
    expect(turnUsage).toMatchObject({ input: 2000, isPartial: true, isUnpriced: true });
    expect(await toToday(game)).toEqual(turnUsage);
  });

  it('for a step that ends in the middle of a call', async () => {
    const game = await play(
      [{ ...calls(call('write_to_file', { path: START, content: '雨' })), dieAfter: 3 }, done()],
      {
        title: () => ({ status: 500 }),
      },
    );
    const { turnUsage } = await game.send('写');
    expect(game.of('step')).toHaveLength(2);
    expect(turnUsage).toMatchObject({ input: 1000, isPartial: true, isUnpriced: true });
    expect(await toToday(game)).toEqual(turnUsage);
  });
});

describe('a cap', () => {
  it.each(['turnCap', 'dayCap'] as const)(
    'prevents the request for a title that would exceed it (%s)',
    async (name) => {
      const settings = { [name]: { unit: 'tokens', amount: 20_000 } } as const;
      const game = await play(
        [{ ...done(), usage: { input: 19_400, output: 20 } }],
        { title: () => ({ text: '雨' }) },
        settings,
      );
      expect((await game.send('写')).phase).toBe('idle');
      await aWhile();
      expect(game.of('title')).toEqual([]);
      expect((await game.chat()).title).toBe('写');
      expect(game.events('app.noticed')).toEqual([]);
    },
  );

  it('allows the request for a title below it', async () => {
    const settings = { turnCap: { unit: 'tokens', amount: 20_000 } } as const;
    const game = await play([done()], { title: () => ({ text: '雨' }) }, settings);
    await game.send('写');
    await expect.poll(async () => (await game.chat()).title, { timeout: 5000 }).toBe('雨');
  });

  it.each<['summaryCapped' | 'summaryUnpriced', Settings['dayCap'], Settings['dayCap']]>([
    ['summaryCapped', { unit: 'tokens', amount: 1200 }, { unit: 'tokens', amount: 9000 }],
    ['summaryUnpriced', { unit: 'CNY', amount: 5 }, null],
  ])('prevents “Summarise now” and reports the reason (%s)', async (reason, dayCap, larger) => {
    const game = await play([done()], { title: () => ({ status: 500 }), summary: () => ({ text: 'NOTES' }) });
    await game.send('写');
    await game.ask('settings.update', { dayCap });
    await game.ask('chat.compact', {});
    expect((await game.settled()).phase).toBe('idle');
    expect(game.events('app.noticed')).toMatchObject([{ reason: `chat.${reason}` }]);
    expect(game.of('summary')).toEqual([]);
    expect(await game.items('summary')).toEqual([]);
    await game.ask('settings.update', { dayCap: larger });
    await game.ask('chat.compact', {});
    await game.settled();
    expect(await game.items('summary')).toHaveLength(1);
  });
});

describe('a summary that a turn needs', () => {
  const text = `${':雨下了一夜，天亮了也没有停。;\n'.repeat(600)}end;\n`;

  async function openFull() {
    let steps = 0;
    const game = await openGame({
      files: { 'game/scene/a.txt': text, 'game/scene/b.txt': text, 'game/scene/c.txt': text },
      window: 200_000,
      script(request) {
        if (toKind(request) === 'summary') return { text: 'NOTES' };
        steps += 1;
        const file = ['a', 'b', 'c'][steps - 1];
        return file === undefined ? done() : calls(call('read_file', { path: `game/scene/${file}.txt` }));
      },
    });
    await game.send('读');
    const choice = { baseUrl: game.server.url, model: 'story', limits: { story: { window: 20_000 } } };
    await game.ask('settings.choose', { provider: 'custom', choice });
    await game.ask('settings.update', { turnCap: { unit: 'tokens', amount: 1000 } });
    expect((await game.send('再读')).phase).toBe('consent');
    return { game, summaries: () => game.server.requests.filter((request) => toKind(request) === 'summary') };
  }

  it('asks for consent before its request, and the step after it asks again', async () => {
    const { game, summaries } = await openFull();
    const before = game.server.requests.length;
    await answerCap(game, 'once');
    await expect.poll(async () => (await game.items('cap')).length, { timeout: 5000 }).toBe(2);
    expect(game.server.requests.length - before).toBe(1);
    expect(summaries()).toHaveLength(1);
  });

  it('is not requested when the user refuses, and the turn ends', async () => {
    const { game, summaries } = await openFull();
    await answerCap(game, 'no');
    await expect.poll(async () => (await game.items('end')).map(({ reason }) => reason)).toEqual(['done', 'stopped']);
    expect(summaries()).toEqual([]);
    expect(await game.items('summary')).toEqual([]);
  });
});

describe('the cap of the reading helper', () => {
  it('includes what the turn has spent before', async () => {
    const settings = { turnCap: { unit: 'tokens', amount: 20_000 } } as const;
    const game = await play([question({ input: 19_000, output: 10 })], { helper: reading }, settings);
    expect((await game.send('问')).phase).toBe('consent');
    expect(game.of('helper')).toEqual([]);
    expect(await game.items('tool')).toMatchObject([{ tool: 'ask_story', state: 'refused' }]);
  });

  it('is the amount that the user allowed for the turn', async () => {
    const settings = { turnCap: { unit: 'tokens', amount: 20_000 } } as const;
    const first = { ...reading(0), usage: { input: 19_000, output: 10 } };
    const game = await play([first, question()], { helper: () => ({ text: '没有。' }) }, settings);
    expect((await game.send('问')).phase).toBe('consent');
    await answerCap(game, 'once');
    await expect.poll(async () => (await game.items('end')).length, { timeout: 5000 }).toBe(1);
    expect(game.of('helper')).toHaveLength(1);
    expect(toHelped(game)).toContain('没有。');
  });

  it('prevents its requests when their cost cannot be measured', async () => {
    const settings = { turnCap: { unit: 'CNY', amount: 5 } } as const;
    const game = await play([question()], { helper: reading }, settings);
    const prices = { story: { currency: 'CNY', input: 10, output: 10 } } as const;
    const choice = { baseUrl: game.server.url, model: 'story', fastModel: 'quick', prices };
    await game.ask('settings.choose', { provider: 'custom', choice });
    expect((await game.send('问')).phase).toBe('idle');
    expect(game.of('helper')).toEqual([]);
  });
});
