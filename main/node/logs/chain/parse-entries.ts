import { FOREIGN_JSON, parseBoundedJson } from '../../../../shared/text/bounded-json.ts';

/** Receives the parsed JSON text of a line; undefined for one that is no JSON or too long. */
export type TakeEntry = (entry: unknown) => void;

/** About as much is parsed at once. More needs memory that the system has to provide anew each time. */
const BATCH_BYTES = 64 * 1024;
const [OPEN, COMMA, CLOSE] = [0x5b, 0x2c, 0x5d];

/** Lines whose texts are parsed together. */
export interface EntryBatch {
  /** Takes the JSON text between two places of a buffer, which may change afterwards. */
  add(bytes: Buffer, start: number, end: number): void;
  /** Passes on the entries of all texts so far, in their order. */
  flush(): void;
}

/**
 * Parses the texts of many lines as one array. One by one each needs a string of its own, and collecting those costs about as
 * much as the parse.
 */
export function createEntryBatch(take: TakeEntry): EntryBatch {
  let joined = Buffer.allocUnsafe(2 * BATCH_BYTES);
  /** Where each text ends, and a comma follows. */
  const ends: number[] = [];
  let filled = 0;

  function flush(): void {
    if (ends.length === 0) return;
    joined[filled - 1] = CLOSE;
    const entries = parseEntry(joined.toString('utf8', 0, filled));
    // A line that is no JSON spoils the array; then each is parsed alone.
    if (Array.isArray(entries) && entries.length === ends.length) for (const entry of entries) take(entry);
    else
      for (const [at, end] of ends.entries()) take(parseEntry(joined.toString('utf8', (ends[at - 1] ?? 0) + 1, end)));
    ends.length = 0;
    filled = 0;
  }

  return {
    flush,
    add(bytes, start, end) {
      if (filled === 0) joined[filled++] = OPEN;
      if (filled + end - start >= joined.length) {
        joined = Buffer.concat([joined], 2 * Math.max(joined.length, filled + end - start));
      }
      filled += bytes.copy(joined, filled, start, end);
      ends.push(filled);
      joined[filled++] = COMMA;
      if (filled > BATCH_BYTES) flush();
    },
  };
}

/** Returns undefined for a text that is no JSON. */
export function parseEntry(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Like `parseEntry`, for a text that the app did not write: undefined also for one that takes a parser seconds to read. */
export function parseForeignEntry(json: string): unknown {
  try {
    return parseBoundedJson(json, FOREIGN_JSON);
  } catch {
    return undefined;
  }
}
