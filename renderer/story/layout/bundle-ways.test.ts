import { expect, test } from 'vitest';
import { bundleWays } from './bundle-ways.ts';
import type { MapEdge } from './story-map.ts';

let count = 0;
const way = (from: string, to: string, more: Partial<MapEdge> = {}): MapEdge => {
  count += 1;
  return { id: `w${count}`, from, to, path: `${from}.txt`, line: count, kind: 'choose', lines: [], ...more };
};
const show = (edges: MapEdge[]) =>
  bundleWays(edges).map(({ from, to, kind, returns, rows }) =>
    [from, returns ? '<>' : '>', to, kind, ...rows.map(({ text, isQuiet }) => (isQuiet ? `(${text})` : text))].join(
      ' ',
    ),
  );

test('bundles options with the same target, each with its condition, and keeps a call separate', () => {
  expect(
    show([
      way('a', 'b', { lines: ['go', 'if x>1'] }),
      way('a', 'b', { lines: ['run'] }),
      way('a', 'b', { lines: ['run'] }),
      way('a', 'b', { kind: 'call', lines: ['there and back'] }),
      way('a', 'c', { kind: 'missing' }),
    ]),
  ).toEqual(['a > b way go (if x>1) run', 'a > b call (there and back)', 'a > c missing']);
});

test('draws no second line for a plain return edge, and one for a choice', () => {
  expect(show([way('hub', 'a', { lines: ['see'] }), way('a', 'hub', { kind: 'change' })])).toEqual([
    'hub <> a way see',
  ]);
  expect(show([way('a', 'hub', { kind: 'change' }), way('hub', 'a', { lines: ['see'] })])).toEqual([
    'hub <> a way see',
  ]);
  expect(show([way('a', 'b'), way('b', 'a')])).toEqual(['a <> b way']);
  expect(show([way('a', 'b', { lines: ['x'] }), way('b', 'a', { lines: ['y'] })])).toEqual([
    'a > b way x',
    'b > a way y',
  ]);
  expect(show([way('a', 'a', { lines: ['again'] }), way('b', 'b')])).toEqual(['a > a way again', 'b > b way']);
});

test('counts rows beyond the limit and keeps all of them for the tooltip', () => {
  const [bundle] = bundleWays(['1', '2', '3', '4', '5', '6'].map((text) => way('a', 'b', { lines: [text] })));
  expect(bundle?.rows.map(({ text }) => text)).toEqual(['1', '2', '3', '+3']);
  expect(bundle?.words).toBe('1\n2\n3\n4\n5\n6');
});
