import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import { toWriteFault } from '../../../shared/model/portable-name.ts';
import { KEPT_TEXTS, SNAPSHOT_ID } from '../../../shared/model/snapshot.ts';
import type { Snapshots, WriteLabel } from '../../core/ports.ts';
import { createDurably, NO_SURPRISES, replaceFile, syncFile, toTempName } from '../files/durable-file.ts';
import { type HeldFolder, holdFolder } from '../files/held-folder.ts';
import { isMissing, toIoError, toSpecialFileError } from '../files/io-error.ts';
import { toBytes, toText, toVersion } from '../files/strict-text.ts';
import type { JournalSeal } from '../journal/journal-seal.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import { createSnapshotIndex } from './snapshot-index.ts';
import { type RankedRecord, SnapshotRecord, toRanked, toSealed, toSnapshot, toSnapshotId } from './snapshot-record.ts';

const PART = 'snapshots';
const META = '.meta.json';
const MAX_META_BYTES = 64 * 1024;
/** The writer reads and writes no longer ones. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** Descriptions read at a stretch while the index is built; then others have a turn. */
const STRETCH = 100;
/** What is cleared away at a stretch: a game may bring a hundred thousand of them. */
const MOST_REMOVED = 500;
/** Times of one burst are kept apart as long as they run no further ahead of the clock. */
const BURST_MS = 1000;
/** A folder's time is trusted once it is this old. */
const SETTLED_MS = 100;

/** Gives a snapshot its name and its place in the order before anything is written. */
export interface SnapshotStamp {
  id: string;
  timestamp: number;
  /** Greater than that of any before, also when the clock was put back. */
  order?: number | undefined;
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
  restores?: string;
  label: WriteLabel;
}

