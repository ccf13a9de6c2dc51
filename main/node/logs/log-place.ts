import type { BigIntStats } from 'node:fs';

/** The part of the app's folder in the game that has the logs of conversations. */
export const SESSIONS = 'sessions';

/** Returns what differs whenever size, times or identity of a log differ. */
export function toLogState({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return [size, mtimeNs, ctimeNs, ino].join(' ');
}
