import type { DescribedAsset } from '../../../shared/model/asset/asset.ts';

/** Returns the sides of a picture, if it has any, and the kilobytes, in the form of a language. */
export function toAssetSize({ width, height, bytes }: Omit<DescribedAsset, 'id' | 'type'>, language: string): string {
  const kilobytes = new Intl.NumberFormat(language, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
  const sides = width === undefined || height === undefined ? [] : [`${width} × ${height}`];
  return [...sides, kilobytes.format(Math.max(1, bytes / 1000))].join(' · ');
}
