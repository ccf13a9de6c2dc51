import { cp } from 'node:fs/promises';
import { join } from 'node:path';

const SAMPLE = join(import.meta.dirname, '..', 'assets', 'sample-game');

/** Inputs of `copySample`, as paths in the repository. */
export const SAMPLE_INPUTS = ['assets/sample-game/game', 'assets/sample-game/LICENSE.txt'];

/** Copies the shipped part of the sample game: without `source/`, which contains the generators of its art and music. */
export async function copySample(folder: string): Promise<void> {
  await cp(SAMPLE, folder, { recursive: true, filter: (path) => path !== join(SAMPLE, 'source') });
}
