import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../files/durable-file.ts';
import { readPrivateFile } from '../files/private-file.ts';

const FOLDER = 'playtests';
const MAX_BYTES = 128 * 1024 * 1024;

const KeptFile = z.object({ digest: z.string(), run: z.unknown() });

/** Where a test on the command line keeps what a later one needs to go on. `parts`: the texts for which it holds. */
export interface KeptRunFile {
  /** Returns the stored run; null if there is none. `isSame`: true if it was kept for these parts. Throws where it cannot be read. */
  read(parts: readonly string[]): Promise<{ run: unknown; isSame: boolean } | null>;
  /**
   * Replaces what is stored; null removes it. True where the run is stored now. What was stored stays where the run cannot be written,
   * or would be larger than what is read.
   */
  keep(parts: readonly string[], run: unknown): Promise<boolean>;
}

/** Creates the file for one game, in the app's own folder: a test writes nothing to the game. `projectId`: as of `FolderNames`. */
export function createKeptRunFile(dataFolder: string, projectId: string): KeptRunFile {
  const folder = path.join(dataFolder, FOLDER);
  const name = `${projectId}.json`;
  const file = path.join(folder, name);
  return {
    async read(parts) {
      const bytes = await readPrivateFile(file, name, { maxBytes: MAX_BYTES });
      if (bytes === null) return null;
      const { digest, run } = KeptFile.parse(JSON.parse(bytes.toString('utf8')));
      return { run, isSame: digest === toDigest(parts) };
    },
    async keep(parts, run) {
      try {
        if (run === null) {
          await rm(file, { force: true });
          return false;
        }
        const text = JSON.stringify({ digest: toDigest(parts), run }, atMost(MAX_BYTES));
        if (Buffer.byteLength(text) > MAX_BYTES) return false;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeDurably(file, text, 0o600);
        return true;
      } catch {
        // The report matters more, and says nothing of going on then. What stays holds for its texts still.
        return false;
      }
    },
  };
}

/** Returns what ends `JSON.stringify` where the values alone are more characters: the text of all would fill the memory. */
function atMost(characters: number): (key: string, value: unknown) => unknown {
  let left = characters;
  return (_key, value) => {
    left -= typeof value === 'string' ? value.length : 1;
    if (left < 0) throw new RangeError('The run is too large to be kept.');
    return value;
  };
}

function toDigest(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
}
