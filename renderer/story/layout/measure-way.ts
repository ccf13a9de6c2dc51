import type { WayBundle } from './bundle-ways.ts';
import { estimateWidth, fitText } from './fit-text.ts';
import { type MeasuredWay, ROW } from './placed-map.ts';

const MAX_LABEL_WIDTH = 176;

/** Estimates the size of an edge label. */
export function measureWay({ rows, ...way }: WayBundle): MeasuredWay {
  if (rows.length === 0) return { way, label: null };
  const fitting = rows.map((row) => ({ ...row, text: fitText(row.text, MAX_LABEL_WIDTH, ROW.font) }));
  const width = Math.max(...fitting.map(({ text }) => estimateWidth(text, ROW.font))) + 12;
  return { way, label: { width, height: fitting.length * ROW.height + 4, rows: fitting } };
}
