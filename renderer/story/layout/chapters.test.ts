import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toMapNode } from '../../../tests/support/window/map-parts.ts';
import { type Chapter, nameApart, toChapters } from './chapters.ts';
import type { MapNode } from './story-map.ts';

const toScene = (name: string): MapNode => ({ ...toMapNode(name), path: `game/scene/${name}.txt` });
const range = (count: number, toName: (at: number) => string) => Array.from({ length: count }, (_, at) => toName(at));
const titles = (names: readonly string[]) =>
  toChapters(names.map(toScene)).map(
    ({ title, members, parent }) => `${parent ? '  ' : ''}${title} (${members.length})`,
  );
/** Returns the chapters without nested chapters. */
const innermost = (chapters: readonly Chapter[]) => {
  const outer = new Set(chapters.map(({ parent }) => parent));
  return chapters.filter(({ id }) => !outer.has(id));
};

test('creates no chapters for a short story', () => {
  expect(titles(range(60, (at) => `scene_${at}`))).toEqual([]);
});

test('groups scenes by name prefix and puts single scenes together', () => {
  const names = [
    'start',
    'map',
    ...range(20, (at) => `yuki_${at}`),
    ...range(18, (at) => `结局_${at}`),
    ...range(25, (at) => `day2/morning-${at}`),
  ];
  expect(titles(names)).toEqual(['结局 (18)', 'day2/morning (25)', 'yuki (20)', ' (2)']);
});

test('splits a group that is too large by the next part of the name', () => {
  const names = ['一', '二', '三', '十'].flatMap((number) => range(20, (at) => `第${number}章相遇${at}`));
  expect(titles(names)).toEqual(['第一章相遇 (20)', '第二章相遇 (20)', '第三章相遇 (20)', '第十章相遇 (20)']);
});

test('splits numbered scenes in natural order', () => {
  expect(titles(range(90, (at) => `s${at}`))).toEqual(['s0 – s29 (30)', 's30 – s59 (30)', 's60 – s89 (30)']);
});

test('splits one scene with many passages by line', () => {
  const nodes = range(100, String).map((id, at) => ({
    ...toScene('start'),
    id,
    line: at * 10 + 1,
    endLine: at * 10 + 10,
  }));
  expect(toChapters(nodes.toReversed()).map(({ title }) => title)).toEqual([
    'start : 1–300',
    'start : 301–600',
    'start : 601–900',
    'start : 901–1000',
  ]);
});

const name = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.tuple(fc.constantFrom('第一章', 'ch', 'route_a/', '__proto__'), fc.nat(400)).map(([word, at]) => `${word}${at}`),
);

test('nests chapters of volumes', () => {
  const names = range(3, String).flatMap((volume) =>
    range(20, String).flatMap((day) => range(5, (at) => `vol${volume}_day${day}_${at}`)),
  );
  const shown = titles(names);
  expect(shown.filter((title) => !title.startsWith(' '))).toEqual([
    'vol0_day (100)',
    'vol1_day (100)',
    'vol2_day (100)',
  ]);
  expect(shown.slice(0, 3)).toEqual(['vol0_day (100)', '  vol0_day0 (5)', '  vol0_day1 (5)']);
});

test('gives a scene whose name ends like the key of leftover scenes an id of its own', () => {
  const names = [
    ...range(20, (at) => `ab*${at}`),
    ...range(20, (at) => `ab${'!'.repeat(at + 1)}`),
    ...range(30, (at) => `cd${at}`),
  ];
  const ids = toChapters(names.map(toScene)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('puts every node in exactly one innermost chapter, none empty or too large, with unique ids', () => {
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 61, maxLength: 400 }), (names) => {
      const chapters = toChapters(names.map(toScene));
      const inner = innermost(chapters);
      expect(inner.flatMap(({ members }) => members).toSorted()).toEqual(names.toSorted());
      expect(inner.every(({ members, size }) => size === members.length && size > 0 && size <= 30)).toBe(true);
      expect(new Set(chapters.map(({ id }) => id)).size).toBe(chapters.length);
      const seen = new Set<string | null>([null]);
      for (const { id, parent, members, size } of chapters) {
        expect(seen.has(parent)).toBe(true);
        seen.add(id);
        const parts = chapters.filter((one) => one.parent === id);
        if (parts.length === 0) continue;
        expect([parts.length, parts.length <= 32]).toEqual([size, true]);
        expect(parts.flatMap((one) => one.members).toSorted()).toEqual(members.toSorted());
      }
    }),
    { numRuns: 60 },
  );
});

test('limits sibling chapters for five thousand scenes with any names', () => {
  for (const toName of [
    (at: number) => `s${at}`,
    (at: number) => String.fromCharCode(0x4e00 + at),
    (at: number) => `g${at % 1500}_${at}`,
    (at: number) => `${'a/'.repeat(at % 100)}${at}`,
  ]) {
    const chapters = toChapters(range(5000, toName).map(toScene));
    expect(innermost(chapters).flatMap(({ members }) => members).length).toBe(5000);
    expect(chapters.filter(({ parent }) => parent === null).length).toBeLessThanOrEqual(32);
    expect(Math.max(...chapters.map(({ size }) => size))).toBeLessThanOrEqual(32);
  }
});

test('adds the first scene only to titles that occur more than once', () => {
  const chapters = [
    { id: 'a', title: '神明A' },
    { id: 'b', title: '结局' },
    { id: 'c', title: '神明A' },
  ];
  const first = new Map([
    ['a', '神明A_1'],
    ['c', '神明A_31'],
  ]);
  const named = nameApart(chapters, (id) => first.get(id) ?? '');
  expect(named.map(({ title }) => title)).toEqual(['神明A · 神明A_1', '结局', '神明A · 神明A_31']);
});
