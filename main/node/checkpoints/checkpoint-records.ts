import { randomBytes } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { CHECKPOINT_ID, Checkpoint } from '../../../shared/model/checkpoint.ts';
import { createDurably, syncFolder, writeDurably } from '../files/durable-file.ts';
import { openDirectory } from '../files/open-directory.ts';
import { readPrivateFile } from '../files/private-file.ts';
import { readNames } from '../files/read-names.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';
import { HASH, type StorePlaces } from './objects/store-places.ts';

const MAX_RECORD_BYTES = 256 * 1024;
const ENDING = '.json';

const CheckpointRecord = Checkpoint.extend({ tree: z.string().regex(HASH) });
export type CheckpointRecord = z.infer<typeof CheckpointRecord>;

/** The signed records of checkpoints, one file each. */
export interface CheckpointRecords {
  /**
   * Returns records, newest first. `damaged` counts files that this installation did not write as they are; `trees` names
   * what all files need, as far as they can be read: also the damaged ones.
   */
  read(): Promise<{ records: CheckpointRecord[]; damaged: number; trees: string[] }>;
  /** Writes a new record; on disk when this resolves. */
  add(record: Omit<CheckpointRecord, 'id'>): Promise<CheckpointRecord>;
  replace(record: CheckpointRecord): Promise<void>;
  remove(id: string): Promise<void>;
}

export function createCheckpointRecords(places: StorePlaces, signature: JournalSignature): CheckpointRecords {
  /** By file name: a record is read once, unless its file was replaced. */
  const known = new Map<string, { stamp: string; record: CheckpointRecord | null; tree: string | null }>();

  const toFile = (id: string) => path.join(places.states, `${id}${ENDING}`);
  const toText = async (record: CheckpointRecord) => {
    const text = JSON.stringify(record);
    return `${text}\n${await signature.toMark(text)}\n`;
  };

  async function readOne(name: string): Promise<{ record: CheckpointRecord | null; tree: string | null }> {
    const bytes = await readPrivateFile(path.join(places.states, name), name, { maxBytes: MAX_RECORD_BYTES });
    const [text = '', mark = ''] = (bytes?.toString() ?? '').split('\n');
    try {
      const record = CheckpointRecord.parse(JSON.parse(text));
      const isOurs = `${record.id}${ENDING}` === name && (await signature.isOurs(text, mark));
      return { record: isOurs ? record : null, tree: record.tree };
    } catch {
      return { record: null, tree: null }; // Torn by a crash or a power cut: it was never acknowledged, or is lost.
    }
  }

  return {
    async read() {
      const records: CheckpointRecord[] = [];
      const trees = new Set<string>();
      let damaged = 0;
      for (const name of readNames(places.states)) {
        if (!CHECKPOINT_ID.test(name.slice(0, -ENDING.length)) || !name.endsWith(ENDING)) continue;
        const stats = lstatSync(path.join(places.states, name), { throwIfNoEntry: false });
        if (!stats) continue;
        const stamp = `${stats.ino} ${stats.mtimeMs} ${stats.ctimeMs} ${stats.size}`;
        let one = known.get(name);
        if (one?.stamp !== stamp) {
          one = { stamp, ...(await readOne(name)) };
          known.set(name, one);
        }
        if (one.record) records.push(one.record);
        else damaged += 1;
        if (one.tree) trees.add(one.tree);
      }
      records.sort((a, b) => (a.id < b.id ? 1 : -1));
      return { records, damaged, trees: [...trees] };
    },

    async add(facts) {
      // Sorts after all others, also when the clock was set back.
      const newest = readNames(places.states).filter((name) => CHECKPOINT_ID.test(name.slice(0, -ENDING.length)));
      const last = Number(newest.sort().at(-1)?.split('_')[1] ?? 0);
      const order = String(Math.max(Date.now(), last + 1)).padStart(13, '0');
      const record = { ...facts, id: `kept_${order}_${randomBytes(4).toString('hex')}` };
      const folder = openDirectory(places.states);
      try {
        // Not renamed: one wait for the disk instead of two. A torn file has no valid signature.
        const file = folder.at(`${record.id}${ENDING}`);
        await createDurably(file, await toText(record), { mode: 0o600, name: folder });
      } finally {
        folder.close();
      }
      return record;
    },

    async replace(record) {
      await writeDurably(toFile(record.id), await toText(record), 0o600);
    },

    async remove(id) {
      await rm(toFile(id), { force: true });
      await syncFolder(places.states);
    },
  };
}
