import { expect, it } from 'vitest';
import { createTokenEstimate, estimateTokens, PICTURE_TOKENS } from './estimate-tokens.ts';

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

it('counts a fixed amount for each picture of a message', () => {
  const estimate = createTokenEstimate();
  const picture = { type: 'picture', id: '0'.repeat(64), mediaType: 'image/png' };
  const plain = estimate({ role: 'user', content: [{ type: 'text', text: 'Hi' }] });
  const shown = estimate({ role: 'user', content: [{ type: 'text', text: 'Hi' }, picture, picture] });
  expect(shown - plain).toBeGreaterThanOrEqual(2 * PICTURE_TOKENS);
  expect(shown - plain).toBeLessThan(2 * PICTURE_TOKENS + 100);
});
