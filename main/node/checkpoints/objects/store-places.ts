import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isMissing } from '../../files/io-error.ts';

/**
 * The folders of a store, in the app's data folder: `objects/ab/<SHA-256>` has the bytes, `states/<id>.json` one signed
 * record for each checkpoint, which names a tree: an object that lists paths, hashes and sizes. `epoch` changes before
 * objects are removed, so that what a program remembers of them is checked again.
 */
export interface StorePlaces {
  root: string;
  objects: string;
  states: string;
  temps: string;
  epoch: string;
  statCache: string;
}

export const HASH = /^[0-9a-f]{64}$/;

export function toStorePlaces(root: string): StorePlaces {
  return {
    root,
    objects: path.join(root, 'objects'),
    states: path.join(root, 'states'),
    temps: path.join(root, 'tmp'),
    epoch: path.join(root, 'epoch'),
    statCache: path.join(root, 'stat-cache'),
  };
}

export function makeStoreFolders({ objects, states, temps }: StorePlaces): void {
  for (const folder of [objects, states, temps]) mkdirSync(folder, { recursive: true, mode: 0o700 });
}

export function toObjectFile({ objects }: StorePlaces, hash: string): string {
  return path.join(objects, hash.slice(0, 2), hash);
}

/** Returns the current epoch; empty before the first removal. */
export function readEpoch({ epoch }: StorePlaces): string {
  try {
    return readFileSync(epoch, 'utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    throw error;
  }
}
