import { BODY_AT, type LineChain, toClaimedDigest, toLineMark } from './line-chain.ts';
import type { LogDigest } from './log-digest.ts';
import { createEntryBatch, type EntryBatch, parseEntry, parseForeignEntry, type TakeEntry } from './parse-entries.ts';

const LINE_FEED = 0x0a;
/** The first line of a log contains its start and little else. */
const MAX_FIRST_LINE_BYTES = 4 * 1024;
/** Longer than any line this app writes: two texts of a file at their maximum, as JSON. */
const MAX_LINE_BYTES = 192 * 1024 * 1024;
/** Maximum of a foreign log that is shown. */
export const MAX_FOREIGN_BYTES = 2 * 1024 * 1024;
/** What a line counts towards that maximum at least: millions of empty lines take seconds, too. */
const MIN_LINE_BYTES = 64;
/** Bytes of lines that wait for a digest line before they are verified one by one. Older logs have no digest lines. */
const MAX_WAITING_BYTES = 512 * 1024;

export interface VerifiedLog {
  lines: number;
  /** From the first invalid line on. */
  isForeign: boolean;
  /** Digest of the whole log; null for a foreign one. */
  digest: LogDigest | null;
}

/**
 * Verifies the lines of a log and passes on their events. From the first invalid line on the log is foreign, and only its beginning
 * is passed on.
 *
 * Lines wait for the next digest line. Where that is valid, so are they; elsewhere each is verified by its own mark, so that a
 * digest line never decides that a log is foreign.
 */
export interface LineVerifier {
  /** Takes the bytes that it did not use so far and those after them. Returns how many of them it will not need again. */
  take(bytes: Buffer): number;
  /** Returns whether nothing more is to be read. */
  isDone(): boolean;
  /** Takes the bytes that it did not use. */
  end(bytes: Buffer): VerifiedLog;
}

interface State {
  readonly chain: LineChain;
  readonly take: TakeEntry;
  /** Of lines that a digest line covers. */
  readonly batch: EntryBatch;
  /** Covers the bytes before `covered`. */
  readonly digest: LogDigest;
  covered: number;
  /** Lines wait from here … */
  waiting: number;
  /** … to here, where the next line begins. */
  next: number;
  /** Where the last waiting line begins. */
  previous: number;
  /** Mark of the last line before those that wait. */
  last: string;
  lines: number;
  /** Bytes of the lines that were passed on. */
  passed: number;
  isForeign: boolean;
  /** The next line is too long, and its end was not read yet. */
  isSkipping: boolean;
}

export function createLineVerifier(chain: LineChain, take: TakeEntry): LineVerifier {
  const state: State = {
    ...{ chain, take, batch: createEntryBatch(take), digest: chain.toDigest(), last: chain.start },
    ...{ covered: 0, waiting: 0, next: 0, previous: 0, lines: 0, passed: 0, isForeign: false, isSkipping: false },
  };
  return {
    take(bytes) {
      takeLines(state, bytes);
      if (!state.isForeign) coverTo(state, bytes, state.next);
      const used = state.waiting;
      state.covered -= used;
      state.next -= used;
      state.previous -= used;
      state.waiting = 0;
      return used;
    },
    isDone: () => isDone(state),
    end(bytes) {
      verifyWaiting(state, bytes);
      const { lines, isForeign, digest } = state;
      return { lines, isForeign, digest: isForeign ? null : digest };
    },
  };
}

const isDone = ({ isForeign, passed }: State): boolean => isForeign && passed > MAX_FOREIGN_BYTES;

function takeLines(state: State, bytes: Buffer): void {
  if (state.isSkipping) skipLine(state, bytes);
  while (!isDone(state)) {
    const end = bytes.indexOf(LINE_FEED, state.next);
    if (end === -1) break;
    const start = state.next;
    state.next = end + 1;
    state.lines += 1;
    takeLine(state, bytes, start, end);
  }
  if (state.isSkipping || bytes.length - state.next <= toMaxBytes(state)) return;
  verifyWaiting(state, bytes);
  state.lines += 1;
  takeTooLong(state);
  state.isSkipping = true;
  skipLine(state, bytes);
}

function skipLine(state: State, bytes: Buffer): void {
  const end = bytes.indexOf(LINE_FEED, state.next);
  state.isSkipping = end === -1;
  state.next = end === -1 ? bytes.length : end + 1;
  state.waiting = state.next;
}

function toMaxBytes({ isForeign, lines }: State): number {
  if (isForeign) return MAX_FOREIGN_BYTES;
  return lines === 0 ? MAX_FIRST_LINE_BYTES : MAX_LINE_BYTES;
}

function takeLine(state: State, bytes: Buffer, start: number, end: number): void {
  if (state.lines === 1 && end - start > MAX_FIRST_LINE_BYTES) {
    takeTooLong(state);
    state.waiting = state.next;
  } else if (!acceptDigest(state, bytes, start, end)) {
    state.previous = start;
    // The first line shows whether the log is of this installation at all.
    if (state.isForeign || state.lines === 1 || state.next - state.waiting > MAX_WAITING_BYTES) {
      verifyWaiting(state, bytes);
    }
  }
}

function takeTooLong(state: State): void {
  state.isForeign = true;
  state.take(undefined);
}

/** Accepts a line and those that wait if it is a digest line that is valid here. */
function acceptDigest(state: State, bytes: Buffer, start: number, end: number): boolean {
  const claimed = state.isForeign ? null : toClaimedDigest(bytes, start, end);
  if (claimed === null) return false;
  coverTo(state, bytes, start);
  const { chain, digest, previous } = state;
  const follows = state.waiting < start ? toLineMark(bytes.subarray(previous, start)) : state.last;
  const mark = follows !== null && claimed === digest.value() ? chain.check(bytes.subarray(start, end), follows) : null;
  if (mark === null) return false;
  for (let from = state.waiting; from < start; ) {
    const to = bytes.indexOf(LINE_FEED, from);
    state.passed += to - from;
    if (toClaimedDigest(bytes, from, to) === null) state.batch.add(bytes, from + BODY_AT, to - 1);
    from = to + 1;
  }
  state.batch.flush();
  coverTo(state, bytes, state.next);
  digest.startLine();
  state.last = mark;
  state.waiting = state.next;
  return true;
}

function coverTo(state: State, bytes: Buffer, end: number): void {
  state.digest.add(bytes.subarray(state.covered, end));
  state.covered = end;
}

/** Verifies what waits line by line. */
function verifyWaiting(state: State, bytes: Buffer): void {
  for (let from = state.waiting; from < state.next && !isDone(state); ) {
    const to = bytes.indexOf(LINE_FEED, from);
    const line = bytes.subarray(from, to);
    const mark = state.isForeign ? null : state.chain.check(line, state.last);
    if (mark !== null) state.last = mark;
    else state.isForeign = true;
    if (mark !== null || toLineMark(line) !== null) pass(state, bytes, from, to);
    else {
      state.passed += Math.max(line.length, MIN_LINE_BYTES);
      if (line.length > 0) state.take(parseForeignEntry(line.toString('utf8')));
    }
    from = to + 1;
  }
  state.waiting = state.next;
}

/** Passes on the event of a line that has a mark. */
function pass(state: State, bytes: Buffer, start: number, end: number): void {
  state.passed += end - start;
  if (toClaimedDigest(bytes, start, end) !== null) return;
  const parse = state.isForeign ? parseForeignEntry : parseEntry;
  state.take(parse(bytes.toString('utf8', start + BODY_AT, end - 1)));
}