/** What the writer alone may do with snapshots. */
export interface SnapshotStore extends Snapshots {
  /** Knows from then on what the folder holds, so that the first stamp waits for nothing. */
  prepare(): Promise<void>;
  stamp(): Promise<SnapshotStamp>;
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
  /**
   * Removes what newer texts have pushed beyond the retention, per file and origin, some hundreds at a time. What goes
   * before it is confirmed is not made safe first.
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
 * `<id>.txt` beside `<id>.meta.json` in `.webgal_agent/snapshots`, as the tool contract names them. What the folder holds is read once
 * and kept in memory; afterwards a glance at the folder's time tells whether anything but us changed it.
 *
 * `retention` is counted per file and origin: autosaves of a day must not push out the text before the assistant's edit.
 * Records that came with the game, or from another computer of hers, are counted apart.
 */
export function createSnapshotStore(
  folder: AgentFolder,
  options: { seal: JournalSeal; retention?: number },
): SnapshotStore {
  const { seal } = options;
  // A write without a way back is none of this product's.
  const retention = Math.max(1, options.retention ?? KEPT_TEXTS);
  const index = createSnapshotIndex();
  /** The folder's time when the index matched it; undefined: it may not match. */
  let seen: bigint | 'absent' | undefined;
  /** When a time that was too fresh to be trusted is to be looked at again, in ms since 1970. */
  let doubted: number | undefined;
  let lastTimestamp = 0;
  let lastOrder = 0;
  let hasLooked = false;
  /** Paths of files that may have more texts than are kept. */
  const crowded = new Set<string>();
  /** Kept and not yet confirmed. */
  const unconfirmed = new Set<string>();
  let queue: Promise<unknown> = Promise.resolve();

  /** One at a time: a look must not see half of a write of ours. */
  function inTurn<T>(action: () => Promise<T>): Promise<T> {
    const result = queue.then(action).catch((error: unknown) => {
      throw toIoError(error, PART);
    });
    queue = result.catch(() => undefined); // Reported to the one who asked.
    return result;
  }

  /** Holds the folder while `action` runs; null when there is none. */
  async function within<T>(action: (held: HeldFolder) => T | Promise<T>): Promise<T | null> {
    const directory = await folder.find(PART);
    if (directory === null) return null;
    const held = holdFolder(directory);
    try {
      return await action(held);
    } finally {
      held.close();
    }
  }

  const timeOf = (held: HeldFolder) => statSync(held.at('.'), { bigint: true }).mtimeNs;

  /** Changes the folder without making the next look read all of it again, unless someone else changed it as well. */
  async function change(action: (held: HeldFolder) => Promise<void>): Promise<void> {
    if ((await folder.find(PART)) === null) {
      // Nothing was kept yet, or all of it was removed behind our back.
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

  function load(held: HeldFolder, id: string): SnapshotRecord | undefined {
    try {
      const bytes = readKept(held, id + META);
      return bytes ? toRecord(bytes, id) : undefined;
    } catch {
      return undefined; // Skipped, as the contract says: one damaged entry must not hide the others.
    }
  }

  async function look(): Promise<void> {
    const time = await within(async (held) => {
      const now = timeOf(held);
      if (now === seen && (doubted === undefined || Date.now() < doubted)) return now;
      // A change right after this look could share the tick of the clock: then it is looked at once more, a little later.
      const settled = Date.now() - Number(now / 1_000_000n) > SETTLED_MS;
      const names = new Set(readdirSync(held.at('.')));
      const isKept = (id: string) => names.has(`${id}.txt`) && names.has(id + META);
      for (const id of [...index.ids()]) if (!isKept(id)) index.remove(id);
      let read = 0;
      for (const name of names) {
        const id = name.endsWith(META) ? name.slice(0, -META.length) : '';
        if (!SNAPSHOT_ID.test(id) || !isKept(id) || index.has(id)) continue;
        const record = load(held, id);
        const ranked = record && (await toRanked(record, seal));
        // Going back to a text that a game brought must not write what no tool may.
        if (ranked && (ranked.isOwn || toWriteFault(ranked.path) === null)) add(ranked);
        read += 1;
        if (read % STRETCH === 0) await nextTurn();
      }
      hasLooked = true;
      seen = now;
      doubted = settled ? undefined : Date.now() + SETTLED_MS;
      return now;
    });
    if (time !== null) return;
    hasLooked = true;
    index.clear();
    seen = 'absent';
  }

  function add(record: RankedRecord): void {
    index.add(record);
    lastOrder = Math.max(lastOrder, record.rank);
  }

  /** A record of our own, whose mark need not be looked at. */
  const addOwn = (record: SnapshotRecord) => add({ ...record, rank: record.order ?? record.timestamp, isOwn: true });

  async function remove(held: HeldFolder, ids: readonly string[]): Promise<void> {
    for (const id of ids) index.remove(id);
    // The description first: a text without one is invisible, a description without a text would be damage.
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
    return toSealed(record, seal);
  }

  async function keepOne(held: HeldFolder, kept: KeptText): Promise<void> {
    const text = toBytes(kept.text ?? '', kept.path);
    const record = await toRecordOf(kept, text, undefined);
    // The text first: whoever is killed in between leaves no entry rather than a damaged one.
    await createDurably(held.at(`${record.id}.txt`), text, { lazy: true });
    await createDurably(held.at(record.id + META), JSON.stringify(record), { lazy: true });
    addOwn(record);
    unconfirmed.add(record.id);
    crowded.add(record.path);
  }

  /** Writes the file if it is not there with these bytes; either way the disk has it then. */
  async function ensure(held: HeldFolder, name: string, bytes: Buffer): Promise<void> {
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

  async function confirmOne(held: HeldFolder, kept: KeptText): Promise<void> {
    const text = toBytes(kept.text ?? '', kept.path);
    const record = await toRecordOf(kept, text, kept.label.idempotencyKey);
    await Promise.all([
      ensure(held, `${record.id}.txt`, text),
      ensure(held, record.id + META, Buffer.from(JSON.stringify(record))),
    ]);
    addOwn(record);
    unconfirmed.delete(record.id);
    crowded.add(record.path);
  }

  async function prune(): Promise<void> {
    if (crowded.size === 0) return;
    const surplus = [...crowded].flatMap((one) => index.surplus(one, retention).map(({ id }) => id));
    const chosen = surplus.slice(0, MOST_REMOVED);
    if (chosen.length > 0) await change((held) => remove(held, chosen));
    if (chosen.length === surplus.length) crowded.clear();
  }

  async function prepare(): Promise<void> {
    if (!hasLooked) await inTurn(look);
  }

  return {
    retention,
    prepare,

    async stamp() {
      // The order is that of what is there as well, whose clock may have run ahead.
      await prepare();
      const now = Date.now();
      // Two writes within a millisecond still have an order; a clock that is put back is followed.
      lastTimestamp = lastTimestamp >= now && lastTimestamp - now < BURST_MS ? lastTimestamp + 1 : now;
      lastOrder = Math.max(now, lastOrder + 1);
      return { id: toSnapshotId(lastTimestamp), timestamp: lastTimestamp, order: lastOrder };
    },

    keep: (texts) =>
      inTurn(() =>
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
        await inTurn(() =>
          change(async (held) => void (await Promise.all(others.map((one) => confirmOne(held, one))))),
        );
      }
      // Nothing changes any more, so nobody has to wait for the disk to have it. What is cleared away meanwhile may go.
      const names = texts.filter(isFinal).flatMap(({ stamp: { id } }) => [`${id}.txt`, id + META]);
      await within((held) =>
        Promise.all([held.sync(), ...names.map((name) => syncFile(held.at(name)).catch(unlessMissing))]),
      );
      for (const { stamp } of texts) unconfirmed.delete(stamp.id);
    },

    discard: (ids) =>
      inTurn(() =>
        change((held) => {
          for (const id of ids) unconfirmed.delete(id);
          return remove(held, ids);
        }),
      ),

    latest: (projectPath, idempotencyKey) =>
      inTurn(async () => {
        await look();
        return index.latest(projectPath, idempotencyKey);
      }),

    prune: () =>
      inTurn(async () => {
        await look();
        await prune();
      }),

    list: ({ pathPrefix = '', limit = Number.POSITIVE_INFINITY } = {}) =>
      inTurn(async () => {
        await look();
        // Where it cannot be cleared away, a list that is too long is better than none.
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
          hint: 'It may have been cleared away; list the snapshots to see those that are kept.',
          reason: 'snapshot.notFound',
        });
      }
      const record = toRecord(kept.meta, id);
      if (toWriteFault(record.path) !== null && !(await toRanked(record, seal)).isOwn) throw damaged(id);
      if (toVersion(kept.text).slice(0, 8) !== record.contentHash) throw damaged(id);
      return { snapshot: toSnapshot(record), text: record.existed ? toText(kept.text, record.path) : null };
    },
  };
}

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/** A file of the folder; null when there is none. A link, a FIFO or a folder in its place is refused. */
function readKept(held: HeldFolder, name: string): Buffer | null {
  try {
    const handle = openSync(held.at(name), constants.O_RDONLY | NO_SURPRISES);
    try {
      const stats = fstatSync(handle);
      if (!stats.isFile()) throw toSpecialFileError(name);
      // A game may bring one of gigabytes: descriptions are read while nothing else has a turn.
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
