import { createContext, type RefObject } from 'react';
import type { Neighbours } from '../layout/map-neighbours.ts';

export interface NeighboursOnMap {
  neighbours: Neighbours | null;
  /** Id of the node that an arrow key selected and that must be focused. */
  keyTarget: RefObject<string | null>;
}

/** Data of the map that each node reads. */
export const NeighboursContext = createContext<NeighboursOnMap>({ neighbours: null, keyTarget: { current: null } });
