/** Bytes to send, both ends inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses a `Range` header: null for none, or for one that may be answered with the whole (several ranges, another unit).
 * Players request ranges to seek within audio and video.
 */
export function toByteRange(header: string | undefined, bytes: number): ByteRange | null | 'unsatisfiable' {
  const match = header === undefined ? null : /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  if (!match) return null;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return null;
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(first);
  if (start >= bytes) return 'unsatisfiable';
  const end = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  return end < start ? null : { start, end };
}
