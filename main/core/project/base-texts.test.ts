import { describe, expect, it } from 'vitest';
import { createBaseTexts } from './base-texts.ts';

describe('texts that unsaved ones were made from', () => {
  it('are found by version, and unknown ones are not', () => {
    const bases = createBaseTexts();
    bases.remember('v1', 'one');
    expect([bases.find('v1'), bases.find('v2')]).toEqual(['one', null]);
  });

  it('are forgotten when there are too many, the last used last', () => {
    const bases = createBaseTexts();
    for (let at = 0; at < 64; at += 1) bases.remember(`v${at}`, 'text');
    bases.find('v0');
    bases.remember('new', 'text');
    expect([bases.find('v0'), bases.find('v1'), bases.find('new')]).toEqual(['text', null, 'text']);
  });

  it('are forgotten when they are too long together', () => {
    const bases = createBaseTexts();
    const long = 'x'.repeat(9 * 1024 * 1024);
    bases.remember('first', long);
    bases.remember('second', long);
    expect([bases.find('first'), bases.find('second') === long]).toEqual([null, true]);
  });
});
