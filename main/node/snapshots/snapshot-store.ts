import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { AppError } from '../../../shared/errors.ts';
import { toWriteFault } from '../../../shared/model/portable-name.ts';
import { SNAPSHOT_ID, SNAPSHOTS_PER_FILE } from '../../../shared/model/snapshot.ts';
import type { Snapshots, WriteLabel } from '../../core/ports.ts';
import { createDurably, NOFOLLOW_NONBLOCK, replaceFile, syncFile, toTempName } from '../files/durable-file.ts';
import { isMissing, toIoError, toSpecialFileError } from '../files/io-error.ts';
import { type OpenDirectory, openDirectory } from '../files/open-directory.ts';
import { toBytes, toText, toVersion } from '../files/strict-text.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';

import { createSnapshotIndex } from './snapshot-index.ts';
import { type RankedRecord, SnapshotRecord, toRanked, toSigned, toSnapshot, toSnapshotId } from './snapshot-record.ts';

const PART = 'snapshots';
const META = '.meta.json';
const MAX_META_BYTES = 64 * 1024;
/** The maximum that the writer reads and writes. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** Descriptions read before the index builder yields to the event loop. */
const BATCH_SIZE = 100;
/** Maximum of snapshots removed in one pass: a game may contain a hundred thousand of them. */
const MAX_REMOVED = 500;
/** Timestamps of one burst are kept distinct as long as they are at most this far ahead of the clock. */
const BURST_MS = 1000;
/** The folder's modification time is trusted once it is this old. */
const SETTLED_MS = 100;

/** The id and the order of a snapshot, assigned before anything is written. */
export interface SnapshotStamp {
  id: string;
  timestamp: number;
  /** Greater than that of every earlier snapshot, also when the clock was set back. */
  order?: number | undefined;
}

export interface KeptText {
  stamp: SnapshotStamp;
  path: string;
  /** Null when the file does not exist. */
  text: string | null;
  /** The text that is about to be written. */
  after: string | null;
  bytes: number;
  request?: string;
  restores?: string;
  label: WriteLabel;
}

