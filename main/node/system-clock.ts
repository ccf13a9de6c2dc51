import { randomUUID } from 'node:crypto';
import type { Clock } from '../core/ports.ts';

/** The machine's clock and its random numbers. */
export function createSystemClock(): Clock {
  return { now: Date.now, id: randomUUID };
}
