import { expect, test } from 'vitest';
import { toTabPage } from './tab-page.ts';

test('mounts the page of tabs that has the shown one', () => {
  expect(toTabPage(0, 3)).toEqual({ start: 0, end: 3 });
  expect(toTabPage(-1, 120)).toEqual({ start: 0, end: 50 });
  expect(toTabPage(49, 120)).toEqual({ start: 0, end: 50 });
  expect(toTabPage(50, 120)).toEqual({ start: 50, end: 100 });
  expect(toTabPage(119, 120)).toEqual({ start: 100, end: 120 });
  expect(toTabPage(0, 0)).toEqual({ start: 0, end: 0 });
});
