import { describe, expect, it } from 'vitest';
import type { FakeRequest, FakeStep } from '../support/services/fake-model-server.ts';
import { assertLegal } from './support/assert-legal.ts';
import { type GauntletGame, openGame, START } from './support/open-game.ts';
import { call, calls, done, toWireText } from './support/steps.ts';

const toLast = ({ server }: GauntletGame): string => server.requests.slice(-1).map(toWireText).join('');

/** A step whose text takes longer than the interval at which pieces of it are logged. */
const slow = (): FakeStep => ({ text: ['一', '二', '三', '四', '五', '六', '七', '八'], delay: 600 });

describe('an event in the middle of an answer', () => {
  it.each(['queue', 'rename'] as const)(
    'does not cut the answer in two (%s)',
    async (what) => {
      const game = await openGame({ script: [slow(), done(), done()] });
      await game.ask('chat.send', { text: '开始', mode: 'act' });
      // Some of the text is logged then.
      await new Promise((resolve) => setTimeout(resolve, 3400));
      if (what === 'queue') await game.ask('chat.queue', { text: '再来', mode: 'act', now: false });
      else await game.ask('chat.rename', { title: '雨' });
      await game.settled();
      if (what === 'rename') await game.send('再来');
      expect(toLast(game).match(/一二三/g)).toHaveLength(1);
      expect(toLast(game)).not.toContain('broken off');
      for (const request of game.server.requests) assertLegal(request);
      const again = await game.reopen();
      expect(JSON.stringify((await again.chat()).items).match(/一二三/g)).toHaveLength(1);
    },
    30_000,
  );
});

const isForTitle = ({ body }: FakeRequest): boolean => !body.tools?.length;

describe('a title', () => {
  it('is not made from a request that was set aside', async () => {
    const game = await openGame({
      script: (request, index) =>
        isForTitle(request) ? { text: '题' } : index === 0 ? { ...done(), wait: 20_000 } : done('完'),
    });
    const choice = { baseUrl: game.server.url, model: 'story', fastModel: 'quick' };
    await game.ask('settings.choose', { provider: 'custom', choice });
    await game.ask('chat.send', { text: '写一段秘密', mode: 'act' });
    await expect.poll(() => game.server.requests.length).toBe(1);
    await game.ask('chat.stop', {});
    const [first] = await game.items('user');
    await game.ask('chat.resend', { message: first?.id ?? '', text: '写一段雨', mode: 'act' });
    await game.settled();
    await expect.poll(() => game.server.requests.filter(isForTitle).length).toBe(1);
    expect(toLast(game)).toContain('写一段雨');
    expect(toLast(game)).not.toContain('秘密');
  });
});

describe('a count of tokens that no service can mean', () => {
  it.each([1e300, 2 ** 60, 1.5, -3])('does not lose the answer or the end of the turn (%s)', async (count) => {
    const usage = { input: count, output: count };
    const game = await openGame({ script: [{ text: '雨下了一夜', usage }, done()] });
    await game.send('写');
    const { items } = await game.chat();
    const again = await game.reopen();
    expect((await again.chat()).items).toEqual(items);
    expect(again.events('app.noticed')).toEqual([]);
    await again.send('再来');
    expect(toLast(again)).toContain('雨下了一夜');
  });
});

describe('an undo that is refused', () => {
  it('does not affect the running turn', async () => {
    const game = await openGame({ script: [{ ...done(), wait: 300 }] });
    await game.ask('chat.send', { text: '开始', mode: 'act' });
    await expect(game.ask('chat.undoResend', { id: 'none' })).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await game.settled();
    expect(await game.items('end')).toMatchObject([{ reason: 'done' }]);
  });
});

/** A step that differs from the others, from a service that does not count. */
const uncounted = (index: number): FakeStep => ({
  ...calls(call('read_file', { path: START }), call('display', { content: `${index}` })),
  noUsage: true,
});

describe('a cap, where the service does not count', () => {
  it.each([
    ['turnCap', { unit: 'tokens', amount: 18_000 }],
    ['dayCap', { unit: 'tokens', amount: 18_000 }],
    ['turnCap', { unit: 'CNY', amount: 0.18 }],
    ['dayCap', { unit: 'CNY', amount: 0.18 }],
  ] as const)('is measured by an estimate (%s, %j)', async (name, cap) => {
    const game = await openGame({ script: (_request, index) => uncounted(index), settings: { [name]: cap } });
    const prices = { story: { currency: 'CNY', input: 10, output: 10 } } as const;
    await game.ask('settings.choose', {
      provider: 'custom',
      choice: { baseUrl: game.server.url, model: 'story', prices },
    });
    const { phase, turnUsage } = await game.send('读');
    expect(phase).toBe('consent');
    expect(game.server.requests.length).toBeGreaterThan(0);
    expect(game.server.requests.length).toBeLessThan(3);
    // What is shown as used holds no guess.
    expect(turnUsage).toMatchObject({ input: 0, isPartial: true, money: [] });
    expect((await game.ask('spending.today', {})).total).toEqual(turnUsage);
  });

  it('of a day holds for the next turn', async () => {
    const settings = { dayCap: { unit: 'tokens', amount: 18_000 } } as const;
    const game = await openGame({ script: () => ({ text: '好。', noUsage: true }), settings });
    const phases: string[] = [];
    for (const text of ['一', '二', '三']) {
      if (!phases.includes('consent')) phases.push((await game.send(text)).phase);
    }
    expect(phases).toContain('consent');
    expect(phases[0]).toBe('idle');
  });
});

describe('a queued message', () => {
  it('that is sent during a summary follows it, also after a stop', async () => {
    const steps: FakeStep[] = [done(), { ...done(), wait: 5000 }, { text: 'NOTES', wait: 500 }, done()];
    const game = await openGame({ script: steps });
    await game.send('一');
    await game.ask('chat.send', { text: '二', mode: 'act' });
    await game.ask('chat.queue', { text: '三', mode: 'act', now: false });
    await game.ask('chat.stop', {});
    await game.settled();
    await game.ask('chat.compact', {});
    const [item] = (await game.chat()).queue;
    await game.ask('chat.sendQueued', { id: item?.id ?? '' });
    await expect.poll(async () => (await game.chat()).queue, { timeout: 5000 }).toEqual([]);
  });
});

describe('the reading helper', () => {
  it('concludes while a request to conclude still fits below a cap', async () => {
    let helped = 0;
    let asked = 0;
    const settings = { turnCap: { unit: 'tokens', amount: 40_000 } } as const;
    const script = (request: FakeRequest): FakeStep => {
      const wire = toWireText(request);
      if (!wire.includes('You read a visual novel')) {
        asked += 1;
        return {
          ...(asked === 1 ? calls(call('ask_story', { question: '?' })) : done()),
          usage: { input: 100, output: 1 },
        };
      }
      helped += 1;
      const read = calls(call('read_file', { path: START, offset: helped }));
      const answer = wire.includes('Nothing more can be read') ? { text: '读到这里。' } : read;
      return { ...answer, usage: { input: 10_000, output: 100 } };
    };
    const game = await openGame({ settings, script });
    expect((await game.send('问')).turnUsage.input).toBeLessThan(40_000);
    expect(helped).toBe(3);
    expect(await game.items('tool')).toMatchObject([{ tool: 'ask_story', state: 'done' }]);
  });
});
