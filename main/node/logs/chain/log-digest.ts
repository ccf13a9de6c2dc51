import { createHash, type Hash } from 'node:crypto';

/** The SHA-256 of a log's name and of its bytes so far, computed as they are read or written. */
export interface LogDigest {
  /** Bytes of the log that it covers. */
  readonly size: number;
  add(bytes: string | Uint8Array): void;
  /** Returns the digest so far, as hex. */
  value(): string;
  /** Returns the number of bytes since the last digest line ended. */
  sinceLine(): number;
  /** A digest line ends here. */
  startLine(): void;
  copy(): LogDigest;
}

/** Creates the digest of an empty log. `start` identifies the log. */
export function createLogDigest(start: string): LogDigest {
  return toDigest(createHash('sha256').update(`digest\n${start}\n`), 0, 0);
}

function toDigest(hash: Hash, covered: number, lineEnd: number): LogDigest {
  let size = covered;
  let end = lineEnd;
  return {
    get size() {
      return size;
    },
    add(bytes) {
      hash.update(bytes);
      size += Buffer.byteLength(bytes);
    },
    value: () => hash.copy().digest('hex'),
    sinceLine: () => size - end,
    startLine() {
      end = size;
    },
    copy: () => toDigest(hash.copy(), size, end),
  };
}
