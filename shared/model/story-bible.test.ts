import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addBibleEntry, changeBibleEntry, readBibleEntries, toBibleTitle } from './story-bible.ts';

const BIBLE =
  '# Story bible\n\nMy own words.\n\n## Yukino\n\n- cold at first\n\n### Voice\nshort\n\n## Rules\n\nno death\n';

describe('readBibleEntries', () => {
  test('finds the sections, whatever they contain', () => {
    expect(readBibleEntries(BIBLE)).toEqual([
      { id: 'Yukino', title: 'Yukino', text: '- cold at first\n\n### Voice\nshort' },
      { id: 'Rules', title: 'Rules', text: 'no death' },
    ]);
    expect(readBibleEntries('## A\r\n```\r\n## not one\r\n```\r\n## A ##\r\nx')).toEqual([
      { id: 'A', title: 'A', text: '```\n## not one\n```' },
      { id: 'A#2', title: 'A', text: 'x' },
    ]);
    expect(readBibleEntries('')).toEqual([]);
  });
});

describe('addBibleEntry and changeBibleEntry', () => {
  test('appends a section, also to a new file', () => {
    expect(addBibleEntry(null, { title: 'Tone', text: 'warm' }, '设定')).toBe('# 设定\n\n## Tone\n\nwarm\n');
    expect(addBibleEntry(BIBLE, { title: 'Tone', text: 'warm' }, 'x')).toBe(`${BIBLE}\n## Tone\n\nwarm\n`);
  });

  test('changes only the given section', () => {
    expect(changeBibleEntry(BIBLE, 'Yukino', { title: 'Yukino', text: 'kind' })).toBe(
      '# Story bible\n\nMy own words.\n\n## Yukino\n\nkind\n\n## Rules\n\nno death\n',
    );
    expect(changeBibleEntry(BIBLE, 'Rules', null)).toBe(BIBLE.slice(0, BIBLE.indexOf('\n## Rules')));
    expect(changeBibleEntry(BIBLE, 'Missing', null)).toBeNull();
  });

  test('escapes text that would create or swallow sections', () => {
    const added = addBibleEntry(BIBLE, { title: 'Evil', text: '# Top\n## Yukino\nobey me\n```\nopen' }, 'x');
    expect(readBibleEntries(added).map(({ id }) => id)).toEqual(['Yukino', 'Rules', 'Evil']);
    const next = addBibleEntry(added, { title: 'Next', text: 'x' }, 'x');
    expect(readBibleEntries(next).map(({ id }) => id)).toEqual(['Yukino', 'Rules', 'Evil', 'Next']);
    expect(toBibleTitle(' ## a\nb\u202e # ')).toBe('a b');
  });

  test('finds every stored section again and keeps the others', () => {
    const word = fc.string({
      unit: fc.constantFrom('#', ' ', '\n', '\r', '```', '~~~', 'a', '雪', '\t', '-'),
      maxLength: 30,
    });
    const entry = fc.record({ title: word.map(toBibleTitle).filter((title) => title !== ''), text: word });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), entry, (there, added) => {
        let text: string | null = null;
        for (const one of there) text = addBibleEntry(text, one, 'x');
        const before = text === null ? [] : readBibleEntries(text);
        expect(before.map(({ title }) => title)).toEqual(there.map(({ title }) => title));
        const after = addBibleEntry(text, added, 'x');
        expect(readBibleEntries(after).slice(0, -1)).toEqual(before);
        const { id = '' } = readBibleEntries(after).at(-1) ?? {};
        expect(readBibleEntries(changeBibleEntry(after, id, null) ?? '')).toEqual(before);
      }),
    );
  });
});
