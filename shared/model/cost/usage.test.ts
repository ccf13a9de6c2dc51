import { describe, expect, it } from 'vitest';
import { toModelPrice } from './price-catalog.ts';
import { addUsage, NOTHING_USED, toCost, UNKNOWN_USAGE } from './usage.ts';

const LUNA = toModelPrice({ provider: 'openai', model: 'gpt-6-luna', baseUrl: 'https://api.openai.com/v1' });
const SONNET = toModelPrice({
  provider: 'anthropic',
  model: 'claude-sonnet-5-5',
  baseUrl: 'https://api.anthropic.com/v1',
});

describe('toCost', () => {
  it('charges cached and written input at their own rates', () => {
    const usage = { input: 1_000_000, cached: 600_000, written: 300_000, output: 100_000 };
    // 100k · 2 + 600k · 0.1 + 300k · 2.5 + 100k · 10, in dollars for a million.
    expect(toCost(usage, SONNET)).toEqual({ currency: 'USD', amount: expect.closeTo(2.01, 6) });
  });

  it('charges a long request at the rates for long ones', () => {
    expect(toCost({ input: 272_000, cached: 0, output: 0 }, LUNA)).toMatchObject({ amount: expect.closeTo(0.0272, 6) });
    expect(toCost({ input: 272_001, cached: 0, output: 0 }, LUNA)).toMatchObject({ amount: expect.closeTo(0.0544, 6) });
  });

  it('takes input for uncached when the service does not say', () => {
    expect(toCost({ input: 1_000_000, cached: null, output: 0 }, SONNET)).toMatchObject({ amount: 2 });
  });

  it('is unknown without a price or without counted tokens', () => {
    expect(toCost({ input: 1, cached: 0, output: 1 }, null)).toBeNull();
    expect(toCost({ input: 1, cached: 0, output: null }, SONNET)).toBeNull();
    expect(toCost(UNKNOWN_USAGE, SONNET)).toBeNull();
  });
});

describe('addUsage', () => {
  it('never adds two currencies', () => {
    const usage = { input: 1, cached: 0, output: 1 };
    const one = addUsage(NOTHING_USED, usage, { currency: 'USD', amount: 1 });
    const two = addUsage(one, usage, { currency: 'CNY', amount: 2 });
    expect(addUsage(two, usage, { currency: 'USD', amount: 3 }).money).toEqual([
      { currency: 'CNY', amount: 2 },
      { currency: 'USD', amount: 4 },
    ]);
  });

  it('is a minimum once a part is unknown, and 0 tokens of older logs cost nothing', () => {
    expect(addUsage(NOTHING_USED, UNKNOWN_USAGE, undefined)).toMatchObject({ isPartial: true, isUnpriced: true });
    expect(addUsage(NOTHING_USED, { input: 0, cached: 0, output: 0 }, undefined)).toEqual(NOTHING_USED);
    expect(addUsage(NOTHING_USED, { input: 5, cached: 0, output: 1 }, 'free')).toMatchObject({ isUnpriced: false });
  });
});

describe('toModelPrice', () => {
  const kimi = { provider: 'kimi', model: 'kimi-k3' } as const;

  it('depends on the region of the address', () => {
    expect(toModelPrice({ ...kimi, baseUrl: 'https://api.moonshot.ai/v1' })).toMatchObject({ currency: 'USD' });
    expect(toModelPrice({ ...kimi, baseUrl: 'https://api.moonshot.cn/v1' })).toBeNull();
  });

  it('is unknown at another address and for another model, and nothing on this computer', () => {
    expect(toModelPrice({ ...kimi, baseUrl: 'https://gateway.example/v1' })).toBeNull();
    expect(toModelPrice({ ...kimi, model: 'kimi-k9', baseUrl: 'https://api.moonshot.ai/v1' })).toBeNull();
    expect(toModelPrice({ provider: 'ollama', model: 'x', baseUrl: 'http://127.0.0.1:11434/v1' })).toBe('free');
  });

  it('is the price of the user where there is one', () => {
    const own = { 'kimi-k3': { currency: 'CNY', input: 1, output: 2 } as const };
    expect(toModelPrice({ ...kimi, baseUrl: 'https://gateway.example/v1' }, own)).toEqual({
      ...{ currency: 'CNY', date: null },
      rates: { input: 1, output: 2 },
    });
  });
});
