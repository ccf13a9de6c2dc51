import { describe, expect, it } from 'vitest';
import { redactText } from './redact.ts';

describe('redactText', () => {
  it.each([
    ['Authorization: Bearer abcdefgh12', '[redacted]'],
    ['x bearer abcdefgh12 y', 'x [redacted] y'],
    ['my-api_key = "hunter22"', '[redacted]"'],
    ['--api-key=hunter22', '[redacted]'],
    ['sk-abcdefgh', '[redacted]'],
    ['a eyJhbGciOiJI.eyJzdWIi.c2ln b', 'a [redacted] b'],
    ['x-eyJhbGciOiJI.eyJzdWIi', 'x-[redacted]'],
    ['0123456789abcdef0123456789abcdef', '[redacted]'],
    ['at Abcdefghijklmnopqrstuvwxy1 in', 'at [redacted] in'],
    ['abcdefghijklmnopqrstuvwxyz1-and-no-capital', 'abcdefghijklmnopqrstuvwxyz1-and-no-capital'],
    ['A story about 3 cats, told by NightSky.', 'A story about 3 cats, told by NightSky.'],
  ])('%s', (text, clean) => {
    expect(redactText(text)).toBe(clean);
  });

  it.each(['a-', 'A1-', 'A-a-', 'eyJ-', 'eyJabcdefgh-', 'token-', 'token ', 'token=', 'a', ' ', '0', 'sk-', 'a.'])(
    'runs in linear time: %j',
    (part) => {
      // Characters outside of all patterns prevent a single match over the whole text.
      // Processor time: other work on the machine does not count.
      const toMicros = (count: number): number => {
        const text = `${part.repeat(count)}!`;
        const times = Array.from({ length: 5 }, () => {
          const start = process.cpuUsage();
          redactText(text);
          return process.cpuUsage(start).user;
        });
        return Math.min(...times);
      };
      toMicros(500);
      // 16 times the text takes 16 times as long if linear and 256 times if quadratic.
      const [short, long] = [toMicros(2_000), toMicros(32_000)];
      expect(long / Math.max(short, 200)).toBeLessThan(120);
    },
  );
});
