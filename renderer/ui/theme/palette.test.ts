import { describe, expect, it } from 'vitest';
import { type Palette, palettes } from './palette.ts';

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}

const grounds = ['paper', 'panel', 'sunk', 'raised'] as const;
const pairs: [keyof Palette, keyof Palette][] = [
  ...grounds.flatMap((ground): [keyof Palette, keyof Palette][] => [
    ['ink', ground],
    ['muted', ground],
    ['faint', ground],
    ['accent', ground],
    ['voice', ground],
    ['added', ground],
    ['removed', ground],
    ['warn', ground],
    ['error', ground],
  ]),
  ['ink', 'hover'],
  ['muted', 'hover'],
  ['accent', 'hover'],
  ['onAccent', 'accentFill'],
  ['accent', 'accentSoft'],
  ['ink', 'accentSoft'],
  ['muted', 'accentSoft'],
  ['voice', 'voiceSoft'],
  ['added', 'addedSoft'],
  ['ink', 'addedSoft'],
  ['removed', 'removedSoft'],
  ['ink', 'removedSoft'],
  ['warn', 'warnSoft'],
  ['error', 'errorSoft'],
];

describe.each(Object.entries(palettes))('the %s palette', (_, palette) => {
  it('keeps text readable (WCAG AA, 4.5:1)', () => {
    const weak = pairs
      .map(([text, ground]) => ({ text, ground, ratio: contrast(palette[text], palette[ground]) }))
      .filter(({ ratio }) => ratio < 4.5);
    expect(weak).toEqual([]);
  });

  it('keeps borders of controls visible (3:1)', () => {
    expect(contrast(palette.edge, palette.panel)).toBeGreaterThanOrEqual(3);
  });
});
