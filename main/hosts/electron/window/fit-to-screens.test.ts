import { expect, it } from 'vitest';
import { fitToScreens } from './fit-to-screens.ts';

const LEFT = { x: 0, y: 0, width: 1920, height: 1040 };
const RIGHT = { x: 1920, y: -200, width: 2560, height: 1400 };
const SIZE = { width: 1440, height: 900 };

it('keeps a window on the second screen', () => {
  const bounds = { place: { x: 2500, y: -100 }, ...SIZE };
  expect(fitToScreens(bounds, [LEFT, RIGHT])).toEqual(bounds);
});

it('lets the system place a window whose screen was unplugged', () => {
  expect(fitToScreens({ place: { x: 2500, y: -100 }, ...SIZE }, [LEFT])).toEqual({ place: null, ...SIZE });
});

it('lets the system place a window whose title bar is above every screen', () => {
  expect(fitToScreens({ place: { x: 100, y: -600 }, ...SIZE }, [LEFT])).toEqual({ place: null, ...SIZE });
});

it('keeps a window that extends beyond the edge of a screen', () => {
  const bounds = { place: { x: -1300, y: 500 }, ...SIZE };
  expect(fitToScreens(bounds, [LEFT])).toEqual(bounds);
});

it('limits a window to the size of the screen it opens on', () => {
  const large = { width: 2500, height: 1390 };
  expect(fitToScreens({ place: { x: 1930, y: -190 }, ...large }, [LEFT, RIGHT])).toMatchObject(large);
  expect(fitToScreens({ place: { x: 5000, y: 0 }, ...large }, [LEFT])).toEqual({
    place: null,
    width: 1920,
    height: 1040,
  });
});
