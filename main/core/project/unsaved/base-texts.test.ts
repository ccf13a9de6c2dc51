import { describe, expect, it } from 'vitest';
import { createBaseTexts } from './base-texts.ts';

describe('base texts of unsaved texts', () => {
  it('are found by version; unknown versions return null', () => {
    const bases = createBaseTexts();
    bases.remember('v1', 'one');
    expect([bases.find('v1'), bases.find('v2')]).toEqual(['one', null]);
  });

  it('are evicted above the maximum number, least recently used first', () => {
    const bases = createBaseTexts();
    for (let at = 0; at < 64; at += 1) bases.remember(`v${at}`, 'text');
    bases.find('v0');
    bases.remember('new', 'text');
    expect([bases.find('v0'), bases.find('v1'), bases.find('new')]).toEqual(['text', null, 'text']);
  });

  it('are not evicted while they are pinned', () => {
    const bases = createBaseTexts();
    bases.remember('v0', 'text');
    bases.pin(['v0']);
    for (let at = 1; at < 200; at += 1) bases.remember(`v${at}`, 'text');
    expect([bases.find('v0'), bases.find('v1'), bases.find('v199')]).toEqual(['text', null, 'text']);
    bases.pin([]);
    for (let at = 200; at < 400; at += 1) bases.remember(`v${at}`, 'text');
    expect(bases.find('v0')).toBeNull();
  });

  it('are evicted above the maximum total length', () => {
    const bases = createBaseTexts();
    const long = 'x'.repeat(9 * 1024 * 1024);
    bases.remember('first', long);
    bases.remember('second', long);
    expect([bases.find('first'), bases.find('second') === long]).toEqual([null, true]);
  });
});
