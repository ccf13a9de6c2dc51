export interface JsonBounds {
  /** Levels of objects and lists. */
  depth: number;
  /** Members of objects and lists together. */
  members: number;
}

/** For what a game or a service may have written: far above what the app itself writes. */
export const FOREIGN_JSON: JsonBounds = { depth: 500, members: 2_000_000 };

/** Counts JSON that arrives in pieces. `scan` throws `JsonBoundsError`. */
export interface JsonScanner {
  scan(bytes: Uint8Array): void;
}

/** JSON beyond its bounds; the message says which. */
export class JsonBoundsError extends SyntaxError {
  override name = 'JsonBoundsError';
}

/**
 * Parses JSON of another program. Throws `JsonBoundsError` before it parses JSON beyond the bounds, since some megabytes of brackets or of
 * names keep a parser, and every check behind it, busy for seconds; `SyntaxError` for text that is no JSON.
 */
export function parseBoundedJson(text: string, bounds: JsonBounds): unknown {
  createJsonScanner(bounds).scan(new TextEncoder().encode(text));
  return JSON.parse(text);
}

/**
 * Creates what counts the levels and members of JSON that arrives in pieces, as UTF-8. `scan` throws `JsonBoundsError`. In a stream of
 * events (`isStream`) the count begins anew after each blank line, where an event ends.
 */
export function createJsonScanner(
  { depth, members }: JsonBounds,
  { isStream = false }: { isStream?: boolean } = {},
): JsonScanner {
  let open = 0;
  let count = 0;
  let isInString = false;
  let isEscaped = false;
  let isLineEmpty = true;
  let isAfterReturn = false;

  function take(byte: number): void {
    isLineEmpty = false;
    if (byte === QUOTE) isInString = true;
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) open = Math.max(0, open - 1);
    else if (byte === BRACE || byte === BRACKET) {
      open += 1;
      count += 1;
      if (open > depth) throw new JsonBoundsError(`it is nested deeper than ${depth} levels`);
    } else if (byte === COMMA) count += 1;
    if (count > members) throw new JsonBoundsError(`it has more than ${members} members`);
  }

  /**
   * No string of JSON goes on behind a line; a comment of the stream may hold half a pair of quotes. Streams end lines by a carriage
   * return, a line feed, or both.
   */
  function endLine(byte: number): void {
    const isSecond = byte === LINE_FEED && isAfterReturn;
    isAfterReturn = byte === CARRIAGE_RETURN;
    if (isSecond) return;
    isInString = false;
    isEscaped = false;
    if (isStream && isLineEmpty) [open, count] = [0, 0];
    isLineEmpty = true;
  }

  return {
    scan(bytes) {
      // By index: most of what arrives is long strings, and an iterator takes ten times as long.
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] ?? 0;
        if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
          endLine(byte);
          continue;
        }
        isAfterReturn = false;
        if (!isInString) take(byte);
        else if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInString = false;
      }
    },
  };
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
