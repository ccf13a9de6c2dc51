import { readdirSync } from 'node:fs';
import { isMissing } from './io-error.ts';

/** Returns the names in a folder, synchronously; none when it does not exist any more. */
export function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
