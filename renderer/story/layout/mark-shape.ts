import type { Palette } from '../../ui/theme/palette.ts';
import type { Mark } from './story-map.ts';

interface MarkShape {
  /** SVG path data in a 12 × 12 box; fill rule even-odd. */
  icon: string;
  ink: keyof Palette;
  ground: keyof Palette;
}

/** Appearance of marks on screen and in exported images. Each mark has an icon and a word besides its color. */
export const MARK_SHAPES: Record<Mark, MarkShape> = {
  start: { icon: 'M3 1.5 L10.5 6 L3 10.5 Z', ink: 'accent', ground: 'accentSoft' },
  ending: { icon: 'M2.5 1 H4 V1.6 H10.5 L8.6 4.3 L10.5 7 H4 V11 H2.5 Z', ink: 'added', ground: 'addedSoft' },
  deadEnd: {
    icon: 'M1 2.5 H11 V4.6 H1 Z M1 6 H11 V8.1 H1 Z M2.5 8.1 H4 V11 H2.5 Z M8 8.1 H9.5 V11 H8 Z',
    ink: 'warn',
    ground: 'warnSoft',
  },
  unreachable: {
    icon: 'M6 1 A5 5 0 1 0 6 11 A5 5 0 1 0 6 1 Z M6 2.4 A3.6 3.6 0 1 1 6 9.6 A3.6 3.6 0 1 1 6 2.4 Z M3.2 8 L8 3.2 L8.9 4.1 L4.1 8.9 Z',
    ink: 'muted',
    ground: 'sunk',
  },
  missing: {
    icon: 'M2.2 1.2 L6 5 L9.8 1.2 L10.8 2.2 L7 6 L10.8 9.8 L9.8 10.8 L6 7 L2.2 10.8 L1.2 9.8 L5 6 L1.2 2.2 Z',
    ink: 'error',
    ground: 'errorSoft',
  },
};
