import { describe, expect, it } from 'vitest';
import { PROVIDERS, toModelLimits } from './provider-catalog.ts';
import { ProviderFacts } from './settings.ts';

describe('the limits of a model', () => {
  it('are the figures of the catalogue', () => {
    expect(toModelLimits('glm', 'glm-5')).toEqual({ window: 204_800, output: 102_400, isKnown: true });
    expect(toModelLimits('kimi', 'kimi-k3')).toEqual({ window: 1_048_576, output: 262_144, isKnown: true });
  });

  it('are careful assumptions for a model without facts', () => {
    const assumed = { window: 64_000, output: 8_000, isKnown: false };
    expect(toModelLimits('custom', 'story')).toEqual(assumed);
    expect(toModelLimits('ollama', 'qwen3:14b')).toEqual(assumed);
  });

  it('are replaced by the figures of the user, each for itself and for its model only', () => {
    const own = { story: { window: 32_000 }, 'glm-5': { output: 4_000 } };
    expect(toModelLimits('custom', 'story', own)).toEqual({ window: 32_000, output: 8_000, isKnown: true });
    expect(toModelLimits('glm', 'glm-5', own)).toEqual({ window: 204_800, output: 4_000, isKnown: true });
    expect(toModelLimits('custom', 'other', own).isKnown).toBe(false);
  });

  it('leave at least half of a small window to the request', () => {
    expect(toModelLimits('custom', 'story', { story: { window: 8_000 } }).output).toBe(4_000);
  });
});

describe('the catalogue', () => {
  it('has valid entries, and the fast model of each provider among its suggestions', () => {
    for (const facts of PROVIDERS) {
      expect(ProviderFacts.safeParse(facts).success, facts.id).toBe(true);
      const ids = facts.models.map(({ id }) => id);
      if (facts.fastModel !== null) expect(ids).toContain(facts.fastModel);
      for (const { date } of facts.models) expect(date).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
    }
  });
});
