import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { Transaction } from '../../../shared/model/transactions/transaction.ts';
import { NOFOLLOW_NONBLOCK } from '../files/durable-file.ts';
import { readLines } from '../files/read-lines.ts';
import type { JournalSignature } from '../journal/journal-signature.ts';
import { createLineSignature, type LineSignature } from '../logs/line-signature.ts';
import { createLogFile } from '../logs/log-file.ts';
import { toRotatedName } from '../logs/rotate-log.ts';
import type { AgentFolder } from '../project-fs/agent-folder.ts';
import type { TransactionBook } from './transaction-book.ts';

const NAME = 'transactions.log';
const SET_ASIDE = /^transactions(\.\d)?\.log\.[0-9a-f]{8}\.foreign$/;
/** About 400 changes of one file; with the older files 1,500 of them. */
const MAX_LOG_BYTES = 256 * 1024;
const KEPT_FILES = 3;
/** A log that names more text than this is rotated early, so that the kept texts stay below four times this. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** A change of 20,000 files with long paths. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** The log on the disk, and the book as its content. */
export interface TransactionFile {
  /**
   * Reads what this or another program appended since the last call. Returns true if the book was filled anew. A file with a
   * line that this installation did not write is renamed and not used.
   */
  refresh(): Promise<boolean>;
  /** Appends lines; they are durable when this resolves. */
  append(lines: readonly Transaction[]): Promise<void>;
  /** Returns the names of foreign logs. */
  setAside(): Promise<string[]>;
  close(): Promise<void>;
}

/** `isReadOnly`: a foreign file is not used and keeps its name. */
export function createTransactionFile(
  folder: AgentFolder,
  { signature, book, isReadOnly }: { signature: JournalSignature; book: TransactionBook; isReadOnly: boolean },
): TransactionFile {
  const toSignature = () => createLineSignature(signature, NAME);
  const log = createLogFile({
    folder: (make) => (make ? folder.make('') : folder.find('')),
    name: NAME,
    signature: toSignature,
    rotate: { bytes: MAX_LOG_BYTES, keep: KEPT_FILES },
  });
  /** The file up to which the book was filled; inode 0: there was none. */
  let seen: { inode: bigint; size: number } | null = null;
  /** Bytes of the texts that the current file names. */
  let textBytes = 0;
  /** Foreign files that keep their names. */
  let left: string[] = [];

  function fold(lines: readonly Transaction[]): void {
    for (const line of lines) book.fold(line);
    textBytes += toTextBytes(lines);
  }

  async function reload(directory: string | null): Promise<void> {
    const own = await toSignature();
    book.clear();
    left = [];
    for (let index = KEPT_FILES; directory !== null && index >= 0; index -= 1) {
      const name = toRotatedName(NAME, index);
      const file = path.join(directory, name);
      const found = lstatSync(file, { bigint: true, throwIfNoEntry: false });
      const read = found && (found.isFile() ? await readWhole(file, own) : null);
      textBytes = 0;
      if (read) fold(read.lines);
      else if (found && isReadOnly) left.push(name);
      else if (found) await rename(file, `${file}.${randomBytes(4).toString('hex')}.foreign`);
      if (index === 0) seen = found && read ? { inode: found.ino, size: read.size } : { inode: 0n, size: 0 };
    }
    if (directory === null) seen = { inode: 0n, size: 0 };
  }

  return {
    async refresh() {
      const directory = await folder.find('');
      const file = directory && path.join(directory, NAME);
      const found = file ? lstatSync(file, { bigint: true, throwIfNoEntry: false }) : undefined;
      if (seen && seen.inode === (found?.ino ?? 0n)) {
        const size = Number(found?.size ?? 0);
        if (size === seen.size) return false;
        const lines = file && size > seen.size && (await readTail(file, seen.size, await toSignature()));
        if (lines) {
          fold(lines.lines);
          seen.size = lines.size;
          return false;
        }
      }
      await reload(directory);
      return true;
    },

    async append(lines) {
      await log.appendAll(lines, true);
      if (textBytes + toTextBytes(lines) > MAX_TEXT_BYTES) await log.rotate();
    },

    async setAside() {
      const directory = await folder.find('');
      return directory ? [...left, ...readdirSync(directory).filter((name) => SET_ASIDE.test(name))] : [];
    },

    close: log.close,
  };
}

function toTextBytes(lines: readonly Transaction[]): number {
  return lines.reduce((sum, { commands }) => sum + commands.reduce((all, { bytes }) => all + bytes, 0), 0);
}

interface OwnLines {
  lines: Transaction[];
  /** Position after the last whole line. */
  size: number;
}

/** Returns the lines of a file; null if one of them is not of this installation. */
async function readWhole(file: string, own: LineSignature): Promise<OwnLines | null> {
  const read: OwnLines = { lines: [], size: 0 };
  for await (const line of readLines(file, NAME, () => MAX_LINE_BYTES)) {
    if (line === null || !take(read, line, own)) return null;
  }
  return read;
}

/** Does the same from a position on. */
async function readTail(file: string, from: number, own: LineSignature): Promise<OwnLines | null> {
  const handle = await open(file, NOFOLLOW_NONBLOCK);
  try {
    const { size } = await handle.stat();
    if (size - from > MAX_LINE_BYTES) return null;
    const bytes = Buffer.alloc(size - from);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, from);
    const read: OwnLines = { lines: [], size: from };
    for (let start = 0; ; ) {
      const end = bytes.subarray(0, bytesRead).indexOf(LINE_FEED, start);
      if (end === -1) return read;
      if (!take(read, bytes.subarray(start, end), own)) return null;
      start = end + 1;
    }
  } finally {
    await handle.close();
  }
}

/** Adds a line; returns false if it is foreign. A signed line of another version of the app that cannot be parsed is skipped. */
function take(read: OwnLines, line: Buffer, own: LineSignature): boolean {
  read.size += line.length + 1;
  // An append that had failed is tried with an empty line.
  if (line.length === 0) return true;
  if (!own.isOurs(line)) return false;
  const { data } = Transaction.safeParse(JSON.parse(line.toString('utf8')));
  if (data) read.lines.push(data);
  return true;
}
