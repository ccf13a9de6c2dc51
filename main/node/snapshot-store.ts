import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { SNAPSHOT_ID, type Snapshot } from '../../shared/model/snapshot.ts';
import type { Snapshots, WriteLabel } from '../core/ports.ts';
import type { AgentFolder } from './agent-folder.ts';
import { createDurably, syncFile, syncFolder, writeDurably } from './durable-file.ts';
import { toIoError } from './io-error.ts';
import { readPrivateFile } from './private-file.ts';
import { compareRecords, SnapshotRecord, toSnapshot, toSnapshotId } from './snapshot-record.ts';
import { toBytes, toText, toVersion } from './strict-text.ts';

const PART = 'snapshots';
const META = '.meta.json';
/** Reads at a time while the index is built: enough to keep the disk busy, too few to run out of handles. */
const READERS = 32;
/** A folder's time is trusted once it is this old. */
const SETTLED_MS = 100;

/** Gives a snapshot its name and its place in the order before anything is written. */
export interface SnapshotStamp {
  id: string;
  timestamp: number;
}

export interface KeptText {
  stamp: SnapshotStamp;
  path: string;
  /** Null when the file does not exist. */
  text: string | null;
  /** What is about to be written. */
  after: string | null;
  bytes: number;
  request?: string;
  label: WriteLabel;
}

/** What the writer alone may do with snapshots. */
export interface SnapshotStore extends Snapshots {
  stamp(): SnapshotStamp;
  /**
   * Keeps texts before a write, without the key of the call: a write that never came about must not answer for one
   * that did. They can be read at once but are not yet safe from a power cut; until `confirm` the journal holds them too.
   */
  keep(texts: readonly KeptText[]): Promise<void>;
  /** Puts snapshots in their final form once the write has happened, safe on the disk; makes anew what a crash left torn. */
  confirm(texts: readonly KeptText[]): Promise<void>;
  /** Takes back snapshots of a write that did not happen. */
  discard(ids: readonly string[]): Promise<void>;
  /** The newest snapshot of a file, optionally the one a key belongs to. */
  latest(path: string, idempotencyKey?: string): Promise<SnapshotRecord | undefined>;
  /** Removes what is beyond the retention, per file and origin. */
  prune(path: string): Promise<void>;
}

function damaged(id: string, cause?: unknown): AppError {
  return new AppError('E_PARSE_FAIL', `The snapshot ${id} is damaged.`, {
    details: { snapshotId: id },
    hint: 'Choose another snapshot of the same file.',
    reason: 'snapshot.damaged',
    cause,
  });
}

function toRecord(bytes: Buffer, id: string): SnapshotRecord {
  try {
    const record = SnapshotRecord.parse(JSON.parse(toText(bytes, id)));
    if (record.id === id) return record;
  } catch (error) {
    throw damaged(id, error);
  }
  throw damaged(id);
}

/**
 * `<id>.txt` beside `<id>.meta.json` in `.webgal_agent/snapshots` (contract §0.4). What the folder holds is read once
 * and kept in memory; afterwards a glance at the folder's time tells whether anything but us changed it.
 *
 * `retention` is counted per file and origin: autosaves of a day must not push out the text before the assistant's edit.
 */
