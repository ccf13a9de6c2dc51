const LINE_FEED = 0x0a;
/** The longest text of a tool call is 5 MiB, and JSON may encode each byte as six. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** Splits bytes into lines without copying a long line once per chunk. */
export interface LineReader {
  /** Reads a chunk; stops between two lines once `isClosed` returns true. */
  read(chunk: Buffer): void;
  /** Ends the current line; called where the input ends without a line break. */
  endLine(): void;
}

/** Creates the reader. Blank lines are skipped. A line that is too long is reported once, and the next one is read. */
export function createLineReader(options: {
  onLine: (line: Buffer) => void;
  onTooLong: (maxBytes: number) => void;
  isClosed: () => boolean;
}): LineReader {
  const { onLine, onTooLong, isClosed } = options;
  let pieces: Buffer[] = [];
  let bytes = 0;
  let isSkipping = false;

  const take = (piece: Buffer): void => {
    if (isSkipping) return;
    pieces.push(piece);
    bytes += piece.length;
    if (bytes <= MAX_LINE_BYTES) return;
    isSkipping = true;
    pieces = [];
    bytes = 0;
    onTooLong(MAX_LINE_BYTES);
  };

  const endLine = (): void => {
    const line = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, bytes);
    const wasSkipping = isSkipping;
    pieces = [];
    bytes = 0;
    isSkipping = false;
    if (!wasSkipping && line.some((byte) => byte > 0x20)) onLine(line);
  };

  return {
    read(chunk) {
      let start = 0;
      for (let feed = chunk.indexOf(LINE_FEED); feed !== -1 && !isClosed(); feed = chunk.indexOf(LINE_FEED, start)) {
        take(chunk.subarray(start, feed));
        endLine();
        start = feed + 1;
      }
      take(chunk.subarray(start));
    },
    endLine,
  };
}
