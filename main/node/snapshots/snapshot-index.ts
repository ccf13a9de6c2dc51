import { compareRecords, type RankedRecord } from './snapshot-record.ts';

/**
 * What is known of the snapshots, in orders that make every question cost what its answer is long: thousands of kept
 * texts must not slow down a write.
 */
export interface SnapshotIndex {
  has(id: string): boolean;
  ids(): Iterable<string>;
  /** Puts a record in, in place of one with the same id. */
  add(record: RankedRecord): void;
  remove(id: string): void;
  clear(): void;
  /** Newest first. */
  list(pathPrefix: string, limit: number): RankedRecord[];
  /** The newest of a file, optionally the newest of our own with a key: a game must not answer for a call of hers. */
  latest(path: string, idempotencyKey?: string): RankedRecord | undefined;
  /**
   * What is beyond the newest `retention` of a file, counted per origin, and apart for records from elsewhere: those must
   * not push out hers.
   */
  surplus(path: string, retention: number): RankedRecord[];
}

/** Oldest first: a new one is nearly always the newest and goes to the end. */
type Row = RankedRecord[];

/** Where a record stands or would stand. */
function findPlace(row: Row, record: RankedRecord): number {
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
  const at = row ? findPlace(row, record) : -1;
  if (row?.[at]?.id === record.id) row.splice(at, 1);
}

export function createSnapshotIndex(): SnapshotIndex {
  const records = new Map<string, RankedRecord>();
  const all: Row = [];
  /** By path, then by origin and whether it is our own. */
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

  function put(row: Row, record: RankedRecord): void {
    row.splice(findPlace(row, record), 0, record);
  }

  function rowOf<K>(rows: Map<K, Row>, key: K): Row {
    let row = rows.get(key);
    if (!row) {
      row = [];
      rows.set(key, row);
    }
    return row;
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
