import { useStore } from '@xyflow/react';
import { useMemo } from 'react';

/** Tile size in map pixels; the drawn content changes only when the viewport enters other tiles. */
const TILE_PX = 1200;

export interface Region {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Returns the visible part of the map in whole tiles; null if everything is drawn. */
export function useRegion(isCulled: boolean): Region | null {
  const tiles = useStore(({ transform: [x, y, zoom], width: wide, height: high }) => {
    if (!isCulled) return '';
    const tile = (value: number, up: 0 | 1) => (Math.floor(value / zoom / TILE_PX) + up) * TILE_PX;
    return [tile(-x, 0), tile(-y, 0), tile(wide - x, 1), tile(high - y, 1)].join(' ');
  });
  return useMemo(() => {
    if (tiles === '') return null;
    const [left = 0, top = 0, right = 0, bottom = 0] = tiles.split(' ').map(Number);
    return { left, top, right, bottom };
  }, [tiles]);
}

/** True if the bounds intersect the region. */
export function isInRegion(region: Region, { left, top, right, bottom }: Region): boolean {
  return right >= region.left && left <= region.right && bottom >= region.top && top <= region.bottom;
}
