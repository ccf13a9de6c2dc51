import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepTabs, readTabs } from './kept-tabs.ts';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

it('stores the tabs of each game separately', () => {
  keepTabs('one', { paths: ['a', 'b'], active: 'b' });
  keepTabs('two', { paths: ['c'], active: 'c' });
  expect([readTabs('one'), readTabs('two'), readTabs('three')]).toEqual([
    { paths: ['a', 'b'], active: 'b' },
    { paths: ['c'], active: 'c' },
    { paths: [], active: null },
  ]);
});

it('drops the least recently used games, and treats damaged storage as empty', () => {
  for (let count = 0; count < 30; count += 1) keepTabs(`game-${count}`, { paths: ['x'], active: null });
  expect([readTabs('game-0').paths, readTabs('game-29').paths]).toEqual([[], ['x']]);
  localStorage.setItem('webgal-agent.tabs', '{broken');
  expect(readTabs('game-29')).toEqual({ paths: [], active: null });
});
