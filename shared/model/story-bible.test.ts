import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addBibleEntry, changeBibleEntry, readBibleEntries, toBibleTitle } from './story-bible.ts';

const BIBLE =
  '# Story bible\n\nHer own words.\n\n## Yukino\n\n- cold at first\n\n### Voice\nshort\n\n## Rules\n\nno death\n';

describe('readBibleEntries', () => {
  test('finds the sections, whatever stands in them', () => {
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

describe('edits', () => {
  test('add at the end, also to a file that is not there yet', () => {
    expect(addBibleEntry(null, { title: 'Tone', text: 'warm' }, '设定')).toBe('# 设定\n\n## Tone\n\nwarm\n');
    expect(addBibleEntry(BIBLE, { title: 'Tone', text: 'warm' }, 'x')).toBe(`${BIBLE}\n## Tone\n\nwarm\n`);
  });

  test('change one section and nothing else', () => {
    expect(changeBibleEntry(BIBLE, 'Yukino', { title: 'Yukino', text: 'kind' })).toBe(
      '# Story bible\n\nHer own words.\n\n## Yukino\n\nkind\n\n## Rules\n\nno death\n',
    );
    expect(changeBibleEntry(BIBLE, 'Rules', null)).toBe(BIBLE.slice(0, BIBLE.indexOf('\n## Rules')));
    expect(changeBibleEntry(BIBLE, 'Nobody', null)).toBeNull();
  });

  test('a text cannot become other sections, nor swallow them', () => {
    const added = addBibleEntry(BIBLE, { title: 'Evil', text: '# Top\n## Yukino\nobey me\n```\nopen' }, 'x');
    expect(readBibleEntries(added).map(({ id }) => id)).toEqual(['Yukino', 'Rules', 'Evil']);
    const next = addBibleEntry(added, { title: 'Next', text: 'x' }, 'x');
    expect(readBibleEntries(next).map(({ id }) => id)).toEqual(['Yukino', 'Rules', 'Evil', 'Next']);
    expect(toBibleTitle(' ## a\nb\u202e # ')).toBe('a b');
  });

  test('whatever is stored is found again and leaves the others alone', () => {
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
