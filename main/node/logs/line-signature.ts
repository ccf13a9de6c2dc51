import { timingSafeEqual } from 'node:crypto';
import type { JournalSignature } from '../journal/journal-signature.ts';

const HEAD = ',"mark":"';
const FOOT = '"}';
const MARK_LENGTH = 64;
const TAIL_LENGTH = HEAD.length + MARK_LENGTH + FOOT.length;

/**
 * Signs single lines of a log that several programs append to concurrently, so that lines cannot be chained. The mark is
 * the last part of the line's JSON object. A line that was forged or changed is detected; one that was removed, repeated
 * or moved is not.
 */
export interface LineSignature {
  /** Returns the JSON text of an object with its mark; any other text unchanged. */
  sign(body: string): string;
  /** Returns whether this installation wrote a line (without its line break) for the log of this name. */
  isOurs(line: Buffer): boolean;
}

export async function createLineSignature(signature: JournalSignature, name: string): Promise<LineSignature> {
  const sign = await signature.signer();
  const head = Buffer.from(`line of ${name}\n`);
  const toMark = (body: Buffer) => sign(Buffer.concat([head, body]));
  return {
    sign(body) {
      if (!body.startsWith('{"') || !body.endsWith('}')) return body;
      return `${body.slice(0, -1)}${HEAD}${toMark(Buffer.from(body))}${FOOT}`;
    },
    isOurs(line) {
      const cut = line.length - TAIL_LENGTH;
      if (cut < 2 || line.toString('latin1', cut, cut + HEAD.length) !== HEAD) return false;
      if (line.toString('latin1', line.length - FOOT.length) !== FOOT) return false;
      const mark = line.subarray(cut + HEAD.length, -FOOT.length);
      const body = Buffer.concat([line.subarray(0, cut), Buffer.from('}')]);
      return timingSafeEqual(mark, Buffer.from(toMark(body)));
    },
  };
}
