import { describe, expect, it } from 'vitest';
import { isWholeInView, MARGIN } from './placed-map.ts';

const MAP = { width: 1000, height: 400 };
const see = (x: number, y: number, scale: number, width = 800, height = 500) =>
  isWholeInView(MAP, { transform: [x, y, scale], width, height });

describe('isWholeInView', () => {
  it('is true while every box is in view, whether or not the margin is', () => {
    expect(see(0, 0, 0.8)).toBe(true);
    expect(see(0, 0, 0.5)).toBe(true);
    expect(see(-MARGIN * 0.5, 0, 0.5)).toBe(true);
    expect(see(0, 0, 1, 1000 - MARGIN)).toBe(true);
  });

  it('is false as soon as a side is out of view', () => {
    expect(see(-MARGIN - 1, 0, 0.5)).toBe(false);
    expect(see(0, -MARGIN - 1, 0.5)).toBe(false);
    expect(see(0, 0, 1)).toBe(false);
    expect(see(0, 200, 0.8)).toBe(false);
  });
});
