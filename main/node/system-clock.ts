import { randomUUID } from 'node:crypto';
import type { Clock } from '../core/ports/host.ts';

/** Creates the machine's clock with its random numbers. */
export function createSystemClock(): Clock {
  return { now: Date.now, id: randomUUID };
}
