import { expect, it } from 'vitest';
import { type Transition, withEarlier } from './route-map.ts';

const toLed = (path: string): Transition => ({ to: [], played: [], endings: [{ path, line: 1 }], found: [] });

it('keeps all endings that the same choice led to, each once', () => {
  const led = ['a', 'b', 'a'].map(toLed).reduce((before, next) => withEarlier(next, before));
  expect(led.endings.map(({ path }) => path)).toEqual(['a', 'b']);
});
