import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createDurably, toTempName } from '../files/durable-file.ts';
import { readPrivateFile } from '../files/private-file.ts';
import { toVersion } from '../files/strict-text.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';

export const TEXTS_PART = 'transactions';
const TEXT_NAME = /^[0-9a-f]{64}\.txt$/;
/** Files handled before the event loop gets its turn. */
const BATCH_SIZE = 50;
/** A text that was just stored may belong to a line that another program has not written yet. */
const MIN_AGE_MS = 60_000;

/** The texts that the transaction log names, as `.webgal_agent/transactions/<sha-256>.txt`. */
export interface TextStore {
  /** Stores texts by their hashes. Not synced: the text is in the game's file or in a snapshot too. */
  keep(texts: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Moves the text file of a snapshot into the store. */
  take(file: string, hash: string): Promise<void>;
  /** Returns null if the text is not there, or is not what its name says. */
  read(hash: string): Promise<Buffer | null>;
  /** Removes all texts but these. */
  retain(hashes: ReadonlySet<string>): Promise<void>;
}

export function createTextStore(folder: AgentFolder): TextStore {
  return {
    async keep(texts) {
      if (texts.size === 0) return;
      const directory = await folder.make(TEXTS_PART);
      let done = 0;
      for (const [hash, bytes] of texts) {
        const file = path.join(directory, `${hash}.txt`);
        const found = lstatSync(file, { throwIfNoEntry: false });
        if (!found?.isFile() || found.size !== bytes.length) await writeText(file, bytes);
        done += 1;
        if (done % BATCH_SIZE === 0) await nextTurn();
      }
    },

    async take(file, hash) {
      renameSync(file, path.join(await folder.make(TEXTS_PART), `${hash}.txt`));
    },

    async read(hash) {
      const directory = await folder.find(TEXTS_PART);
      const bytes = directory && (await readPrivateFile(path.join(directory, `${hash}.txt`), `${hash}.txt`));
      return bytes && toVersion(bytes) === hash ? bytes : null;
    },

    async retain(hashes) {
      const directory = await folder.find(TEXTS_PART);
      if (!directory) return;
      let done = 0;
      for (const name of readdirSync(directory)) {
        done += 1;
        if (done % BATCH_SIZE === 0) await nextTurn();
        if (!TEXT_NAME.test(name) || hashes.has(name.slice(0, -'.txt'.length))) continue;
        const file = path.join(directory, name);
        const found = lstatSync(file, { throwIfNoEntry: false });
        // The change time is that of the move, for a text that came from a snapshot.
        if (found?.isFile() && Date.now() - found.ctimeMs > MIN_AGE_MS) rmSync(file, { force: true });
      }
    },
  };
}

async function writeText(file: string, bytes: Uint8Array): Promise<void> {
  const temp = path.join(path.dirname(file), `.${toTempName()}`);
  try {
    await createDurably(temp, bytes, { lazy: true });
    renameSync(temp, file);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}
