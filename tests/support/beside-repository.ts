import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of real games and parser vectors next to the repository; tests that need it are skipped without. */
export const BESIDE = fileURLToPath(new URL('../../../shared/', import.meta.url));

/** Returns a test's title, with the reason if the test is skipped because a folder is missing. */
export function titled(title: string, folder: string): string {
  return existsSync(BESIDE + folder)
    ? title
    : `${title} (skipped: there is no folder ../shared/${folder} beside the repository)`;
}
