import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Real games and parser vectors lie beside the repository, in `../shared`; tests that need them skip without. */
export const BESIDE = fileURLToPath(new URL('../../../shared/', import.meta.url));

/** A test's title, which says why it is skipped when a folder it needs is not there. */
export function titled(title: string, folder: string): string {
  return existsSync(BESIDE + folder)
    ? title
    : `${title} (skipped: there is no folder ../shared/${folder} beside the repository)`;
}
