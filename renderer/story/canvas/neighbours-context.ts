import { createContext, type RefObject } from 'react';
import type { Neighbours } from '../layout/map-neighbours.ts';

export interface NeighboursOnMap {
  neighbours: Neighbours | null;
  /** The box that an arrow key has just led to and that wants the focus. */
  keyTarget: RefObject<string | null>;
}

/** What each box asks the map it stands on. */
export const NeighboursContext = createContext<NeighboursOnMap>({ neighbours: null, keyTarget: { current: null } });
