import { expect, it } from 'vitest';
import { createTokenEstimate, estimateTokens } from './estimate-tokens.ts';

it('counts Chinese, Japanese and Korean by the character, other text by less', () => {
  expect(estimateTokens('雨夜，谁也没有说话。')).toBe(10);
  expect(estimateTokens('あ한')).toBe(2);
  expect(estimateTokens('a'.repeat(100))).toBe(30);
  expect(estimateTokens('')).toBe(0);
});

it('reads each object once', () => {
  let reads = 0;
  const message = {
    toJSON() {
      reads += 1;
      return '雨';
    },
  };
  const estimate = createTokenEstimate();
  expect(estimate(message)).toBe(estimate(message));
  expect(reads).toBe(1);
});