/** The operations on snapshots that only the writer may use. */
export interface SnapshotStore extends Snapshots {
  /** Reads the folder into the index, so that the first stamp does not wait. */
  prepare(): Promise<void>;
  stamp(): Promise<SnapshotStamp>;
  /**
   * Keeps texts before a write, without the key of the call: a write that failed must not answer for a repeated call. The
   * texts can be read at once but are not yet durable; until `confirm` the journal holds them too.
   */
  keep(texts: readonly KeptText[]): Promise<void>;
  /**
   * Writes snapshots in their final form once the write has succeeded, and syncs them. Repeats those that a crash left
   * torn.
   */
  confirm(texts: readonly KeptText[]): Promise<void>;
  /** Removes the snapshots of a write that failed. */
  discard(ids: readonly string[]): Promise<void>;
  /** Returns the newest snapshot of a file, optionally the newest with a key. */
  latest(path: string, idempotencyKey?: string): Promise<SnapshotRecord | undefined>;
  /**
   * Removes snapshots beyond the retention, per file and origin, some hundreds in one pass. What is removed before it is
   * confirmed is not synced first.
   */
  prune(): Promise<void>;
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
 * Creates the store of `<id>.txt` and `<id>.meta.json` in `.webgal_agent/snapshots` (names from the tool contract). The
 * folder is read once and its index kept in memory; later the folder's modification time tells whether another program
 * changed it.
 *
 * `retention` is counted per file and origin: autosaves of a day must not push out the text before the assistant's edit.
 * Records that came with the game, or from another computer of the user, are counted separately.
 */
export function createSnapshotStore(
  folder: AgentFolder,
  options: { signature: JournalSignature; retention?: number },
): SnapshotStore {
  const { signature } = options;
  // Every write must be reversible, so at least one snapshot is kept.
  const retention = Math.max(1, options.retention ?? SNAPSHOTS_PER_FILE);
  const index = createSnapshotIndex();
  /** The folder's modification time when the index matched it; undefined when the index may not match. */
  let seen: bigint | 'absent' | undefined;
  /** When to check again a modification time that was too recent to be trusted, in ms since 1970. */
  let recheckAt: number | undefined;
  let lastTimestamp = 0;
  let lastOrder = 0;
  let hasIndex = false;
  /** Paths of files that may have more snapshots than the retention. */
  const overfullPaths = new Set<string>();
  /** Snapshots that are kept and not yet confirmed. */
  const unconfirmed = new Set<string>();
  let queue: Promise<unknown> = Promise.resolve();

  /** Runs actions one at a time: a check must not read half of a write. */
  function runExclusive<T>(action: () => Promise<T>): Promise<T> {
    const result = queue.then(action).catch((error: unknown) => {
      throw toIoError(error, PART);
    });
    queue = result.catch(() => undefined); // Reported to the caller.
    return result;
  }

  /** Keeps the folder open while `action` runs; returns null when there is none. */
  async function within<T>(action: (held: OpenDirectory) => T | Promise<T>): Promise<T | null> {
    const directory = await folder.find(PART);
    if (directory === null) return null;
    const held = openDirectory(directory);
    try {
      return await action(held);
    } finally {
      held.close();
    }
  }

  const timeOf = (held: OpenDirectory) => statSync(held.at('.'), { bigint: true }).mtimeNs;

  /** Changes the folder. The next check reads the whole folder again only if another program changed it too. */
  async function change(action: (held: OpenDirectory) => Promise<void>): Promise<void> {
    if ((await folder.find(PART)) === null) {
      // No snapshot was kept yet, or another program removed the folder.
      await folder.make(PART);
      if (seen === 'absent') seen = await within(timeOf).then((time) => time ?? undefined);
    }
    await within(async (held) => {
      const known = timeOf(held) === seen;
      try {
        await action(held);
      } finally {
        seen = known ? timeOf(held) : undefined;
      }
    });
  }

  function load(held: OpenDirectory, id: string): SnapshotRecord | undefined {
    try {
      const bytes = readKept(held, id + META);
      return bytes ? toRecord(bytes, id) : undefined;
    } catch {
      return undefined; // The contract skips damaged entries: one must not hide the others.
    }
  }

  async function refreshIndex(): Promise<void> {
    const time = await within(async (held) => {
      const now = timeOf(held);
      if (now === seen && (recheckAt === undefined || Date.now() < recheckAt)) return now;
      // A change right after this check could have the same timestamp: check once more, a little later.
      const settled = Date.now() - Number(now / 1_000_000n) > SETTLED_MS;
      const names = new Set(readdirSync(held.at('.')));
      const isKept = (id: string) => names.has(`${id}.txt`) && names.has(id + META);
      for (const id of [...index.ids()]) if (!isKept(id)) index.remove(id);
      let read = 0;
      for (const name of names) {
        const id = name.endsWith(META) ? name.slice(0, -META.length) : '';
        if (!SNAPSHOT_ID.test(id) || !isKept(id) || index.has(id)) continue;
        const record = load(held, id);
        const ranked = record && (await toRanked(record, signature));
        // Restoring a text that came with a game must not write a path that tools may not write.
        if (ranked && (ranked.isOwn || toWriteFault(ranked.path) === null)) add(ranked);
        read += 1;
        if (read % BATCH_SIZE === 0) await nextTurn();
      }
      hasIndex = true;
      seen = now;
      recheckAt = settled ? undefined : Date.now() + SETTLED_MS;
      return now;
    });
    if (time !== null) return;
    hasIndex = true;
    index.clear();
    seen = 'absent';
  }

  function add(record: RankedRecord): void {
    index.add(record);
    lastOrder = Math.max(lastOrder, record.rank);
  }

  /** Adds a record of this installation, whose mark need not be verified. */
  const addOwn = (record: SnapshotRecord) => add({ ...record, rank: record.order ?? record.timestamp, isOwn: true });

  async function remove(held: OpenDirectory, ids: readonly string[]): Promise<void> {
    for (const id of ids) index.remove(id);
    // The description first: a text without one is ignored, a description without a text would count as damage.
    for (const end of [META, '.txt']) {
      await Promise.all(ids.map((id) => unlink(held.at(id + end)).catch(unlessMissing)));
    }
  }

  function toRecordOf(kept: KeptText, text: Buffer, key: string | undefined): Promise<SnapshotRecord> {
    const { stamp, path: projectPath, after, bytes, request, restores, label } = kept;
    const record = {
      ...stamp,
      order: stamp.order ?? stamp.timestamp,
      path: projectPath,
      contentHash: toVersion(text).slice(0, 8),
      existed: kept.text !== null,
      origin: label.origin,
      group: label.group,
      title: label.title,
      ...(key !== undefined && { idempotencyKey: key }),
      after,
      bytes,
      ...(restores !== undefined && { restores }),
      ...(key !== undefined && request !== undefined && { request }),
    };
    return toSigned(record, signature);
  }

  async function keepOne(held: OpenDirectory, kept: KeptText): Promise<void> {
    const text = toBytes(kept.text ?? '', kept.path);
    const record = await toRecordOf(kept, text, undefined);
    // The text first: a process killed in between leaves no entry rather than a damaged one.
    await createDurably(held.at(`${record.id}.txt`), text, { lazy: true });
    await createDurably(held.at(record.id + META), JSON.stringify(record), { lazy: true });
    addOwn(record);
    unconfirmed.add(record.id);
    overfullPaths.add(record.path);
  }

  /** Writes the file unless it exists with these bytes, and syncs it in either case. */
  async function ensure(held: OpenDirectory, name: string, bytes: Buffer): Promise<void> {
    if (readKept(held, name)?.equals(bytes)) return syncFile(held.at(name));
    const temp = held.at(`.${toTempName()}`);
    try {
      await createDurably(temp, bytes);
      await replaceFile(temp, held.at(name));
    } catch (error) {
      rmSync(temp, { force: true });
      throw error;
    }
  }

  async function confirmOne(held: OpenDirectory, kept: KeptText): Promise<void> {
    const text = toBytes(kept.text ?? '', kept.path);
    const record = await toRecordOf(kept, text, kept.label.idempotencyKey);
    await Promise.all([
      ensure(held, `${record.id}.txt`, text),
      ensure(held, record.id + META, Buffer.from(JSON.stringify(record))),
    ]);
    addOwn(record);
    unconfirmed.delete(record.id);
    overfullPaths.add(record.path);
  }

  async function prune(): Promise<void> {
    if (overfullPaths.size === 0) return;
    const surplus = [...overfullPaths].flatMap((one) => index.surplus(one, retention).map(({ id }) => id));
    const chosen = surplus.slice(0, MAX_REMOVED);
    if (chosen.length > 0) await change((held) => remove(held, chosen));
    if (chosen.length === surplus.length) overfullPaths.clear();
  }

  async function prepare(): Promise<void> {
    if (!hasIndex) await runExclusive(refreshIndex);
  }

  return {
    retention,
    prepare,

    async stamp() {
      // The order also continues that of existing records, whose clock may have been ahead.
      await prepare();
      const now = Date.now();
      // Two writes within a millisecond still have an order; a clock that is set back is followed.
      lastTimestamp = lastTimestamp >= now && lastTimestamp - now < BURST_MS ? lastTimestamp + 1 : now;
      lastOrder = Math.max(now, lastOrder + 1);
      return { id: toSnapshotId(lastTimestamp), timestamp: lastTimestamp, order: lastOrder };
    },

    keep: (texts) =>
      runExclusive(() =>
        change(async (held) => {
          const results = await Promise.allSettled(texts.map((kept) => keepOne(held, kept)));
          const failure = results.find((result) => result.status === 'rejected');
          if (!failure) return;
          await remove(
            held,
            texts.map((kept) => kept.stamp.id),
          );
          throw failure.reason;
        }),
      ),

    async confirm(texts) {
      if (texts.length === 0) return;
      const isOurs = ({ stamp }: KeptText) => unconfirmed.has(stamp.id);
      const isFinal = (kept: KeptText) => isOurs(kept) && kept.label.idempotencyKey === undefined;
      const isGone = (kept: KeptText) => isOurs(kept) && !index.has(kept.stamp.id);
      const others = texts.filter((kept) => !isFinal(kept) && !isGone(kept));
      if (others.length > 0) {
        await runExclusive(() =>
          change(async (held) => void (await Promise.all(others.map((one) => confirmOne(held, one))))),
        );
      }
      // These files no longer change, so the sync need not hold the queue. Snapshots removed meanwhile are skipped.
      const names = texts.filter(isFinal).flatMap(({ stamp: { id } }) => [`${id}.txt`, id + META]);
      await within((held) =>
        Promise.all([held.sync(), ...names.map((name) => syncFile(held.at(name)).catch(unlessMissing))]),
      );
      for (const { stamp } of texts) unconfirmed.delete(stamp.id);
    },

    discard: (ids) =>
      runExclusive(() =>
        change((held) => {
          for (const id of ids) unconfirmed.delete(id);
          return remove(held, ids);
        }),
      ),

    latest: (projectPath, idempotencyKey) =>
      runExclusive(async () => {
        await refreshIndex();
        return index.latest(projectPath, idempotencyKey);
      }),

    prune: () =>
      runExclusive(async () => {
        await refreshIndex();
        await prune();
      }),

    list: ({ pathPrefix = '', limit = Number.POSITIVE_INFINITY } = {}) =>
      runExclusive(async () => {
        await refreshIndex();
        // If pruning fails, a list that is too long is better than none.
        await prune().catch(() => undefined);
        return index.list(pathPrefix, limit).map(toSnapshot);
      }),

    async read(id) {
      if (!SNAPSHOT_ID.test(id)) {
        throw new AppError('E_BAD_ARGS', 'A snapshot id looks like snap_20260101T120000_0a1b2c3d.', {
          hint: 'List the snapshots and take an id from there.',
        });
      }
      const kept = await within((held) => ({ meta: readKept(held, id + META), text: readKept(held, `${id}.txt`) }));
      if (!kept?.meta || !kept.text) {
        throw new AppError('E_NOT_FOUND', `There is no snapshot ${id}.`, {
          details: { snapshotId: id },
          hint: 'It may have been removed by the retention; list the snapshots that exist.',
          reason: 'snapshot.notFound',
        });
      }
      const record = toRecord(kept.meta, id);
      if (toWriteFault(record.path) !== null && !(await toRanked(record, signature)).isOwn) throw damaged(id);
      if (toVersion(kept.text).slice(0, 8) !== record.contentHash) throw damaged(id);
      return { snapshot: toSnapshot(record), text: record.existed ? toText(kept.text, record.path) : null };
    },
  };
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/** Reads a file of the folder; null when it does not exist. Refuses a link, a FIFO or a folder in its place. */
function readKept(held: OpenDirectory, name: string): Buffer | null {
  try {
    const handle = openSync(held.at(name), constants.O_RDONLY | NOFOLLOW_NONBLOCK);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) throw toSpecialFileError(name);
      // A game may contain huge ones, and descriptions are read with blocking calls.
      if (stats.size > (name.endsWith(META) ? MAX_META_BYTES : MAX_TEXT_BYTES)) throw damaged(name);
      return readFileSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw toIoError(error, name);
  }
}