export function createSnapshotStore(folder: AgentFolder, options: { retention?: number } = {}): SnapshotStore {
  const retention = Math.max(1, options.retention ?? 20);
  let records = new Map<string, SnapshotRecord>();
  /** `records` newest first; undefined after a change. */
  let sorted: SnapshotRecord[] | undefined;
  /** The folder's time when `records` matched it; undefined: they may not match. */
  let seen: bigint | 'absent' | undefined;
  let lastTimestamp = 0;
  let queue: Promise<unknown> = Promise.resolve();

  /** One at a time: a look must not see half of a write of ours. */
  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = queue.then(action).catch((error: unknown) => {
      throw toIoError(error, PART);
    });
    queue = result.catch(() => undefined); // Reported to the one who asked.
    return result;
  }

  async function readTime(): Promise<bigint | 'absent'> {
    const directory = await folder.find(PART);
    return directory ? (await stat(directory, { bigint: true })).mtimeNs : 'absent';
  }

  /** Changes the folder without making the next look read all of it again, unless someone else changed it as well. */
  async function change(action: (directory: string) => Promise<void>): Promise<void> {
    const known = seen !== undefined && (await readTime()) === seen;
    const directory = await folder.make(PART);
    try {
      await action(directory);
    } finally {
      sorted = undefined;
      seen = known ? (await stat(directory, { bigint: true })).mtimeNs : undefined;
    }
  }

  async function load(directory: string, id: string): Promise<SnapshotRecord | undefined> {
    const bytes = await readPrivateFile(path.join(directory, id + META), id).catch(() => null);
    if (!bytes) return undefined;
    try {
      return toRecord(bytes, id);
    } catch {
      return undefined; // Skipped, as the contract says: one damaged entry must not hide the others.
    }
  }

  async function look(): Promise<void> {
    const directory = await folder.find(PART);
    const time = await readTime();
    if (time === seen) return;
    if (!directory || time === 'absent') {
      records = new Map();
      sorted = undefined;
      seen = 'absent';
      return;
    }
    // A change right after this look could share the tick of the clock; such a time is not worth remembering.
    const settled = Date.now() - Number(time / 1_000_000n) > SETTLED_MS;
    const names = new Set(await readdir(directory));
    const next = new Map<string, SnapshotRecord>();
    const unknown: string[] = [];
    for (const name of names) {
      if (!name.endsWith(META)) continue;
      const id = name.slice(0, -META.length);
      if (!SNAPSHOT_ID.test(id) || !names.has(`${id}.txt`)) continue;
      const known = records.get(id);
      if (known) next.set(id, known);
      else unknown.push(id);
    }
    const read = async (): Promise<void> => {
      for (let id = unknown.pop(); id !== undefined; id = unknown.pop()) {
        const record = await load(directory, id);
        if (record) next.set(id, record);
      }
    };
    await Promise.all(Array.from({ length: READERS }, read));
    records = next;
    sorted = undefined;
    seen = settled ? time : undefined;
  }

  async function remove(directory: string, ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      records.delete(id);
      // The description first: a text without one is invisible, a description without a text would be damage.
      await rm(path.join(directory, id + META), { force: true });
      await rm(path.join(directory, `${id}.txt`), { force: true });
    }
  }

  function toRecordOf(kept: KeptText, text: Buffer, key: string | undefined): SnapshotRecord {
    const { stamp, path: projectPath, after, bytes, request, label } = kept;
    return {
      ...stamp,
      path: projectPath,
      contentHash: toVersion(text).slice(0, 8),
      existed: kept.text !== null,
      origin: label.origin,
      group: label.group,
      title: label.title,
      ...(key !== undefined && { idempotencyKey: key }),
      after,
      bytes,
      ...(key !== undefined && request !== undefined && { request }),
    };
  }

  async function keepOne(directory: string, kept: KeptText): Promise<void> {
    const text = toBytes(kept.text ?? '', kept.path);
    const record = toRecordOf(kept, text, undefined);
    await Promise.all([
      createDurably(path.join(directory, `${record.id}.txt`), text, { lazy: true }),
      createDurably(path.join(directory, record.id + META), JSON.stringify(record), { lazy: true }),
    ]);
    records.set(record.id, record);
  }

  /** Writes the file if it is not there with these bytes; either way the disk has it then. */
  async function ensure(file: string, bytes: Buffer): Promise<void> {
    const stored = await readPrivateFile(file, path.basename(file));
    if (stored?.equals(bytes)) await syncFile(file);
    else await writeDurably(file, bytes);
  }

  async function confirmOne(directory: string, kept: KeptText): Promise<void> {
    const text = toBytes(kept.text ?? '', kept.path);
    const record = toRecordOf(kept, text, kept.label.idempotencyKey);
    await Promise.all([
      ensure(path.join(directory, `${record.id}.txt`), text),
      ensure(path.join(directory, record.id + META), Buffer.from(JSON.stringify(record))),
    ]);
    records.set(record.id, record);
  }

  return {
    retention,
    stamp() {
      // Two writes within a millisecond still have an order.
      lastTimestamp = Math.max(Date.now(), lastTimestamp + 1);
      return { id: toSnapshotId(lastTimestamp), timestamp: lastTimestamp };
    },

    keep: (texts) =>
      inTurn(() =>
        change(async (directory) => {
          const results = await Promise.allSettled(texts.map((kept) => keepOne(directory, kept)));
          const failure = results.find((result) => result.status === 'rejected');
          if (!failure) return;
          await remove(
            directory,
            texts.map((kept) => kept.stamp.id),
          );
          throw failure.reason;
        }),
      ),

    async confirm(texts) {
      if (texts.length === 0) return;
      await inTurn(() =>
        change(async (directory) => {
          await Promise.all(texts.map((kept) => confirmOne(directory, kept)));
          await syncFolder(directory);
        }),
      );
    },

    discard: (ids) => inTurn(() => change((directory) => remove(directory, ids))),

    latest: (projectPath, idempotencyKey) =>
      inTurn(async () => {
        await look();
        let found: SnapshotRecord | undefined;
        for (const record of records.values()) {
          if (record.path !== projectPath) continue;
          if (idempotencyKey !== undefined && record.idempotencyKey !== idempotencyKey) continue;
          if (!found || compareRecords(record, found) < 0) found = record;
        }
        return found;
      }),

    prune: (projectPath) =>
      inTurn(async () => {
        await look();
        const counts = new Map<string, number>();
        const all = [...records.values()].filter((record) => record.path === projectPath).sort(compareRecords);
        const surplus = all.filter((record) => {
          const count = (counts.get(record.origin) ?? 0) + 1;
          counts.set(record.origin, count);
          return count > retention;
        });
        if (surplus.length === 0) return;
        await change((directory) =>
          remove(
            directory,
            surplus.map((record) => record.id),
          ),
        );
      }),

    list: ({ pathPrefix = '', limit = Number.POSITIVE_INFINITY } = {}) =>
      inTurn(async () => {
        await look();
        sorted ??= [...records.values()].sort(compareRecords);
        const found: Snapshot[] = [];
        for (const record of sorted) {
          if (found.length >= limit) break;
          if (record.path.startsWith(pathPrefix)) found.push(toSnapshot(record));
        }
        return found;
      }),

    async read(id) {
      if (!SNAPSHOT_ID.test(id)) {
        throw new AppError('E_BAD_ARGS', 'A snapshot id looks like snap_20260101T120000_0a1b2c3d.', {
          hint: 'List the snapshots and take an id from there.',
        });
      }
      const directory = await folder.find(PART);
      const [meta, text] = directory
        ? await Promise.all([
            readPrivateFile(path.join(directory, id + META), id),
            readPrivateFile(path.join(directory, `${id}.txt`), id),
          ])
        : [null, null];
      if (!meta || !text) {
        throw new AppError('E_NOT_FOUND', `There is no snapshot ${id}.`, {
          details: { snapshotId: id },
          hint: 'It may have been cleared away; list the snapshots to see those that are kept.',
          reason: 'snapshot.notFound',
        });
      }
      const record = toRecord(meta, id);
      if (toVersion(text).slice(0, 8) !== record.contentHash) throw damaged(id);
      return { snapshot: toSnapshot(record), text: record.existed ? toText(text, record.path) : null };
    },
  };
}
