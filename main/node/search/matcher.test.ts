import { afterAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { createMatcher } from './matcher.ts';

const matcher = createMatcher();
afterAll(() => matcher.close());

const never = new AbortController().signal;
interface Wanted {
  regex: string;
  flags?: string;
  maxMatches?: number;
}
/** Searches texts that are not on the disk. */
const searchTexts = (texts: Record<string, string>, { regex, flags = '', maxMatches = 100 }: Wanted, signal = never) =>
  matcher.searchFolder(
    {
      root: '/',
      visible: null,
      start: { path: '.', absolute: null, isFolder: true },
      glob: null,
      instead: Object.entries(texts),
      multiline: false,
      before: 0,
      after: 0,
      regex,
      flags,
      maxMatches,
    },
    signal,
  );
const search = (text: string, regex: string, flags = '', maxMatches = 100) =>
  searchTexts({ 'a.txt': text }, { regex, flags, maxMatches });
const lines = async (...args: Parameters<typeof search>) => (await search(...args)).map((match) => match.line);

async function errorOf(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.catch((caught: unknown) => caught);
  if (error instanceof AppError) return error;
  throw new Error('no AppError', { cause: error });
}

describe('searching', () => {
  it('finds each line once, in the order of the files', async () => {
    const texts = { 'b.txt': ':x;\r\n  雪乃: 嗨;\r\n', 'a.txt': '雪乃: 你好;\n雪乃: 雪乃;\n' };
    const found = await searchTexts(texts, { regex: '雪乃', flags: 'g' });
    expect(found).toEqual([
      { path: 'a.txt', line: 1, preview: '雪乃: 你好;' },
      { path: 'a.txt', line: 2, preview: '雪乃: 雪乃;' },
      { path: 'b.txt', line: 2, preview: '雪乃: 嗨;' },
    ]);
  });

  it.each([
    ['x\nhello\ny', '^hello$', '', [2]],
    ['a\r\nb\r\n', 'a$', '', [1]],
    ['A\na', 'a', 'i', [1, 2]],
    ['one\n\nthree\n', '^$', '', [2]],
    ['', '^$', '', [1]],
    ['\uFEFFstart', '^start', '', [1]],
    ['a\nb\nc\nb\nc\n', 'b\\nc', '', [2, 4]],
    ['a\nb\n', 'a\\nb', 'm', [1]],
    ['ab\n'.repeat(5), 'b', 'y', []],
  ])('finds in %j with /%s/%s the lines %j', async (text, regex, flags, expected) => {
    expect(await lines(text, regex, flags)).toEqual(flags === 'y' ? [1, 2, 3, 4, 5] : expected);
  });

  it('stops at the limit and cuts long lines around the match', async () => {
    expect(await lines(':\n'.repeat(50), ':', '', 2)).toEqual([1, 2]);
    const [match] = await search(`${'x'.repeat(5000)}needle${'y'.repeat(5000)}`, 'needle');
    expect(match?.preview).toMatch(/^…x{60}needley+…$/);
    expect(match?.preview.length).toBeLessThan(310);
  });
});

describe('replacing', () => {
  const replace = (text: string, regex: string, flags: string, replacement: string) =>
    matcher.replace({ text, regex, flags, replacement, signal: never });

  it.each([
    ['foo bar foo', 'foo', '', 'x', { text: 'x bar x', count: 2 }],
    ['Foo foo', 'foo', 'i', 'x', { text: 'x x', count: 2 }],
    ['ab', '(a)(b)', 'g', '$2$1', { text: 'ba', count: 1 }],
    ['x\nhello\ny\n', '^hello$', 'm', 'bye', { text: 'x\nbye\ny\n', count: 1 }],
    ['none', 'x', '', 'y', { text: 'none', count: 0 }],
    ['abc', '(?:)', '', '-', { text: '-a-b-c-', count: 4 }],
  ])('replaces in %j with /%s/%s and %j', async (text, regex, flags, replacement, expected) => {
    expect(await replace(text, regex, flags, replacement)).toEqual(expected);
  });

  it('refuses a result that is too long', async () => {
    const error = await errorOf(replace('a'.repeat(100_000), 'a', '', 'b'.repeat(100_000)));
    expect(['E_TOO_LARGE', 'E_TIMEOUT']).toContain(error.code);
    expect((await replace('a', 'a', '', 'b')).text).toBe('b');
  });
});

describe('errors', () => {
  it.each([
    ['(', ''],
    ['[invalid', 'g'],
    ['a', 'z'],
    ['a', 'gg'],
    ['a', 'uv'],
  ])('refuses /%s/%s with a hint', async (regex, flags) => {
    const error = await errorOf(search('a', regex, flags));
    expect([error.code, error.hint !== undefined]).toEqual(['E_BAD_ARGS', true]);
  });

  it('suggests flags for a pattern with inline flags', async () => {
    expect((await errorOf(search('a', '(?m)^a$'))).hint).toContain('/…/m');
  });

  it('ends a pattern that never ends; other calls succeed and the app stays responsive', async () => {
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 50);
    const slow = errorOf(search(`${'a'.repeat(40)}!`, '^(a+)+$'));
    const after = lines('a\nb', 'b');
    expect((await slow).code).toBe('E_TIMEOUT');
    expect(await after).toEqual([2]);
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(5);
  });

  it('stops on cancellation', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 60);
    const texts = { 'a.txt': `${'a'.repeat(40)}!` };
    const error = await errorOf(searchTexts(texts, { regex: '^(a+)+$' }, controller.signal));
    expect(error.code).toBe('E_TIMEOUT');
    expect((await errorOf(searchTexts(texts, { regex: 'a' }, controller.signal))).reason).toBe('call.stopped');
  });
});
