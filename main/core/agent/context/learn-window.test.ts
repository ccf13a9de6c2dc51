import { describe, expect, it } from 'vitest';
import { learnWindow } from './learn-window.ts';

describe('the window named by a refusal', () => {
  it.each([
    [
      "This model's maximum context length is 65536 tokens. However, you requested 71000 tokens (67000 in the messages, 4000 in the completion).",
      65_536,
    ],
    ['prompt is too long: 210000 tokens > 200000 maximum', 200_000],
    ["This model's maximum prompt length is 131072 but the request contains 150000 tokens.", 131_072],
    ['Range of input length should be [1, 129024]', 129_024],
    ['Your request exceeded model token limit: 262144', 262_144],
    ['{"error":{"code":"1261","message":"Prompt exceeds max length"}}', 80_000],
    ['输入内容超过模型的上下文长度限制', 80_000],
  ])('%s', (refusal, window) => {
    expect(learnWindow(refusal, window === 80_000 ? 100_000 : window + 5000)).toBe(window);
  });
});
