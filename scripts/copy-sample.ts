import { cp } from 'node:fs/promises';
import { join } from 'node:path';

const SAMPLE = join(import.meta.dirname, '..', 'assets', 'sample-game');

/** What `copySample` reads, as paths in the repository. */
export const SAMPLE_INPUTS = ['assets/sample-game/game', 'assets/sample-game/LICENSE.txt'];

/** Copies the sample game as it ships: without `source/`, the programs that make its art and music. */
export async function copySample(folder: string): Promise<void> {
  await cp(SAMPLE, folder, { recursive: true, filter: (path) => path !== join(SAMPLE, 'source') });
}
