import { compareRecords, type RankedRecord } from './snapshot-record.ts';

/**
 * An index of the snapshots, sorted so that the cost of each query depends on the length of its answer: thousands of
 * snapshots must not slow down a write.
 */
export interface SnapshotIndex {
  has(id: string): boolean;
  ids(): Iterable<string>;
  /** Adds a record, or replaces one with the same id. */
  add(record: RankedRecord): void;
  remove(id: string): void;
  clear(): void;
  /** Returns the newest first. */
  list(pathPrefix: string, limit: number): RankedRecord[];
  /**
   * Returns the newest of a file, optionally the newest own record with a key: records of a game must not answer for a
   * call of the app.
   */
  latest(path: string, idempotencyKey?: string): RankedRecord | undefined;
  /**
   * Returns the records beyond the newest `retention` of a file, counted per origin. Foreign records are counted
   * separately: they must not push out the user's own.
   */
  surplus(path: string, retention: number): RankedRecord[];
}

/** Oldest first: a new record is nearly always the newest and is appended. */
type Row = RankedRecord[];

/** Returns the index of a record, or where it would be inserted. */
function findInsertIndex(row: Row, record: RankedRecord): number {
  let [low, high] = [0, row.length];
  const last = row.at(-1);
  if (last && compareRecords(record, last) < 0) return row.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const there = row[middle];
    if (there && compareRecords(there, record) > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function take(row: Row | undefined, record: RankedRecord): void {
  const at = row ? findInsertIndex(row, record) : -1;
  if (row?.[at]?.id === record.id) row.splice(at, 1);
}

function put(row: Row, record: RankedRecord): void {
  row.splice(findInsertIndex(row, record), 0, record);
}

function rowOf<K>(rows: Map<K, Row>, key: K): Row {
  let row = rows.get(key);
  if (!row) {
    row = [];
    rows.set(key, row);
  }
  return row;
}

export function createSnapshotIndex(): SnapshotIndex {
  const records = new Map<string, RankedRecord>();
  const all: Row = [];
  /** By path, then by origin and whether it is an own record. */
  const files = new Map<string, Map<string, Row>>();
  const keys = new Map<string, Row>();
  const toKind = ({ isOwn, origin }: RankedRecord) => `${isOwn ? 'own' : 'other'} ${origin}`;
  const toKey = (path: string, key: string) => `${path}\n${key}`;

  function remove(id: string): void {
    const record = records.get(id);
    if (!record) return;
    records.delete(id);
    take(all, record);
    take(files.get(record.path)?.get(toKind(record)), record);
    if (record.isOwn && record.idempotencyKey !== undefined)
      take(keys.get(toKey(record.path, record.idempotencyKey)), record);
  }

  return {
    has: (id) => records.has(id),
    ids: () => records.keys(),
    remove,

    add(record) {
      remove(record.id);
      records.set(record.id, record);
      put(all, record);
      let kinds = files.get(record.path);
      if (!kinds) {
        kinds = new Map();
        files.set(record.path, kinds);
      }
      put(rowOf(kinds, toKind(record)), record);
      if (record.isOwn && record.idempotencyKey !== undefined)
        put(rowOf(keys, toKey(record.path, record.idempotencyKey)), record);
    },

    clear() {
      records.clear();
      all.length = 0;
      files.clear();
      keys.clear();
    },

    list(pathPrefix, limit) {
      const found: RankedRecord[] = [];
      for (let at = all.length - 1; at >= 0 && found.length < limit; at -= 1) {
        const record = all[at];
        if (record?.path.startsWith(pathPrefix)) found.push(record);
      }
      return found;
    },

    latest(path, idempotencyKey) {
      if (idempotencyKey !== undefined) return keys.get(toKey(path, idempotencyKey))?.at(-1);
      let newest: RankedRecord | undefined;
      for (const row of files.get(path)?.values() ?? []) {
        const last = row.at(-1);
        if (last && (!newest || compareRecords(last, newest) < 0)) newest = last;
      }
      return newest;
    },

    surplus(path, retention) {
      return [...(files.get(path)?.values() ?? [])].flatMap((row) => row.slice(0, Math.max(0, row.length - retention)));
    },
  };
}
