import { timingSafeEqual } from 'node:crypto';
import type { JournalSignature } from '../journal/journal-signature.ts';

const MARK = /^[0-9a-f]{64}$/;
const HEAD = '{"mark":"';
const MIDDLE = '","event":';
const MARK_LENGTH = 64;
const BODY_AT = HEAD.length + MARK_LENGTH + MIDDLE.length;

/** Longest prefix of a line that contains its mark, in bytes. */
export const MARK_BYTES = BODY_AT;

/**
 * Signs the lines of one log: each has a mark over the log's name, the mark of the line before and its own text, made
 * with a key of this installation. A line that was forged, changed, moved or left out breaks the chain from there on; a
 * log under another name breaks at its first line. Lines missing at the end are not detected.
 */
export interface LineChain {
  /** The mark that the first line follows. */
  readonly start: string;
  /** Returns lines for the JSON texts in `bodies`, each with its line break, and the mark of the last one. */
  sign(bodies: readonly string[], last: string): { lines: string; last: string };
  /** Returns the JSON text and the mark of a line (without its line break) that follows `last`; null when it does not. */
  check(line: Buffer, last: string): { body: Buffer; mark: string } | null;
}

export async function createLineChain(signature: JournalSignature, name: string): Promise<LineChain> {
  const sign = await signature.signer();
  const start = sign(`log\n${name}`);
  const toMark = (last: string, body: string | Buffer): string => sign(`line\n${last}\n`, body);
  return {
    start,
    sign(bodies, last) {
      let mark = last;
      const lines = bodies.map((body) => {
        mark = toMark(mark, body);
        return `${HEAD}${mark}${MIDDLE}${body}}\n`;
      });
      return { lines: lines.join(''), last: mark };
    },
    check(line, last) {
      const mark = toLineMark(line);
      if (mark === null || line[line.length - 1] !== 0x7d) return null;
      const body = line.subarray(BODY_AT, -1);
      return timingSafeEqual(Buffer.from(mark), Buffer.from(toMark(last, body))) ? { body, mark } : null;
    },
  };
}

/** Returns the mark that a line claims, from its first `MARK_BYTES` bytes; null for a line of another format. */
export function toLineMark(line: Buffer): string | null {
  const head = line.toString('latin1', 0, BODY_AT);
  const mark = head.slice(HEAD.length, HEAD.length + MARK_LENGTH);
  return head === `${HEAD}${mark}${MIDDLE}` && MARK.test(mark) ? mark : null;
}

/** Returns the JSON text of a line whether or not its mark is valid. */
export function toLineBody(line: Buffer): Buffer {
  return toLineMark(line) === null ? line : line.subarray(BODY_AT, -1);
}
