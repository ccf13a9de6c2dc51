import { expect, test } from 'vitest';
import type { Tool } from '../define-tool.ts';
import { limitExternal, MAX_EXTERNAL_OFFERED } from './limit-external.ts';

const entry = (name: string, role?: string) => ({ tool: { name, ...(role && { role }) } as Tool, schema: {} });
const many = (provider: string, count: number) =>
  Array.from({ length: count }, (_, index) => entry(`ext_${provider}_${index}`, provider));
const own = [entry('read_file'), entry('write_to_file')];

test('offers everything where it fits', () => {
  const all = [...own, ...many('art', MAX_EXTERNAL_OFFERED)];
  expect(limitExternal(all, {})).toEqual({ offered: all, leftOut: [] });
});

test('no program takes the places of the others, and what is allowed comes first', () => {
  const all = [...own, ...many('art', 500), ...many('dice', 2), ...many('song', 100)];
  const { offered, leftOut } = limitExternal(all, { ext_art_499: 'allow', ext_art_498: 'ask' });
  const names = offered.map(({ tool }) => tool.name);
  expect(names).toHaveLength(own.length + MAX_EXTERNAL_OFFERED);
  expect(names.slice(0, 2)).toEqual(['read_file', 'write_to_file']);
  expect(names).toEqual(expect.arrayContaining(['ext_dice_0', 'ext_dice_1', 'ext_art_499']));
  expect(names).not.toContain('ext_art_498');
  expect(names.filter((name) => name.startsWith('ext_song')).length).toBeGreaterThan(30);
  expect(leftOut.map(({ provider }) => provider)).toEqual(['art', 'song']);
  expect(leftOut.reduce((sum, { count }) => sum + count, 0)).toBe(602 - MAX_EXTERNAL_OFFERED);
});
