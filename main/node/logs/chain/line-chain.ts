import { timingSafeEqual } from 'node:crypto';
import type { JournalSignature } from '../../journal/journal-signature.ts';
import { createLogDigest, type LogDigest } from './log-digest.ts';

const MARK = /^[0-9a-f]{64}$/;
const HEAD = '{"mark":"';
const MIDDLE = '","event":';
const MARK_LENGTH = 64;
/** Where the JSON text begins in a line with a mark; it ends before the last byte. */
export const BODY_AT = HEAD.length + MARK_LENGTH + MIDDLE.length;

/** Begins the body of a line that the app adds for itself: it contains the digest of all bytes before it. */
const DIGEST_HEAD = '{"t":"digest","sha256":"';
const DIGEST_FOOT = '"}';
const DIGEST_LINE_LENGTH = BODY_AT + DIGEST_HEAD.length + MARK_LENGTH + DIGEST_FOOT.length + '}'.length;
/** A digest line follows at least this many bytes, so that few lines after the last one are verified one by one. */
const BYTES_BETWEEN_DIGESTS = 256 * 1024;

/**
 * Signs the lines of one log: each has a mark over the log's name, the mark of the line before and its own text, made
 * with a key of this installation. A line that was forged, changed, moved or left out breaks the chain from there on; a
 * log under another name breaks at its first line. Lines missing at the end are not detected.
 *
 * Computing a mark for each line of a long log costs several times what parsing it does. Therefore a line in between contains
 * a digest of the log's name and all bytes before it: if that line is valid, so is every line before it.
 */
export interface LineChain {
  /** The mark that the first line follows. */
  readonly start: string;
  /**
   * Returns lines for the JSON texts in `bodies`, each with its line break, and the mark of the last one. With the digest of
   * what the log contains so far, digest lines are added and the digest after all lines is returned.
   */
  sign(
    bodies: readonly string[],
    last: string,
    digest: LogDigest | null,
  ): { lines: string; last: string; digest: LogDigest | null };
  /** Returns the mark of a line (without its line break) that follows `last`; null when it does not. */
  check(line: Buffer, last: string): string | null;
  /** Returns the digest of an empty log. */
  toDigest(): LogDigest;
}

export async function createLineChain(signature: JournalSignature, name: string): Promise<LineChain> {
  const sign = await signature.signer();
  const start = sign(`log\n${name}`);
  const toMark = (last: string, body: string | Buffer): string => sign(`line\n${last}\n`, body);
  return {
    start,
    toDigest: () => createLogDigest(start),
    sign(bodies, last, before) {
      const digest = before?.copy() ?? null;
      const lines: string[] = [];
      let mark = last;
      const add = (body: string): void => {
        mark = toMark(mark, body);
        const line = `${HEAD}${mark}${MIDDLE}${body}}\n`;
        lines.push(line);
        digest?.add(line);
      };
      for (const body of bodies) {
        add(body);
        if (!digest || digest.sinceLine() < BYTES_BETWEEN_DIGESTS) continue;
        add(`${DIGEST_HEAD}${digest.value()}${DIGEST_FOOT}`);
        digest.startLine();
      }
      return { lines: lines.join(''), last: mark, digest };
    },
    check(line, last) {
      const mark = toLineMark(line);
      if (mark === null || line[line.length - 1] !== 0x7d) return null;
      const body = line.subarray(BODY_AT, -1);
      return timingSafeEqual(Buffer.from(mark), Buffer.from(toMark(last, body))) ? mark : null;
    },
  };
}

/** Returns the mark that a line claims, from its first `BODY_AT` bytes; null for a line of another format. */
export function toLineMark(line: Buffer): string | null {
  const head = line.toString('latin1', 0, BODY_AT);
  const mark = head.slice(HEAD.length, HEAD.length + MARK_LENGTH);
  return head === `${HEAD}${mark}${MIDDLE}` && MARK.test(mark) ? mark : null;
}

/** Returns the JSON text of a line whether or not its mark is valid. */
export function toLineBody(line: Buffer): Buffer {
  return toLineMark(line) === null ? line : line.subarray(BODY_AT, -1);
}

/** Returns the digest that a line of a log claims; null for the line of an event. */
export function toClaimedDigest(log: Buffer, start: number, end: number): string | null {
  // Lines of another length need no look at their text.
  if (end - start !== DIGEST_LINE_LENGTH || toLineMark(log.subarray(start, end)) === null) return null;
  const body = log.toString('latin1', start + BODY_AT, end - 1);
  const digest = body.slice(DIGEST_HEAD.length, -DIGEST_FOOT.length);
  return body === `${DIGEST_HEAD}${digest}${DIGEST_FOOT}` && MARK.test(digest) ? digest : null;
}
