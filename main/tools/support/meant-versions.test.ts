import { describe, expect, it } from 'vitest';
import { MAX_VERSION_TITLE, toMeantVersions } from './meant-versions.ts';

describe('toMeantVersions', () => {
  it('gives letters to texts without a title', () => {
    expect(toMeantVersions(['a;', 'b;'])).toEqual([
      { title: 'A', text: 'a;' },
      { title: 'B', text: 'b;' },
    ]);
  });

  it('makes equal titles different', () => {
    const same = [
      { title: 'soft', text: 'a;' },
      { title: 'soft', text: 'b;' },
    ];
    expect(toMeantVersions(same)).toMatchObject([{ title: 'soft' }, { title: 'soft (B)' }]);
  });

  it('resolves escaped line breaks, fences and line numbers in a text', () => {
    expect(toMeantVersions(['a:x;\\nb:y;', '```webgal\na:x;\nb:y;\n```'])).toMatchObject([
      { text: 'a:x;\nb:y;' },
      { text: 'a:x;\nb:y;' },
    ]);
  });

  it('shortens a long title', () => {
    const [only] = toMeantVersions([{ title: 'x'.repeat(500), text: 'a;' }]) as { title: string }[];
    expect(only?.title).toHaveLength(MAX_VERSION_TITLE);
  });

  it.each([[null], [7], ['no list']])('returns %j as it is', (given) => {
    expect(toMeantVersions(given)).toBe(given);
  });
});
