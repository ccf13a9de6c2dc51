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
    ['a skateboarding ghosthunter on a skyscraper', 'a skateboarding ghosthunter on a skyscraper'],
    ['ghp_abcdefgh12, AKIAABCDEFGH12', '[redacted], [redacted]'],
    ['A story about 3 cats, told by NightSky.', 'A story about 3 cats, told by NightSky.'],
  ])('%s', (text, clean) => {
    expect(redactText(text)).toBe(clean);
  });

  it.each(['a-', 'A1-', 'A-a-', 'eyJ-', 'eyJabcdefgh-', 'token-', 'token ', 'token=', 'a', ' ', '0', 'sk-', 'a.'])(
    'handles long text: %j',
    (part) => {
      // Characters outside of all patterns prevent a single match over the whole text. A pattern of quadratic time takes
      // minutes, which exceeds the limit of the test.
      expect(redactText(`${part.repeat(100_000)}!`).slice(-10)).toMatch(/!$|\[redacted\]$/);
    },
  );
});
